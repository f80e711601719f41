package dev.forebay.benchmarks.lab.report;

import dev.forebay.benchmarks.lab.Peer;
import dev.forebay.benchmarks.lab.Scenario;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** What a reader sees first: a verdict in one sentence. */
final class Opening {

  /** The scenario that the verdict is about. */
  static final Scenario SCENARIO = Scenario.FROZEN_DISK;

  private Opening() {}

  /** One sentence. */
  static String verdict(Summary summary) {
    Optional<Spread> ours =
        summary.find(SCENARIO, Peer.FOREBAY).flatMap(runs -> runs.spread(Measures::longest));
    if (ours.isEmpty()) {
      return budgets(summary);
    }
    List<String> parts = new ArrayList<>();
    parts.add(
        "While the log disk is frozen for 5\u00a0s, the longest log call of TieredAppender takes %s"
            .formatted(Unit.TIME.format(ours.get().median())));
    summary.find(SCENARIO, Peer.FOREBAY).ifPresent(runs -> parts.add(losses(runs)));
    return String.join(" and it loses ", parts)
        + rival(summary, Peer.FILE).map("; "::concat).orElse("")
        + rival(summary, Peer.ASYNC).map(", "::concat).orElse("")
        + ".";
  }

  private static String losses(PeerRuns runs) {
    return Losses.brief(runs).map(lost -> lost + " of the events").orElse("no event");
  }

  private static Optional<String> rival(Summary summary, Peer peer) {
    Optional<PeerRuns> runs = summary.find(SCENARIO, peer);
    Optional<String> lost =
        runs.flatMap(Losses::brief).map(of -> "%s loses %s".formatted(peer.label(), of));
    return lost.isPresent()
        ? lost
        : runs.flatMap(of -> of.spread(Measures::longest))
            .map(
                longest ->
                    "that of %s takes %s"
                        .formatted(peer.label(), Unit.TIME.format(longest.median())));
  }

  private static String budgets(Summary summary) {
    long met = count(summary, Budget.Verdict.MET);
    long judged = met + count(summary, Budget.Verdict.MISSED);
    return judged == 0
        ? "No budget of TieredAppender was measured in this run."
        : "TieredAppender meets %d of the %d budgets that were measured in this run."
            .formatted(met, judged);
  }

  private static long count(Summary summary, Budget.Verdict verdict) {
    return Budgets.ALL.stream().filter(budget -> budget.verdict(summary) == verdict).count();
  }
}
