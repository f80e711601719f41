package dev.forebay.benchmarks.lab.host;

import dev.forebay.benchmarks.lab.Peer;
import dev.forebay.benchmarks.lab.Scenario;

/** One run that is to be made. */
record PlannedRun(Scenario scenario, Peer peer, int repetition) {

  @Override
  public String toString() {
    return scenario.id() + " " + peer.id() + " " + repetition;
  }
}
