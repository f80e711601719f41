package dev.forebay.pipeline;

import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.classic.spi.LoggingEvent;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.BiConsumer;
import org.jspecify.annotations.Nullable;

/**
 * Notices that an encoder or an appender behind the ring asks for class, method or line of a log
 * call, which can be found out only on the thread that logs, and keeps it from asking the event.
 *
 * <p>What asks once asks from the start, as a rule: the first events of a start are shown to the
 * sink through a {@link EventWithoutCaller}, and all of them once something has asked. Where
 * nothing does, the others are handed on as they are. For the flusher's thread.
 */
final class CallerDataCheck {

  /** Events shown through a view to find out whether anything asks. */
  private static final int PROBES = 16;

  private final boolean included;
  private final BiConsumer<String, @Nullable Throwable> warnings;

  /** Raised by whoever asks in vain, which may be a thread behind an attached appender. */
  private volatile boolean asking;

  private final AtomicBoolean warned;
  private int probes;

  /**
   * @param included whether callers find out by themselves
   * @param warned whether a warning was given already
   * @param warnings gets one warning at most
   */
  CallerDataCheck(
      boolean included, boolean warned, BiConsumer<String, @Nullable Throwable> warnings) {
    this.included = included;
    this.warned = new AtomicBoolean(warned);
    this.asking = warned;
    this.warnings = warnings;
  }

  /** What the settings ask for. */
  static CallerDataCheck of(
      PipelineSettings settings, BiConsumer<String, @Nullable Throwable> warnings) {
    return new CallerDataCheck(
        settings.includeCallerData(), settings.warnedOfCallerData(), warnings);
  }

  /** What to hand to the sink in place of an event. */
  ILoggingEvent shown(ILoggingEvent event) {
    if (included || (probes >= PROBES && !asking)) {
      return event;
    }
    probes += probes < PROBES ? 1 : 0;
    return event instanceof LoggingEvent plain && !plain.hasCallerData()
        ? new EventWithoutCaller(plain, this::asked)
        : event;
  }

  /** Looks at an event that the sink has been given: a rule has exceptions. */
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
