package dev.forebay.pipeline;

import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.classic.spi.LoggingEvent;
import java.util.function.BiConsumer;
import org.jspecify.annotations.Nullable;

/**
 * Detects an encoder or attached appender that asks for the caller of a log call (class, method,
 * line), which only the logging thread can determine, and prevents it from asking the event itself.
 *
 * <p>Code that asks usually does so from the first event. So the sink gets the first events of a
 * start as {@link EventWithoutCaller} views, and all later ones too once something has asked;
 * otherwise it gets the events themselves. For the flusher's thread, unless a method says
 * otherwise.
 */
final class CallerDataCheck {

  /** Events passed as views to detect whether anything asks. */
  private static final int PROBES = 16;

  private final boolean included;
  private final BiConsumer<String, @Nullable Throwable> warnings;

  /** Set by the code that asks, on any thread. */
  private volatile boolean asked;

  private boolean warned;
  private int probes;

  /**
   * @param included whether log calls determine their callers
   * @param warned whether the start has already warned
   * @param warnings receives at most one warning
   */
  CallerDataCheck(
      boolean included, boolean warned, BiConsumer<String, @Nullable Throwable> warnings) {
    this.included = included;
    this.warned = warned;
    this.asked = warned;
    this.warnings = warnings;
  }

  /** The event, or a view of it, for the sink; attached appenders may look for its class. */
  ILoggingEvent shown(ILoggingEvent event) {
    if ((probes == PROBES && !asked) || event.getClass() != LoggingEvent.class) {
      return event;
    }
    probes += probes < PROBES ? 1 : 0;
    return shownInCall(event);
  }

  /**
   * The same for the encoder in a log call, whose stack may have nothing to do with the event. Any
   * thread.
   */
  ILoggingEvent shownInCall(ILoggingEvent event) {
    return !included && event instanceof LoggingEvent plain && !plain.hasCallerData()
        ? new EventWithoutCaller(plain, () -> asked = true)
        : event;
  }

  /** Warns once something has asked. */
  void look() {
    if (asked && !warned) {
      warned = true;
      warnings.accept(
          "the encoder or an attached appender asks for the caller of a log call, for example by"
              + " %class, %method, %line, %file or %caller, and gets nothing: set"
              + " <includeCallerData> to true, at about 8 µs a call",
          null);
    }
  }
}
