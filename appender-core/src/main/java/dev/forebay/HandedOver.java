package dev.forebay;

import ch.qos.logback.core.Appender;
import ch.qos.logback.core.BasicStatusManager;
import ch.qos.logback.core.Context;
import ch.qos.logback.core.ContextBase;
import ch.qos.logback.core.status.Status;
import ch.qos.logback.core.status.StatusListener;
import ch.qos.logback.core.status.StatusManager;
import ch.qos.logback.core.status.WarnStatus;
import dev.forebay.agent.AgentThread;
import dev.forebay.agent.TimeLimit;
import java.util.ArrayDeque;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Queue;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * The status manager of a context while appenders of ours run there. Logback calls the user's
 * status listeners on the thread that adds a status, with a lock, and most print: while one blocks,
 * like a pipe without a reader, any status would block our thread. So a daemon thread, which lives
 * while there are any, adds in order the statuses of our appenders and those that foreign code,
 * such as a rolling policy, adds on a thread of ours or of Logback's pool. All other statuses go to
 * the manager that the context had. Any thread.
 */
final class HandedOver implements StatusManager, Runnable {

  /** Enough for some messages of each of hundreds of appenders. */
  static final int MAX_WAITING = 1000;

  private final StatusManager to;

  /** The appender that reports that there were too many messages. */
  private final Appender<?> first;

  /** The running ones. Guarded by the class. */
  private final Set<Appender<?>> appenders = new LinkedHashSet<>();

  /** Guarded by itself, like the next. */
  private final Queue<Runnable> waiting = new ArrayDeque<>();

  /** Messages that found no room. All count until the waiting ones are added. */
  private long tooMany;

  /** Null if there is nothing to say. Written under the same lock. */
  private volatile @Nullable Thread thread;

  HandedOver(StatusManager to, Appender<?> first) {
    this.to = to;
    this.first = first;
  }

  /** An appender begins. Returns the manager of its context; if none can be set, one of its own. */
  static synchronized HandedOver begin(Appender<?> appender) {
    Context context = appender.getContext();
    StatusManager known = context == null ? new BasicStatusManager() : context.getStatusManager();
    HandedOver ours = known instanceof HandedOver it ? it : new HandedOver(known, appender);
    if (context instanceof ContextBase base) {
      base.setStatusManager(ours);
      ours.appenders.add(appender);
    }
    return ours;
  }

  /** An appender has ended; the last one restores the context. */
  static synchronized void end(Appender<?> appender) {
    if (appender.getContext() instanceof ContextBase base
        && base.getStatusManager() instanceof HandedOver ours
        && ours.appenders.remove(appender)
        && ours.appenders.isEmpty()) {
      base.setStatusManager(ours.to);
    }
  }

  /** The running appenders of a context, oldest first. */
  static synchronized List<Appender<?>> running(Context context) {
    return context.getStatusManager() instanceof HandedOver ours
        ? ours.appenders.stream().filter(Appender::isStarted).toList()
        : List.of();
  }

  @Override
  public void add(Status status) {
    // Threads of Logback's pool pack rolled files; a blocked listener would delay that.
    if (AgentThread.isCurrentThreadAgent()
        || Thread.currentThread().getName().startsWith("logback-")) {
      say(() -> to.add(status));
    } else {
      to.add(status);
    }
  }

  /** Runs a message soon, on the daemon thread. Never blocks. */
  void say(Runnable message) {
    synchronized (waiting) {
      if (tooMany > 0 || waiting.size() >= MAX_WAITING) {
        tooMany++;
      } else {
        waiting.add(message);
      }
      if (thread == null) {
        Thread fresh = new Thread(null, this, "forebay-status", 0, false);
        fresh.setDaemon(true);
        try {
          fresh.start();
          thread = fresh;
        } catch (OutOfMemoryError e) {
          // No memory for a thread: the next message tries again.
        }
      }
    }
  }

  @Override
  public void run() {
    for (Runnable next = next(); next != null; next = next()) {
      try {
        next.run();
      } catch (Throwable t) {
        // Foreign code threw, and nowhere is left to report it.
      }
    }
  }

  private @Nullable Runnable next() {
    synchronized (waiting) {
      Runnable next = waiting.poll();
      if (next == null && tooMany > 0) {
        String text = "... and %d messages more, while earlier ones waited".formatted(tooMany);
        tooMany = 0;
        return () -> first.addStatus(new WarnStatus(Statuses.named(first, text), first));
      }
      if (next == null) {
        thread = null;
      }
      return next;
    }
  }

  /** Waits until all messages are added, but not on the thread that adds them. */
  void await(TimeLimit limit) {
    if (thread != Thread.currentThread()) {
      boolean unused = limit.await(() -> thread == null);
    }
  }

  @Override
  public List<Status> getCopyOfStatusList() {
    return to.getCopyOfStatusList();
  }

  @Override
  public int getCount() {
    return to.getCount();
  }

  @Override
  public boolean add(StatusListener listener) {
    return to.add(listener);
  }

  @Override
  public void remove(StatusListener listener) {
    to.remove(listener);
  }

  @Override
  public void clear() {
    to.clear();
  }

  @Override
  public List<StatusListener> getCopyOfStatusListenerList() {
    return to.getCopyOfStatusListenerList();
  }
}
