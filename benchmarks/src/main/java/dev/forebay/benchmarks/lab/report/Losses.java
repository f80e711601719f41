package dev.forebay.benchmarks.lab.report;

import java.util.List;
import java.util.Optional;
import java.util.OptionalDouble;

/** What a peer lost in all its runs, void ones too. */
final class Losses {

  private Losses() {}

  /** In percent of the events offered; nothing when that is not known. */
  static OptionalDouble percent(PeerRuns runs) {
    double offered = runs.sum(Measures::offeredIfKept).orElse(0);
    OptionalDouble lost = runs.sum(Measures::lost);
    return offered > 0 && lost.isPresent()
        ? OptionalDouble.of(100 * lost.getAsDouble() / offered)
        : OptionalDouble.empty();
  }

  /** Whether the appender itself reports all that it lost. */
  static boolean areCounted(PeerRuns runs) {
    return runs.sum(Measures::unaccounted).orElse(0) == 0;
  }

  /** {@code 39 %, uncounted}; nothing when nothing is lost. */
  static Optional<String> brief(PeerRuns runs) {
    return percent(runs).stream()
        .filter(percent -> percent > 0)
        .mapToObj(percent -> Unit.PERCENT.brief(percent) + (areCounted(runs) ? "" : ", uncounted"))
        .findFirst();
  }

  /** For a table. */
  static Cell cell(PeerRuns runs) {
    OptionalDouble percent = percent(runs);
    if (percent.isEmpty()) {
      return Cell.NOTHING;
    }
    double lost = percent.getAsDouble();
    String counted = lost == 0 ? "" : areCounted(runs) ? "counted" : "uncounted";
    return new Cell(lost == 0 ? "0" : Unit.PERCENT.brief(lost), counted, false);
  }

  /** Explains void runs, where there is one. */
  static void writeNote(Markup page, List<PeerRuns> peers) {
    if (peers.stream().allMatch(runs -> runs.voids().isEmpty())) {
      return;
    }
    page.open("p", "class", "how").element("b", "void");
    page.text(
            "runs count for nothing: events are neither in the log nor reported as dropped by the"
                + " appender, or the run did not finish. They are in no median. An appender with"
                + " void runs only keeps its times, in italics, and its line, dotted: a call that"
                + " loses its event is quick.")
        .close();
  }
}
