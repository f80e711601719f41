package dev.forebay.pipeline;

import dev.forebay.agent.NanoClock;
import dev.forebay.agent.TimeLimit;
import java.security.AccessController;
import java.security.PrivilegedAction;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;

/**
 * The JVM shutdown hook: has the running pipelines carry without pauses from now on, drains them
 * and has their last drops reported. It does not stop them, because other hooks run at the same
 * time and still log; what these log later is carried while they run.
 *
 * <p>All pipelines are drained at the same time, each for at most its {@code maxFlushTime}. Events
 * that are undelivered then stay in flight, with one WARN: a delegate that returns, or a hook that
 * stops the appender, may still decide their fate.
 *
 * <p>The hook is registered only while a pipeline runs, so that an undeployed application leaves
 * nothing behind.
 */
final class ShutdownDrain implements PrivilegedAction<Thread> {

  /** The drain ends when nothing was logged for this many flushes in a row. */
  private static final int QUIET_FLUSHES = 3;

  private static final long BETWEEN_FLUSHES_NS = 5_000_000;

  /** How long the JVM's end waits for the warnings to be printed. */
  static final long LAST_WARNING_NS = 250_000_000;

  private static final Set<Pipeline> RUNNING = ConcurrentHashMap.newKeySet();

  /** Guarded by the class. */
  private static @Nullable Thread hook;

  private ShutdownDrain() {}

  static synchronized void add(Pipeline pipeline) {
    RUNNING.add(pipeline);
    if (hook == null) {
      Thread fresh = newHook();
      try {
        Runtime.getRuntime().addShutdownHook(fresh);
        hook = fresh;
      } catch (IllegalStateException e) {
        // Already shutting down: too late for a hook, not for stop().
      }
    }
  }

  /** Serves several applications: it must keep no class loader of the first one alive. */
  @SuppressWarnings("removal") // needed until JDK 17 is no longer supported
  static Thread newHook() {
    Thread fresh = AccessController.doPrivileged(new ShutdownDrain());
    fresh.setContextClassLoader(ShutdownDrain.class.getClassLoader());
    return fresh;
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

  @Override
  public Thread run() {
    return new Hook();
  }

  private static final class Hook extends Thread {

    Hook() {
      super(null, null, "forebay-shutdown", 0, false);
    }

    @Override
    public void run() {
      for (Pipeline pipeline : RUNNING) {
        pipeline.prepareForShutdown();
      }
      drain(RUNNING, NanoClock.SYSTEM);
      for (Pipeline pipeline : RUNNING) {
        pipeline.sink.endWithJvm();
      }
    }
  }

  /**
   * Flushes until no more events come and every drop is reported. One pipeline after another is
   * waited for, while all of them work; a hanging listener uses up the time of its pipeline.
   */
  static void drain(Collection<Pipeline> running, NanoClock clock) {
    long usedNs = 0;
    List<Drained> all = new ArrayList<>();
    for (Pipeline pipeline : running) {
      all.add(new Drained(pipeline));
    }
    int quiet = 0;
    while (quiet < QUIET_FLUSHES) {
      quiet++;
      for (Drained one : all) {
        TimeLimit time = new TimeLimit(clock, one.maxFlushNs() - usedNs);
        long leftNs = time.leftNs();
        quiet = one.isQuiet(time) ? quiet : 0;
        usedNs += leftNs - time.leftNs();
      }
      LockSupport.parkNanos(BETWEEN_FLUSHES_NS);
      usedNs += BETWEEN_FLUSHES_NS;
    }
    List<Pipeline> late = new ArrayList<>();
    for (Drained one : all) {
      if (one.isUndone()) {
        late.add(one.pipeline);
        one.pipeline.sink.warnOfLeft();
        if (one.pipeline.undelivered(one.waitedFor) > 0) {
          one.pipeline.warnOfUndelivered();
        }
      }
    }
    TimeLimit limit = new TimeLimit(clock, LAST_WARNING_NS); // a listener may block
    late.forEach(one -> one.awaitWarnings(limit));
  }

  /** One pipeline, as the shutdown hook's thread sees it. */
  private static final class Drained {

    private final Pipeline pipeline;

    /** The events accepted before the drain's time began to run. */
    private final long waitedFor;

    private long seen;
    private boolean isOver;

    Drained(Pipeline pipeline) {
      this.pipeline = pipeline;
      this.waitedFor = pipeline.ring.accepted();
      this.seen = waitedFor;
    }

    long maxFlushNs() {
      return pipeline.settings.maxFlushNs();
    }

    /** Whether nothing has come, and nothing is left or can be waited for any longer. */
    boolean isQuiet(TimeLimit time) {
      isOver |= time.leftNs() <= 0 || !RUNNING.contains(pipeline) || !pipeline.flush(time);
      boolean isSame = pipeline.ring.accepted() == seen;
      seen = pipeline.ring.accepted();
      return isOver || pipeline.hasReportedDrops() && isSame;
    }

    boolean isUndone() {
      return isOver && RUNNING.contains(pipeline);
    }
  }
}
