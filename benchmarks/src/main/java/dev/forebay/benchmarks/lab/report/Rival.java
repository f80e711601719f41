package dev.forebay.benchmarks.lab.report;

import dev.forebay.benchmarks.lab.Peer;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;

/** The best value of a budget that somebody else reached, and who. */
record Rival(String name, double value) {

  private record Reached(Peer peer, double value) {}

  /** Nothing when no other peer has the value. */
  static Optional<Rival> of(Budget budget, Summary summary) {
    List<Reached> all =
        Summary.order().stream()
            .filter(peer -> !peer.isForebay() && peer != Peer.NONE)
            .filter(peer -> !budget.withoutRivals().contains(peer))
            .flatMap(
                peer ->
                    budget
                        .computation()
                        .of(summary, peer)
                        .map(of -> new Reached(peer, of.median()))
                        .stream())
            .toList();
    Comparator<Reached> ascending = Comparator.comparingDouble(Reached::value);
    return all.stream()
        .min(budget.bound().isDownwards() ? ascending : ascending.reversed())
        .map(best -> new Rival(names(all, best), best.value()));
  }

  private static String names(List<Reached> all, Reached best) {
    long others =
        all.stream().filter(other -> Double.compare(other.value(), best.value()) == 0).count() - 1;
    return best.peer().label() + (others > 0 ? " and " + others + " more" : "");
  }
}
