package dev.forebay.pipeline;

import ch.qos.logback.classic.spi.ILoggingEvent;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * Asks an event for what a line does not need. Events of other classes than Logback's may throw
 * there, or be of a time when Logback had no such method: then they do not have it.
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
