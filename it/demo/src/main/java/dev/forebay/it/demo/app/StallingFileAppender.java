package dev.forebay.it.demo.app;

import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.rolling.RollingFileAppender;
import java.io.FilterOutputStream;
import java.io.IOException;
import java.io.OutputStream;

/** Logback's rolling file with the {@link StallGate} in front of the file. */
public final class StallingFileAppender extends RollingFileAppender<ILoggingEvent> {

  /** Called by Logback. */
  public StallingFileAppender() {}

  @Override
  public void setOutputStream(OutputStream file) {
    super.setOutputStream(new GatedStream(file));
  }

  private static final class GatedStream extends FilterOutputStream {

    GatedStream(OutputStream file) {
      super(file);
    }

    @Override
    public void write(int b) throws IOException {
      StallGate.LOGS.pass();
      out.write(b);
    }

    @Override
    public void write(byte[] bytes, int offset, int length) throws IOException {
      StallGate.LOGS.pass();
      out.write(bytes, offset, length);
    }

    @Override
    public void flush() throws IOException {
      StallGate.LOGS.pass();
      out.flush();
    }
  }
}
