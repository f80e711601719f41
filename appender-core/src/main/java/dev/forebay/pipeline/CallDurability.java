package dev.forebay.pipeline;

import ch.qos.logback.classic.spi.ILoggingEvent;
import dev.forebay.observe.Levels;
import org.jspecify.annotations.Nullable;

/**
 * Which log calls return only when their event survives a kill of the process.
 *
 * @param fromLevel those of this level and above, as {@link Levels} counts; above ERROR: none
 * @param marker those with a marker of this name; null: none
 * @param timeoutNs how long a call waits at most, nanoseconds
 */
public record CallDurability(int fromLevel, @Nullable String marker, long timeoutNs) {

  /** Of every call. */
  public static CallDurability ofAll(long timeoutNs) {
    return new CallDurability(0, null, timeoutNs);
  }

  boolean includes(ILoggingEvent event, int level) {
    return level >= fromLevel || (marker != null && Markers.contain(event, marker));
  }
}
