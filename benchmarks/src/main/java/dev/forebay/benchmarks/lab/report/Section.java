package dev.forebay.benchmarks.lab.report;

import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * What the page's template is told of a scenario or an experiment.
 *
 * @param how what is done, a sentence; empty when the template knows it
 * @param load how log calls are made; empty when none are
 * @param keys heads of the names of the runs
 */
record Section(
    String id, String how, String load, List<String> keys, List<Run> runs, List<Chart> charts) {

  /**
   * One repetition.
   *
   * @param names those with the same are repetitions of one another
   */
  record Run(
      List<String> names, boolean ours, @Nullable String voidBecause, Map<?, Double> values) {}

  /**
   * Lines of nanoseconds over steps of time, 0 where there is no point, or over percentiles.
   *
   * @param step seconds, or how many nines
   * @param shaded from which to which second something was wrong; empty: nothing was
   */
  record Chart(boolean ofPercentiles, double step, List<Line> lines, List<Double> shaded) {}

  /** A line without a point is left out. */
  record Line(String name, boolean isVoid, List<Long> y) {}
}
