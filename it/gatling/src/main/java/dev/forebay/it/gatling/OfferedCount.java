package dev.forebay.it.gatling;

import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.UnsynchronizedAppenderBase;
import java.io.IOException;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.channels.FileChannel;
import java.nio.channels.FileChannel.MapMode;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import org.jspecify.annotations.Nullable;

/**
 * Counts events in a file of eight bytes, mapped, so that the number holds up to the last
 * instruction of this JVM, however it ends. Stands before the appender whose events it counts.
 */
public final class OfferedCount extends UnsynchronizedAppenderBase<ILoggingEvent> {

  private static final VarHandle LONG =
      MethodHandles.byteBufferViewVarHandle(long[].class, ByteOrder.BIG_ENDIAN);

  private @Nullable String file;
  private ByteBuffer count = ByteBuffer.allocateDirect(Long.BYTES);

  /** Called by Logback. */
  public OfferedCount() {}

  /** Called by Logback: the file, which need not exist. */
  public void setFile(String path) {
    file = path;
  }

  @Override
  public void start() {
    if (file == null) {
      addError("no <file> to count in");
      return;
    }
    try (FileChannel channel =
        FileChannel.open(
            Path.of(file),
            StandardOpenOption.CREATE,
            StandardOpenOption.READ,
            StandardOpenOption.WRITE)) {
      count = channel.map(MapMode.READ_WRITE, 0, Long.BYTES);
      super.start();
    } catch (IOException e) {
      addError("cannot count in " + file, e);
    }
  }

  @Override
  protected void append(ILoggingEvent event) {
    LONG.getAndAdd(count, 0, 1L);
  }
}
