package dev.forebay.pipeline;

import ch.qos.logback.classic.spi.ILoggingEvent;
import java.util.function.BiConsumer;
import org.jspecify.annotations.Nullable;

/**
 * Notices that an encoder or an appender behind the ring asks for class, method or line of a log
 * call, which can be found out only on the thread that logs. An event that is asked elsewhere
 * remembers an empty answer, and the log shows question marks. For the flusher's thread.
 */
final class CallerDataCheck {

  private final BiConsumer<String, @Nullable Throwable> warnings;

  /** Whether there is nothing left to find out. */
  private boolean done;

  /**
   * @param included whether callers find out by themselves
   * @param warnings told once
   */
  CallerDataCheck(boolean included, BiConsumer<String, @Nullable Throwable> warnings) {
    this.done = included;
    this.warnings = warnings;
  }

  /** Looks at an event that the sink has been given. */
  void look(ILoggingEvent event) {
    if (done) {
      return;
    }
    try {
      if (event.hasCallerData() && event.getCallerData().length == 0) {
        done = true;
        warnings.accept(
            "the encoder or an attached appender asks for the caller of a log call, for example by"
                + " %class, %method, %line, %file or %caller, and gets nothing: set"
                + " <includeCallerData> to true, at about 8 µs a call",
            null);
      }
    } catch (RuntimeException e) { // an event of a foreign class
      done = true;
    }
  }
}
