package dev.forebay.benchmarks.lab.report;

import java.util.Optional;
import java.util.OptionalDouble;

/** What a peer lost in all its runs, void ones too. */
final class Losses {

  private Losses() {}

  /** In percent of the events offered; nothing when that is not known. */
  private static OptionalDouble percent(PeerRuns runs) {
    double offered = runs.sum(Measures::offeredIfKept).orElse(0);
    OptionalDouble lost = runs.sum(Measures::lost);
    return offered > 0 && lost.isPresent()
        ? OptionalDouble.of(100 * lost.getAsDouble() / offered)
        : OptionalDouble.empty();
  }

  /** {@code 39 %, uncounted}; nothing when nothing is lost. Counted: the appender reports them. */
  static Optional<String> brief(PeerRuns runs) {
    boolean areCounted = runs.sum(Measures::unaccounted).orElse(0) == 0;
    return percent(runs).stream()
        .filter(percent -> percent > 0)
        .mapToObj(percent -> Unit.PERCENT.brief(percent) + (areCounted ? "" : ", uncounted"))
        .findFirst();
  }

  /** For a table. */
  static String text(PeerRuns runs) {
    OptionalDouble percent = percent(runs);
    return percent.isEmpty() ? Unit.NOTHING : brief(runs).orElse("0");
  }
}
