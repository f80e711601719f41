package dev.forebay.tiered;

import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.encoder.Encoder;
import ch.qos.logback.core.filter.Filter;
import dev.forebay.ConfigFindings;
import dev.forebay.tiered.ship.Target;
import org.jspecify.annotations.Nullable;

/**
 * A {@code <destination>}, which gets the events instead of files. Implemented in modules of this
 * project.
 */
public interface DestinationOptions extends Target {

  /**
   * Checks the options at each start, and keeps the result for it. Accesses nothing.
   *
   * @param commitMs how often what is there is committed; 0 for always
   * @hidden
   */
  void validate(long commitMs, ConfigFindings findings);

  /**
   * The attributes of an event that it needs besides the line, at most 64 KB. The flusher's thread,
   * or a log call in its turn.
   *
   * @hidden
   */
  byte[] attributes(ILoggingEvent event);

  /**
   * What encodes events where no {@code <encoder>} is configured; null if one is required.
   *
   * @hidden
   */
  default @Nullable Encoder<ILoggingEvent> encoder() {
    return null;
  }

  /**
   * Keeps its own log events from its own appender, an endless loop.
   *
   * @hidden
   */
  Filter<ILoggingEvent> ownLog();
}
