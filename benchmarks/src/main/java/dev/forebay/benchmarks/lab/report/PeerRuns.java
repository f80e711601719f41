package dev.forebay.benchmarks.lab.report;

import dev.forebay.benchmarks.lab.Figure;
import dev.forebay.benchmarks.lab.Measurement;
import dev.forebay.benchmarks.lab.Peer;
import java.util.Comparator;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.function.Function;
import java.util.stream.Collectors;
import org.HdrHistogram.Histogram;

/** The repetitions of one peer, at least one. */
record PeerRuns(Peer peer, List<Measurement> runs) {

  /** Those that are not void. */
  List<Measurement> counting() {
    return runs.stream().filter(run -> run.voidBecause() == null).toList();
  }

  /** Whether no run counts. */
  boolean isVoid() {
    return counting().isEmpty();
  }

  /** The runs that count or, when none does, the void ones: to be shown marked. */
  List<Measurement> shown() {
    return isVoid() ? runs : counting();
  }

  /** Of the runs that count. */
  Optional<Spread> spread(Measures.Measure measure) {
    return spread(counting(), measure);
  }

  /** Of the runs that are shown. */
  Optional<Spread> shownSpread(Measures.Measure measure) {
    return spread(shown(), measure);
  }

  private static Optional<Spread> spread(List<Measurement> of, Measures.Measure measure) {
    return Spread.of(of.stream().map(measure::of).flatMapToDouble(OptionalDouble::stream));
  }

  /** The log calls of all runs that are shown, in one histogram. */
  Histogram calls() {
    Histogram all = new Histogram(3);
    shown().forEach(run -> all.add(run.calls()));
    return all;
  }

  /** The shown run whose longest call is the middle one. */
  Measurement middle() {
    List<Measurement> sorted =
        shown().stream()
            .sorted(Comparator.comparingLong((Measurement run) -> run.calls().getMaxValue()))
            .toList();
    return sorted.get(sorted.size() / 2);
  }

  /** Sum over all runs, void ones too; nothing when no run has the figure. */
  OptionalDouble sum(Figure figure) {
    return sum(run -> run.figure(figure));
  }

  /** The same of something that is computed. */
  OptionalDouble sum(Function<Measurement, OptionalDouble> value) {
    double[] values = runs.stream().map(value).flatMapToDouble(OptionalDouble::stream).toArray();
    double sum = 0;
    for (double each : values) {
      sum += each;
    }
    return values.length == 0 ? OptionalDouble.empty() : OptionalDouble.of(sum);
  }

  /** How many runs are void and why; empty when all count. */
  String voids() {
    long voids = runs.size() - (long) counting().size();
    if (voids == 0) {
      return "";
    }
    String reasons =
        runs.stream()
            .map(Measurement::voidBecause)
            .filter(Objects::nonNull)
            .distinct()
            .collect(Collectors.joining("; "));
    return "%s: %s"
        .formatted(voids == runs.size() ? "void" : voids + " of " + runs.size() + " void", reasons);
  }
}
