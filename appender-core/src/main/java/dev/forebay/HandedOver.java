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
 * like a pipe that nobody reads, any status would block our thread. So what our appenders say, and
 * what foreign code adds on a thread of ours or of Logback's pool, for example a policy that rolls,
 * is added in order by a daemon thread that lives while there is any. Everything else goes to the
 * manager that the context had. Any thread.
 */
final class HandedOver implements StatusManager, Runnable {

  /** Some for each of hundreds of appenders. */
  static final int MAX_WAITING = 1000;

  private final StatusManager to;

  /** Speaks for all where there were too many messages. */
  private final Appender<?> first;

  /** Those that run. Guarded by the class. */
  private final Set<Appender<?>> appenders = new LinkedHashSet<>();

  /** Guarded by itself, like the next. */
  private final Queue<Runnable> waiting = new ArrayDeque<>();

  /** So many found no room. All are counted until those that wait are said. */
  private long tooMany;

  /** Null if there is nothing to say. Written under the same lock. */
  private volatile @Nullable Thread thread;

  HandedOver(StatusManager to, Appender<?> first) {
    this.to = to;
    this.first = first;
  }

  /** An appender begins. Returns that of its context; one of its own where none can be set. */
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

  /** One has ended; the last one leaves the context as it was. */
  static synchronized void end(Appender<?> appender) {
    if (appender.getContext() instanceof ContextBase base
        && base.getStatusManager() instanceof HandedOver ours
        && ours.appenders.remove(appender)
        && ours.appenders.isEmpty()) {
      base.setStatusManager(ours.to);
    }
  }

  /** Those of a context that run, oldest first. */
  static synchronized List<Appender<?>> running(Context context) {
    return context.getStatusManager() instanceof HandedOver ours
        ? ours.appenders.stream().filter(Appender::isStarted).toList()
        : List.of();
  }

  @Override
  public void add(Status status) {
    // Those of Logback's pool pack what we roll, and would keep the listeners' lock from that.
    if (AgentThread.isCurrentThreadAgent()
        || Thread.currentThread().getName().startsWith("logback-")) {
      say(() -> to.add(status));
    } else {
      to.add(status);
    }
  }

  /** Has this run soon. Never blocks. */
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
          // No memory for a thread: it is said with the next message.
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
        // Foreign code, and nowhere left to report to.
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

  /** Waits until all is said, but not on the thread that says it. */
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
