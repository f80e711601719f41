package dev.forebay.benchmarks.lab.report;

import dev.forebay.benchmarks.lab.report.Measures.Measure;
import java.util.OptionalDouble;
import java.util.function.Function;

/**
 * A column of a table with a row for each peer.
 *
 * @param cell the value of a peer; {@link Unit#NOTHING} if it has none
 */
record Column(String head, Function<PeerRuns, String> cell) {

  /** A value that is shown also when it comes from void runs, in italics then. */
  static Column marked(String head, Measure measure, Unit unit) {
    return new Column(
        head,
        runs -> {
          String text = unit.spread(runs.shownSpread(measure));
          return runs.isVoid() && !text.equals(Unit.NOTHING) ? "*" + text + "*" : text;
        });
  }

  /** A value that means nothing when events are missing. */
  static Column counting(String head, Measure measure, Unit unit) {
    return new Column(
        head,
        runs ->
            runs.isVoid() && runs.shownSpread(measure).isPresent()
                ? "void"
                : unit.spread(runs.spread(measure)));
  }

  /** A sum over all runs, void ones too. */
  static Column sum(String head, Measure measure) {
    return new Column(
        head,
        runs -> {
          OptionalDouble sum = runs.sum(measure::of);
          return sum.isPresent() ? Unit.COUNT.bare(sum.getAsDouble()) : Unit.NOTHING;
        });
  }
}
