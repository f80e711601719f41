package dev.forebay;

import ch.qos.logback.classic.turbo.TurboFilter;
import ch.qos.logback.core.Appender;
import ch.qos.logback.core.filter.Filter;
import dev.forebay.agent.NanoClock;
import dev.forebay.pipeline.AppendGate;
import dev.forebay.pipeline.EventSink;
import dev.forebay.pipeline.Pipeline;
import java.lang.StackWalker.StackFrame;
import java.util.Set;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * Stops the pipeline of an appender: on the calling thread, with the appender's lock, or on another
 * one for callers inside a log call, which must not wait. That is bounded like any other stop.
 *
 * @hidden
 */
public final class Stopper {

  private static final Set<String> NAMES_IN_LOG_CALLS = Set.of("doAppend", "accept", "decide");

  private final Appender<?> appender;
  private final AppendGate gate;

  /** Thread of the newest stop inside a log call; written by that call, read by {@link #await}. */
  private volatile @Nullable Thread thread;

  /**
   * @param appender whose lock each start and each stop that waits holds
   */
  public Stopper(Appender<?> appender, AppendGate gate) {
    this.appender = appender;
    this.gate = gate;
  }

  /**
   * Stops the pipeline that runs, if there is one.
   *
   * @param refused called once its events are refused; returns what ends it, which may take long
   */
  public void stop(Function<Pipeline, Runnable> refused) {
    if (isInLogCall()) {
      stopElsewhere(refused);
    } else {
      synchronized (appender) {
        stopHere(refused);
      }
    }
  }

  /** As {@link #stop}, without waiting: without the lock, which a stop in progress holds. */
  public void stopElsewhere(Function<Pipeline, Runnable> refused) {
    Pipeline running = gate.close();
    if (running != null) {
      Runnable end = refused.apply(running);
      start(
          () -> {
            running.unregisterFromJmx();
            end.run();
          });
    }
  }

  /** Waits only if the thread cannot be created. */
  private void start(Runnable stop) {
    Thread fresh = new Thread(null, stop, "forebay-stopper-" + appender.getName(), 0, false);
    fresh.setDaemon(true);
    try {
      fresh.start();
      thread = fresh;
    } catch (OutOfMemoryError e) { // no memory for a thread
      stop.run();
    }
  }

  private void stopHere(Function<Pipeline, Runnable> refused) {
    await();
    Pipeline running = gate.pipeline();
    if (running == null) {
      return;
    }
    running.unregisterFromJmx();
    if (gate.close() == null) { // a log call has just stopped it
      await();
    } else {
      refused.apply(running).run();
    }
  }

  /**
   * Waits for the newest stop on another thread, if there is one, but not inside a log call. An
   * interrupt does not shorten the wait; the interrupt flag stays set.
   */
  public void await() {
    Thread stopping = thread;
    if (stopping == null || stopping == Thread.currentThread() || isInLogCall()) {
      return;
    }
    NanoClock.SYSTEM.await(() -> !stopping.isAlive(), Long.MAX_VALUE);
    thread = null;
  }

  /**
   * Whether an appender that takes an event, a filter that decides on one or a sink after a ring is
   * on this thread's stack. Logback's sifting appender starts and stops appenders there, and the
   * application's filters and appenders may too. Takes microseconds: for starts and stops only.
   */
  public static boolean isInLogCall() {
    StackTraceElement[] frames = new Throwable().getStackTrace();
    for (StackTraceElement frame : frames) {
      if (NAMES_IN_LOG_CALLS.contains(frame.getMethodName())) {
        return isInWalkedStack();
      }
    }
    return frames.length == 0 && isInWalkedStack(); // -XX:-StackTraceInThrowable
  }

  /** Seldom: the walker and its streams cost a start. */
  private static boolean isInWalkedStack() {
    return StackWalker.getInstance(StackWalker.Option.RETAIN_CLASS_REFERENCE)
        .walk(frames -> frames.anyMatch(Stopper::isPartOfLogCall));
  }

  private static boolean isPartOfLogCall(StackFrame frame) {
    Class<?> type = frame.getDeclaringClass();
    return switch (frame.getMethodName()) {
      case "doAppend" -> Appender.class.isAssignableFrom(type);
      case "accept" -> EventSink.class.isAssignableFrom(type);
      case "decide" ->
          TurboFilter.class.isAssignableFrom(type) || Filter.class.isAssignableFrom(type);
      default -> false;
    };
  }
}
