package dev.forebay;

import ch.qos.logback.core.Appender;
import dev.forebay.agent.NanoClock;
import dev.forebay.agent.Patience;
import dev.forebay.pipeline.AppendGate;
import dev.forebay.pipeline.Pipeline;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * Stops the pipeline of an appender: on the calling thread, with the appender's lock, or on another
 * one for callers inside a log call, which must not wait. That is bounded like any other stop.
 */
public final class Stopper {

  private final Appender<?> appender;
  private final AppendGate gate;

  /** Thread of the newest stop inside a log call; written by that call, read by {@link #await}. */
  private volatile @Nullable Thread thread;

  /**
   * @param appender whose lock each start and each stop that waits holds
   * @param gate where its events enter
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
    if (LogCall.isOnThisThread()) {
      stopElsewhere(refused);
    } else {
      synchronized (appender) {
        stopHere(refused);
      }
    }
  }

  /** Without the lock, which a stop in progress holds. */
  private void stopElsewhere(Function<Pipeline, Runnable> refused) {
    Pipeline running = gate.close();
    if (running != null) {
      running.refuse();
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
    if (stopping == null || stopping == Thread.currentThread() || LogCall.isOnThisThread()) {
      return;
    }
    Patience.await(() -> !stopping.isAlive(), Long.MAX_VALUE, NanoClock.SYSTEM);
    thread = null;
  }
}
