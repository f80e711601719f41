package dev.forebay.benchmarks.lab.report;

import dev.forebay.benchmarks.lab.Measurement;
import dev.forebay.benchmarks.lab.Peer;
import dev.forebay.benchmarks.lab.Scenario;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.function.Predicate;

/** All measurements of a directory, by scenario and peer. Our own peers first, the floor last. */
record Summary(List<Measurement> measurements) {

  private static final List<Peer> ORDER =
      Arrays.stream(Peer.values()).sorted(Comparator.comparing(Peer.NONE::equals)).toList();

  /** Runs that count for nothing. */
  long countVoid() {
    return measurements.stream().filter(run -> run.voidBecause() != null).count();
  }

  /** All peers in the order in which they are shown. */
  static List<Peer> order() {
    return ORDER;
  }

  /** The scenarios that have a run. */
  List<Scenario> scenarios() {
    return Arrays.stream(Scenario.values()).filter(scenario -> !in(scenario).isEmpty()).toList();
  }

  /** Those peers that have a run in a scenario. */
  List<PeerRuns> in(Scenario scenario) {
    return runs(run -> run.scenario() == scenario);
  }

  /** The same of one peer. */
  Optional<PeerRuns> find(Scenario scenario, Peer peer) {
    return in(scenario).stream().filter(runs -> runs.peer() == peer).findAny();
  }

  /** The runs of each peer in all scenarios. */
  List<PeerRuns> everywhere() {
    return runs(run -> true);
  }

  /** The same of one peer. */
  Optional<PeerRuns> everywhere(Peer peer) {
    return everywhere().stream().filter(runs -> runs.peer() == peer).findAny();
  }

  private List<PeerRuns> runs(Predicate<Measurement> which) {
    return ORDER.stream().map(peer -> of(peer, which)).filter(of -> !of.runs().isEmpty()).toList();
  }

  private PeerRuns of(Peer peer, Predicate<Measurement> which) {
    return new PeerRuns(
        peer,
        measurements.stream()
            .filter(which)
            .filter(run -> run.peer() == peer)
            .sorted(Comparator.comparingInt(Measurement::repetition))
            .toList());
  }
}
