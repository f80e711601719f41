package dev.forebay.benchmarks.lab.host;

import dev.forebay.benchmarks.lab.Peer;
import dev.forebay.benchmarks.lab.Scenario;
import java.time.Duration;

/** One run that is to be made. */
record PlannedRun(Scenario scenario, Peer peer, int repetition) {

  /** Its warm-up and its measured time, of which the second is 0 for a number of events. */
  Duration time() {
    return Duration.ofSeconds(
        Long.getLong("lab.warmUpSeconds", scenario.warmUpSeconds())
            + (isOfAWhile() ? Long.getLong("lab.seconds", scenario.seconds()) : 0));
  }

  /** Whether a time is measured, and not a number of events. */
  boolean isOfAWhile() {
    return scenario.seconds() > 0;
  }

  @Override
  public String toString() {
    return scenario.id() + " " + peer.id() + " " + repetition;
  }
}
