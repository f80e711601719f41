package dev.forebay.tiered.flight;

import ch.qos.logback.classic.spi.ILoggingEvent;
import org.jspecify.annotations.Nullable;

/** The value of the configured MDC key in an event. For the flusher's thread. */
final class EventKey {
  private final @Nullable String name;
  private String lastValue = "";
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
    String value = valueOf(event);
    if (value == null) {
      return RecordLayout.NO_KEY;
    }
    wasFound = true;
    if (!value.equals(lastValue)) {
      lastBytes = RecordLayout.keyBytes(value);
      lastValue = value;
    }
    return lastBytes;
  }

  /** The value; null if there is none. */
  @Nullable String valueOf(ILoggingEvent event) {
    String value = name == null ? null : event.getMDCPropertyMap().get(name);
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
