package dev.forebay.benchmarks;

import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.UnsynchronizedAppenderBase;
import ch.qos.logback.core.encoder.Encoder;
import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.Nullable;

/**
 * The end of every appender that is measured: counts the events that arrive, so that deliveries are
 * known without asking the appender. Called by that appender's one thread; read by any.
 */
final class CountingAppender extends UnsynchronizedAppenderBase<ILoggingEvent> {

  private final String countedLogger;
  private final @Nullable Encoder<ILoggingEvent> encoder;
  private final AtomicLong arrived = new AtomicLong();

  /** Nobody reads it; it keeps the encoding from being optimized away. */
  private final AtomicLong encodedBytes = new AtomicLong();

  /**
   * @param countedLogger events of other loggers, such as an appender's own reports, do not count
   * @param encoder encodes each event before it is counted; null for none
   */
  CountingAppender(String countedLogger, @Nullable Encoder<ILoggingEvent> encoder) {
    this.countedLogger = countedLogger;
    this.encoder = encoder;
  }

  @Override
  protected void append(ILoggingEvent event) {
    if (encoder != null) {
      add(encodedBytes, encoder.encode(event).length);
    }
    if (event.getLoggerName().equals(countedLogger)) {
      add(arrived, 1);
    }
  }

  /** One writer needs no atomic read-modify-write. */
  private static void add(AtomicLong to, long count) {
    to.setRelease(to.getPlain() + count);
  }

  long arrived() {
    return arrived.getAcquire();
  }
}
