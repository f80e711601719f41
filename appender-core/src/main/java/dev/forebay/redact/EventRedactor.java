package dev.forebay.redact;

import ch.qos.logback.classic.spi.ILoggingEvent;
import java.util.function.UnaryOperator;

/** Replaces in events what the rules of a {@link Redactor} match. Any thread. */
public final class EventRedactor {

  private final boolean hasKeys;
  private final EventRedaction byKey;
  private final EventRedaction whole;
  private final EventRedaction wholeUncounted;

  public EventRedactor(Redactor rules) {
    LogstashFields fields = LogstashFields.find(EventRedactor.class.getClassLoader());
    boolean searches = rules.searches;
    UnaryOperator<String> counted = searches ? text -> rules.text(text, rules::count) : null;
    UnaryOperator<String> uncounted = searches ? text -> rules.text(text, rule -> {}) : null;
    hasKeys = rules.names != null;
    byKey = new EventRedaction(rules.names, null, fields, rules::count);
    whole = new EventRedaction(rules.names, counted, fields, rules::count);
    wholeUncounted = new EventRedaction(rules.names, uncounted, fields, rule -> {});
  }

  /** Whether the event may have the name of a secret. */
  public boolean mayHaveKeys(ILoggingEvent event) {
    return hasKeys && byKey.mayFind(event);
  }

  /** Whether an encoder may write fields of objects, whose names an event does not show. */
  public boolean hasObjects(ILoggingEvent event) {
    return byKey.hasObjects(event);
  }

  /** The event without the values of secret names; the same one if it has none. */
  public ILoggingEvent withoutKeys(ILoggingEvent event) {
    return byKey.of(event);
  }

  /** The event without secrets in any of its parts, for whoever writes it elsewhere. */
  public ILoggingEvent whole(ILoggingEvent event) {
    return whole.of(event);
  }

  /** As {@link #whole}, of an event whose line counts what is replaced. */
  public ILoggingEvent wholeUncounted(ILoggingEvent event) {
    return wholeUncounted.of(event);
  }
}
