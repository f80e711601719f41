package dev.forebay;

import ch.qos.logback.core.Appender;
import ch.qos.logback.core.Context;
import ch.qos.logback.core.ContextBase;
import ch.qos.logback.core.status.Status;
import ch.qos.logback.core.status.StatusListener;
import ch.qos.logback.core.status.StatusManager;
import dev.forebay.agent.AgentThread;
import dev.forebay.agent.Speaker;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;

/**
 * The status manager of a context while appenders of ours run there. What foreign code adds on a
 * thread of ours or of Logback's pool, for example a policy that rolls, a {@link Speaker} adds:
 * Logback calls the listeners with a lock, so while one blocks, any status would block our thread.
 * Everything else goes to the manager that the context had.
 */
final class HandedOver implements StatusManager {

  private final StatusManager to;
  private final Speaker speaker;

  /** Those that run. Guarded by the class. */
  private final Set<Appender<?>> appenders = new LinkedHashSet<>();

  private HandedOver(StatusManager to, Speaker speaker) {
    this.to = to;
    this.speaker = speaker;
  }

  /** An appender begins. */
  static synchronized void begin(Appender<?> appender, Speaker speaker) {
    if (appender.getContext() instanceof ContextBase base) {
      if (!(base.getStatusManager() instanceof HandedOver)) {
        base.setStatusManager(new HandedOver(base.getStatusManager(), speaker));
      }
      ((HandedOver) base.getStatusManager()).appenders.add(appender);
    }
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
      speaker.say(() -> to.add(status));
    } else {
      to.add(status);
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
