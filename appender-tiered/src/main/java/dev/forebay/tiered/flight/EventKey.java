package dev.forebay.tiered.flight;

import ch.qos.logback.classic.spi.ILoggingEvent;
import dev.forebay.pipeline.EventPart;
import dev.forebay.redact.Redactor;
import java.util.LinkedHashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** The value of the configured MDC key in an event. For the flusher's thread. */
final class EventKey {

  /** A failing request may be logged after its key is gone, by the thread that served it. */
  private static final long LAST_VALUE_MS = 1_000;

  private static final int MAX_THREADS = 256;

  /** A value in an event. */
  static final class Value {

    /** The value; "" if there is none. */
    final String text;

    /** The value's bytes in a record. */
    final byte[] bytes;

    /** Whether the event has it; otherwise it is the last one of its thread. */
    final boolean isOwn;

    /** When an event had it last, milliseconds since the epoch. */
    private long timeMs;

    private Value(String text, byte[] bytes, boolean isOwn) {
      this.text = text;
      this.bytes = bytes;
      this.isOwn = isOwn;
    }

    boolean exists() {
      return !text.isEmpty();
    }
  }

  static final Value NONE = new Value("", RecordLayout.NO_KEY, true);

  /** The configured MDC key; null if there is none. */
  private final @Nullable String name;

  private final @Nullable Redactor redactor;

  /** The events of a request share theirs, and it is in another processor's cache. */
  private @Nullable Map<String, String> lastMap;

  private Value last = NONE;

  /** The last value of each thread by its name; the one that has logged last at the end. */
  private final Map<String, Value> threads = new LinkedHashMap<>(16, 0.75f, true);

  /**
   * @param redactor null if there is none
   */
  EventKey(@Nullable String name, @Nullable Redactor redactor) {
    this.name = name;
    this.redactor = redactor;
  }

  /**
   * The value of an event, which has to be asked for all of them in order.
   *
   * @param isTrigger whether it takes its thread's last value if it has none
   */
  Value of(ILoggingEvent event, boolean isTrigger) {
    if (name == null) {
      return NONE;
    }
    Map<String, String> map = EventPart.of(event, ILoggingEvent::getMDCPropertyMap);
    if (map != lastMap || map == null) {
      String found = map == null ? null : EventPart.of(event, any -> map.get(name));
      String text = found == null || redactor == null ? found : redactor.value(name, found);
      last =
          text == null || text.isEmpty()
              ? NONE
              : new Value(text, RecordLayout.keyBytes(text), true);
      lastMap = map;
    }
    if (!last.exists()) {
      return isTrigger ? lastOf(event) : NONE;
    }
    last.timeMs = event.getTimeStamp();
    threads.put(EventPart.of(event, ILoggingEvent::getThreadName), last);
    if (threads.size() > MAX_THREADS) {
      threads.remove(threads.keySet().iterator().next());
    }
    return last;
  }

  private Value lastOf(ILoggingEvent event) {
    String thread = EventPart.of(event, ILoggingEvent::getThreadName);
    Value known =
        thread == null || thread.isEmpty()
            ? null
            : threads.get(thread); // virtual threads have no name
    return known == null || event.getTimeStamp() - known.timeMs > LAST_VALUE_MS
        ? NONE
        : new Value(known.text, known.bytes, false);
  }
}
