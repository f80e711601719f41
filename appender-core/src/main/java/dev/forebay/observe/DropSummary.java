package dev.forebay.observe;

import ch.qos.logback.classic.spi.ILoggingEvent;
import org.jspecify.annotations.Nullable;
import org.slf4j.event.Level;

/**
 * The drops of one reason and level since the last report.
 *
 * @param reason why they were dropped
 * @param level their level
 * @param count how many, at least 1
 * @param firstMs about when the first was dropped, milliseconds since the epoch
 * @param lastMs about when the last was dropped, milliseconds since the epoch
 * @param sample one of them; null if none was kept, for example because the ring was full before
 *     the event was formatted
 */
public record DropSummary(
    DropReason reason,
    Level level,
    long count,
    long firstMs,
    long lastMs,
    @Nullable ILoggingEvent sample) {

  /** The sum with a later summary of the same reason and level. */
  public DropSummary and(DropSummary later) {
    return new DropSummary(reason, level, count + later.count, firstMs, later.lastMs, later.sample);
  }
}
