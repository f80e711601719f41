package dev.forebay.pipeline;

import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.classic.spi.IThrowableProxy;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.slf4j.event.KeyValuePair;

/**
 * About how many bytes of heap an event keeps alive: its message at two bytes a character, its
 * stack traces at {@value #FRAME_BYTES} bytes a frame and its text values. The MDC is not counted,
 * because Logback shares one copy of it among the events of a thread.
 *
 * <p>The weight of a prepared event never changes, so that what was reserved is what is released.
 */
final class EventWeight {

  static final int FRAME_BYTES = 128;

  /** Causes and suppressed exceptions looked at: enough for real ones, and an end for cycles. */
  private static final int MAX_THROWABLES = 32;

  private EventWeight() {}

  static long of(ILoggingEvent event) {
    long bytes = textBytes(event.getFormattedMessage());
    IThrowableProxy thrown = event.getThrowableProxy();
    if (thrown != null) {
      bytes += throwableBytes(thrown, MAX_THROWABLES);
    }
    List<KeyValuePair> pairs = event.getKeyValuePairs();
    if (pairs != null) {
      for (KeyValuePair pair : pairs) {
        bytes += pair.value instanceof String text ? textBytes(text) : 0;
      }
    }
    return bytes;
  }

  private static long throwableBytes(IThrowableProxy first, int limit) {
    long bytes = 0;
    IThrowableProxy thrown = first;
    for (int i = 0; thrown != null && i < limit; i++) {
      bytes += textBytes(thrown.getMessage());
      bytes += (long) FRAME_BYTES * thrown.getStackTraceElementProxyArray().length;
      IThrowableProxy[] suppressed = thrown.getSuppressed();
      for (int s = 0; suppressed != null && s < suppressed.length && s < limit; s++) {
        bytes += throwableBytes(suppressed[s], limit / 4);
      }
      thrown = thrown.getCause();
    }
    return bytes;
  }

  private static long textBytes(@Nullable String text) {
    return text == null ? 0 : 2L * text.length();
  }
}
