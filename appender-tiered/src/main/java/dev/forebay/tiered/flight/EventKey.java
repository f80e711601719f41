package dev.forebay.tiered.flight;

import ch.qos.logback.classic.spi.ILoggingEvent;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** The value of the configured MDC key in an event. For the flusher's thread. */
final class EventKey {
  private final @Nullable String name;

  /** The events of a request share theirs, and it is in another processor's cache. */
  private @Nullable Map<String, String> lastMap;

  private byte[] lastBytes = RecordLayout.NO_KEY;
  private boolean wasFound;
  private boolean wasMissed;

  /**
   * @param name null if there is none
   */
  EventKey(@Nullable String name) {
    this.name = name;
  }

  /** The value as it stands in a record; no bytes if there is none. */
  byte[] bytesOf(ILoggingEvent event) {
    if (name == null) {
      return RecordLayout.NO_KEY;
    }
    Map<String, String> map = event.getMDCPropertyMap();
    if (map != lastMap) {
      lastMap = map;
      String value = valueIn(map, name);
      lastBytes = value == null ? RecordLayout.NO_KEY : RecordLayout.keyBytes(value);
      wasFound |= value != null;
    }
    return lastBytes;
  }

  /** The value; null if there is none. */
  @Nullable String valueOf(ILoggingEvent event) {
    return name == null ? null : valueIn(event.getMDCPropertyMap(), name);
  }

  private static @Nullable String valueIn(Map<String, String> map, String name) {
    String value = map.get(name);
    return value == null || value.isEmpty() ? null : value;
  }

  /** Why all dumps hold all events, told once; null if there is nothing to tell. */
  @Nullable String takeWarning() {
    if (name == null || wasFound || wasMissed) {
      return null;
    }
    wasMissed = true;
    return "<key> of <flightRecorder> is \"%s\", but no event so far has that MDC key: dumps hold all events; write the key that your application puts into the MDC, or remove <key>"
        .formatted(name);
  }
}
