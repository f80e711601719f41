package dev.forebay.pipeline;

import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.classic.spi.LoggingEvent;
import java.util.concurrent.atomic.AtomicBoolean;
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

  /** Set by the code that asks, possibly on a thread of an attached appender. */
  private volatile boolean asking;

  private final AtomicBoolean warned;
  private int probes;

  /**
   * @param included whether log calls determine their callers
   * @param warned whether the start has already warned
   * @param warnings receives at most one warning
   */
  CallerDataCheck(
      boolean included, boolean warned, BiConsumer<String, @Nullable Throwable> warnings) {
    this.included = included;
    this.warned = new AtomicBoolean(warned);
    this.asking = warned;
    this.warnings = warnings;
  }

  /** Creates a check from the settings. */
  static CallerDataCheck of(
      PipelineSettings settings, BiConsumer<String, @Nullable Throwable> warnings) {
    return new CallerDataCheck(
        settings.includeCallerData(), settings.warnedOfCallerData(), warnings);
  }

  /** The event, or a view of it, for the sink; attached appenders may look for its class. */
  ILoggingEvent shown(ILoggingEvent event) {
    if (included || (probes >= PROBES && !asking) || event.getClass() != LoggingEvent.class) {
      return event;
    }
    probes += probes < PROBES ? 1 : 0;
    return view(event, this::asked);
  }

  private static ILoggingEvent view(ILoggingEvent event, Runnable asked) {
    return event instanceof LoggingEvent plain && !plain.hasCallerData()
        ? new EventWithoutCaller(plain, asked)
        : event;
  }

  /**
   * The event, or a view of it, for the encoder on the thread that logs: it gets the same answer
   * there as on the flusher's thread. Any thread.
   */
  ILoggingEvent shownToCaller(ILoggingEvent event) {
    return !included && asking ? view(event, this::asked) : event;
  }

  /**
   * As {@link #shown}, for an event that any thread that logs encodes in its turn: that thread's
   * stack has nothing to do with the event.
   */
  ILoggingEvent shownInTurn(ILoggingEvent event) {
    return included ? event : view(event, () -> asking = true); // the flusher warns
  }

  /** Warns of what was asked in turns of log calls. */
  void lookAtCalls() {
    if (asking && !included) {
      asked();
    }
  }

  /** Checks an event that the sink has processed, for code that starts asking later. */
  void look(ILoggingEvent event) {
    if (included || asking || event instanceof DropReport) {
      return;
    }
    try {
      if (event.hasCallerData() && event.getCallerData().length == 0) {
        asked();
      }
    } catch (RuntimeException e) { // an event of a foreign class
      asking = true; // no need to look again
    }
  }

  private void asked() {
    asking = true;
    if (warned.compareAndSet(false, true)) {
      warnings.accept(
          "the encoder or an attached appender asks for the caller of a log call, for example by"
              + " %class, %method, %line, %file or %caller, and gets nothing: set"
              + " <includeCallerData> to true, at about 8 µs a call",
          null);
    }
  }
}
