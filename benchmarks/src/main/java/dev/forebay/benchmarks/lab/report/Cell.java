package dev.forebay.benchmarks.lab.report;

import java.util.Optional;
import java.util.OptionalDouble;

/**
 * What a table says of a peer.
 *
 * @param text the value
 * @param spread least and greatest; empty when that says no more than the text
 * @param doubtful whether the value is that of void runs
 */
record Cell(String text, String spread, boolean doubtful) {

  /** No value. */
  static final Cell NOTHING = new Cell(Unit.NOTHING, "", false);

  /** In place of a value that void runs do not have. */
  static final Cell VOID = new Cell("void", "", true);

  /** A text alone. */
  static Cell text(String text) {
    return text.isEmpty() ? NOTHING : new Cell(text, "", false);
  }

  /** A number alone. */
  static Cell number(OptionalDouble value, Unit unit) {
    return value.isPresent() ? text(unit.bare(value.getAsDouble())) : NOTHING;
  }

  /** A median and its spread. */
  static Cell spread(Optional<Spread> value, Unit unit) {
    return value
        .map(of -> new Cell(unit.bare(of.median()), range(of, unit), false))
        .orElse(NOTHING);
  }

  /** A value that is shown also when it comes from void runs, with a mark. */
  static Cell marked(PeerRuns runs, Measures.Measure measure, Unit unit) {
    Cell cell = spread(runs.shownSpread(measure), unit);
    return new Cell(cell.text(), cell.spread(), runs.isVoid() && !cell.isNothing());
  }

  /** A value that means nothing when events are missing. */
  static Cell counting(PeerRuns runs, Measures.Measure measure, Unit unit) {
    return runs.isVoid() && runs.shownSpread(measure).isPresent()
        ? VOID
        : spread(runs.spread(measure), unit);
  }

  boolean isNothing() {
    return text.equals(Unit.NOTHING);
  }

  /** Whether it stands for a value that void runs do not have. */
  boolean isVoid() {
    return equals(VOID);
  }

  private static String range(Spread of, Unit unit) {
    String range = unit.range(of);
    return range.equals(unit.bare(of.median())) || of.runs() < 2 ? "" : range;
  }
}
