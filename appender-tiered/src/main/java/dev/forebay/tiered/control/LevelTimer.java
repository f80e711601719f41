package dev.forebay.tiered.control;

import ch.qos.logback.classic.LoggerContext;
import ch.qos.logback.core.status.WarnStatus;
import dev.forebay.agent.Agent;
import dev.forebay.agent.AgentThread;
import dev.forebay.agent.NanoClock;
import dev.forebay.agent.ParkPolicy;
import org.jspecify.annotations.Nullable;

/**
 * The thread that gives levels back. It lives from the first level that is set for a time to the
 * end of the last: what it runs, listeners of levels and log calls, may block.
 */
final class LevelTimer implements Agent, ParkPolicy {

  private final TimedLevels levels;
  private final NanoClock clock;
  private final LoggerContext context;

  /** Guarded by levels; null while no level is set for a time. */
  private @Nullable AgentThread thread;

  LevelTimer(TimedLevels levels, NanoClock clock, LoggerContext context) {
    this.levels = levels;
    this.clock = clock;
    this.context = context;
  }

  /**
   * Starts the thread if there is none. With {@code levels} locked.
   *
   * @throws OutOfMemoryError if the system has no thread left
   */
  void start() {
    if (thread == null) {
      AgentThread fresh = new AgentThread(this, this, "forebay-levels", clock, this::failed, true);
      fresh.start();
      thread = fresh;
    }
  }

  /** Causes a look soon. Any thread. */
  void wake() {
    AgentThread current;
    synchronized (levels) {
      current = thread;
    }
    if (current != null) {
      current.wake();
    }
  }

  private void failed(Throwable cause) {
    context.getStatusManager().add(new WarnStatus("A level could not be given back", this, cause));
  }

  /** The application that asked may end before its context does. */
  @Override
  public void onStart() {
    Thread.currentThread().setContextClassLoader(LevelTimer.class.getClassLoader());
  }

  @Override
  public int doWork() {
    levels.restoreDue();
    endIfUnused();
    return 0;
  }

  private void endIfUnused() {
    AgentThread current;
    synchronized (levels) {
      current = thread;
      if (current == null || !levels.isEmpty()) {
        return;
      }
      thread = null;
    }
    current.requestStop();
  }

  @Override
  public long parkNs(int workDone, long nowNs) {
    return levels.dueInNs();
  }
}
