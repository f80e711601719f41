package dev.forebay.it.demo.app;

import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.rolling.RollingFileAppender;
import java.io.FilterOutputStream;
import java.io.IOException;
import java.io.OutputStream;

/** Logback's rolling file that is held up as {@link StallingDisk} says. */
public final class StallingFileAppender extends RollingFileAppender<ILoggingEvent> {

  /** Called by Logback. */
  public StallingFileAppender() {}

  @Override
  public void setOutputStream(OutputStream file) {
    super.setOutputStream(
        new FilterOutputStream(file) {
          @Override
          public void write(int b) throws IOException {
            write(new byte[] {(byte) b}, 0, 1);
          }

          @Override
          public void write(byte[] bytes, int offset, int length) throws IOException {
            StallingDisk.pass();
            out.write(bytes, offset, length);
          }

          @Override
          public void flush() throws IOException {
            StallingDisk.pass();
            out.flush();
          }
        });
  }
}
