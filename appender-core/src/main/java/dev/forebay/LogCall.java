package dev.forebay;

import ch.qos.logback.classic.turbo.TurboFilter;
import ch.qos.logback.core.Appender;
import ch.qos.logback.core.filter.Filter;
import dev.forebay.pipeline.EventSink;
import java.lang.StackWalker.StackFrame;
import java.util.Set;

/**
 * Detects whether the current thread is inside a log call, which must not wait. Logback's sifting
 * appender starts and stops appenders there, and the application's filters and appenders may too.
 *
 * <p>Inspects the stack, since the call need not have come through one of our appenders. Takes
 * microseconds: for starts and stops only.
 */
public final class LogCall {

  private static final Set<String> NAMES = Set.of("doAppend", "accept", "acceptReport", "decide");

  private LogCall() {}

  /**
   * Whether an appender that takes an event, a filter that decides on one or a sink after a ring is
   * on this thread's stack.
   */
  public static boolean isOnThisThread() {
    StackTraceElement[] frames = new Throwable().getStackTrace();
    for (StackTraceElement frame : frames) {
      if (NAMES.contains(frame.getMethodName())) {
        return isInWalkedStack();
      }
    }
    return frames.length == 0 && isInWalkedStack(); // -XX:-StackTraceInThrowable
  }

  /** Seldom: the walker and its streams cost a start. */
  private static boolean isInWalkedStack() {
    return StackWalker.getInstance(StackWalker.Option.RETAIN_CLASS_REFERENCE)
        .walk(frames -> frames.anyMatch(LogCall::isPartOfOne));
  }

  private static boolean isPartOfOne(StackFrame frame) {
    Class<?> type = frame.getDeclaringClass();
    return switch (frame.getMethodName()) {
      case "doAppend" -> Appender.class.isAssignableFrom(type);
      case "accept", "acceptReport" -> EventSink.class.isAssignableFrom(type);
      case "decide" ->
          TurboFilter.class.isAssignableFrom(type) || Filter.class.isAssignableFrom(type);
      default -> false;
    };
  }
}
