package dev.forebay.pipeline;

import ch.qos.logback.classic.spi.ILoggingEvent;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * Asks an event for optional parts. Events of other classes than Logback's may throw, or come from
 * a time when Logback had no such method: then the part is missing.
 *
 * @hidden
 */
public final class EventPart {

  private EventPart() {}

  /** A part of an event; null if it has none. */
  public static <T> @Nullable T of(
      ILoggingEvent event, Function<ILoggingEvent, ? extends @Nullable T> part) {
    try {
      return part.apply(event);
    } catch (RuntimeException | LinkageError e) {
      return null;
    }
  }
}
