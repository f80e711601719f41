package dev.forebay.tiered;

import dev.forebay.agent.Agent;

/**
 * Two agents that share a thread, in turn.
 *
 * @param leader has the first turn, and closes last
 */
record TwoAgents(Agent leader, Agent companion) implements Agent {

  @Override
  public void onStart() {
    leader.onStart();
    companion.onStart();
  }

  @Override
  public int doWork() throws Exception {
    int first = leader.doWork();
    int second = companion.doWork();
    return first == MORE || second == MORE ? MORE : first + second;
  }

  @Override
  public long sleepNs(long nowNs) {
    return Math.min(leader.sleepNs(nowNs), companion.sleepNs(nowNs));
  }

  @Override
  public boolean finish() throws Exception {
    boolean isDone = companion.finish();
    return leader.finish() && isDone;
  }

  @Override
  public void onClose() {
    try {
      companion.onClose();
    } finally {
      leader.onClose();
    }
  }
}
