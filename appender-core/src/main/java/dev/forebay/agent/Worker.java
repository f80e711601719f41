package dev.forebay.agent;

import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;

/** A daemon thread that runs an agent. An interrupt only wakes it. */
class Worker extends Thread {

  /** Whose work it does; null: nobody's at the moment. Its own. */
  @Nullable AgentThread owner;

  Worker(@Nullable AgentThread owner, String name) {
    super(null, null, name, 0, false);
    this.owner = owner;
    setDaemon(true);
  }

  @Override
  public void run() {
    AgentThread runs = owner;
    if (runs != null) {
      runs.work(this);
    }
  }

  @Override
  public void interrupt() {
    LockSupport.unpark(this);
  }
}
