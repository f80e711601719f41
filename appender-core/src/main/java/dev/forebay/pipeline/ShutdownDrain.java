package dev.forebay.pipeline;

import dev.forebay.agent.NanoClock;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;

/**
 * The JVM shutdown hook: drains the running pipelines and has their last drops reported. It does
 * not stop them, because other hooks run at the same time and still log. Events that are
 * undelivered after {@code maxFlushTime} stay in flight, with one WARN: a delegate that returns, or
 * a hook that stops the appender, may still decide their fate.
 *
 * <p>The hook is registered only while a pipeline runs, so that an undeployed application leaves
 * nothing behind.
 */
final class ShutdownDrain {

  /** The drain ends when nothing was logged for this many flushes in a row. */
  private static final int QUIET_FLUSHES = 3;

  private static final long BETWEEN_FLUSHES_NS = 5_000_000;

  private static final Set<Pipeline> RUNNING = ConcurrentHashMap.newKeySet();

  /** Guarded by the class. */
  private static @Nullable Thread hook;

  private ShutdownDrain() {}

  static synchronized void add(Pipeline pipeline) {
    RUNNING.add(pipeline);
    if (hook == null) {
      Thread fresh = new Thread(ShutdownDrain::drainAll, "forebay-shutdown");
      try {
        Runtime.getRuntime().addShutdownHook(fresh);
        hook = fresh;
      } catch (IllegalStateException e) {
        // Already shutting down: too late for a hook, not for stop().
      }
    }
  }

  static synchronized void remove(Pipeline pipeline) {
    RUNNING.remove(pipeline);
    Thread registered = hook;
    if (RUNNING.isEmpty() && registered != null) {
      try {
        Runtime.getRuntime().removeShutdownHook(registered);
        hook = null;
      } catch (IllegalStateException e) {
        // Shutting down: the hook has nothing left to do.
      }
    }
  }

  private static void drainAll() {
    Watchers.OF_PROCESS.prepareForShutdown();
    RUNNING.forEach(Pipeline::prepareForShutdown);
    RUNNING.forEach(ShutdownDrain::drain);
  }

  /**
   * Flushes until no more events come and every drop is reported, for at most the pipeline's {@code
   * maxFlushTime}, which a hanging listener uses up.
   */
  static void drain(Pipeline pipeline) {
    NanoClock clock = pipeline.clock();
    long deadlineNs = clock.nanoTime() + pipeline.maxFlushNs();
    int quiet = 0;
    while (quiet < QUIET_FLUSHES && RUNNING.contains(pipeline)) {
      long leftNs = deadlineNs - clock.nanoTime();
      if (leftNs <= 0) {
        pipeline.warnOfUndelivered();
        return;
      }
      long before = pipeline.accepted();
      boolean flushed = pipeline.flush(leftNs);
      LockSupport.parkNanos(BETWEEN_FLUSHES_NS);
      boolean reported = pipeline.finalReports().areMade(); // requests them otherwise
      quiet = flushed && reported && pipeline.accepted() == before ? quiet + 1 : 0;
    }
  }
}
