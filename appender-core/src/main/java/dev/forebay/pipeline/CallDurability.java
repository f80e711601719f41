package dev.forebay.pipeline;

import ch.qos.logback.classic.spi.ILoggingEvent;
import dev.forebay.observe.Levels;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.slf4j.Marker;

/**
 * Which log calls return only when their event survives a kill of the process.
 *
 * @param fromLevel those of this level and above, as {@link Levels} counts; above ERROR: none
 * @param marker those with a marker of this name; null: none
 * @param timeoutNs how long a call waits at most, nanoseconds
 */
public record CallDurability(int fromLevel, @Nullable String marker, long timeoutNs) {

  private static final String MARKER = "marker:";

  boolean includes(ILoggingEvent event, int level) {
    return level >= fromLevel || hasMarker(event, marker);
  }

  /** Whether an event has a marker of this name, or one that refers to it. */
  public static boolean hasMarker(ILoggingEvent event, @Nullable String name) {
    return name != null && Boolean.TRUE.equals(EventPart.of(event, any -> isAmong(any, name)));
  }

  /** The name in {@code marker:NAME}; null if it is something else. */
  public static @Nullable String markerOf(String trimmed) {
    boolean isMarker = trimmed.length() > MARKER.length() && trimmed.startsWith(MARKER);
    return isMarker ? trimmed.substring(MARKER.length()).trim() : null;
  }

  private static boolean isAmong(ILoggingEvent event, String name) {
    List<Marker> markers = event.getMarkerList();
    if (markers != null) {
      for (Marker each : markers) {
        if (each.contains(name)) {
          return true;
        }
      }
    }
    return false;
  }
}
