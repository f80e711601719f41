package dev.forebay.host;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.function.Consumer;

/**
 * What collects the lines of a program's standard output, in a thread of its own: as fast as they
 * come, slowly, or not at all for a while, so that the pipe fills.
 */
public final class PipeReader {

  /** As fast as they come. */
  public static final int FAST = Integer.MAX_VALUE;

  /** Takes nothing. */
  public static final int STALLED = 0;

  private static final int BUFFER_BYTES = 8192;
  private static final int STEPS_PER_SECOND = 10;
  private static final Duration STEP = Duration.ofMillis(1000 / STEPS_PER_SECOND);

  private final InputStream pipe;
  private final Consumer<String> lines;
  private final Thread thread = new Thread(this::readAll, "pipe-reader");

  /** Written by whoever steers it. */
  private volatile int bytesPerSecond;

  private PipeReader(InputStream pipe, Consumer<String> lines, int bytesPerSecond) {
    this.pipe = pipe;
    this.lines = lines;
    this.bytesPerSecond = bytesPerSecond;
  }

  /** One that reads as fast as it can. */
  public static PipeReader of(InputStream pipe, Consumer<String> lines) {
    return of(pipe, lines, FAST);
  }

  /** Each line, also a last one without an end, goes to the consumer, on the reader's thread. */
  public static PipeReader of(InputStream pipe, Consumer<String> lines, int bytesPerSecond) {
    PipeReader reader = new PipeReader(pipe, lines, bytesPerSecond);
    reader.thread.setDaemon(true);
    reader.thread.start();
    return reader;
  }

  /**
   * Reads on at this rate, {@link #FAST} or {@link #STALLED}. What it has begun to wait for, it
   * still reads.
   */
  public void read(int bytesPerSecond) {
    this.bytesPerSecond = bytesPerSecond;
  }

  /** Waits until the program has closed its end and all is read, however long that takes. */
  public void awaitEnd() throws InterruptedException {
    thread.join();
  }

  private void readAll() {
    ByteArrayOutputStream line = new ByteArrayOutputStream();
    byte[] buffer = new byte[BUFFER_BYTES];
    try {
      for (int length = read(buffer); length >= 0; length = read(buffer)) {
        for (int i = 0; i < length; i++) {
          if (buffer[i] == '\n') {
            lines.accept(line.toString(StandardCharsets.UTF_8));
            line.reset();
          } else {
            line.write(buffer[i]);
          }
        }
      }
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    if (line.size() > 0) {
      lines.accept(line.toString(StandardCharsets.UTF_8));
    }
  }

  private int read(byte[] buffer) throws IOException {
    while (bytesPerSecond == STALLED) {
      Await.pass(STEP);
    }
    int rate = bytesPerSecond;
    if (rate != FAST) {
      Await.pass(STEP);
      return pipe.read(buffer, 0, Math.max(1, rate / STEPS_PER_SECOND));
    }
    return pipe.read(buffer);
  }
}
