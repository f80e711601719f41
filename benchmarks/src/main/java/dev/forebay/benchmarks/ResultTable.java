package dev.forebay.benchmarks;

import java.util.Collection;
import java.util.Locale;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.results.RunResult;

/**
 * The results as a Markdown table: what a call cost, beside what became of the events. Minimum and
 * maximum are those of the iterations, or of the calls where single calls are timed.
 */
final class ResultTable {

  private static final String HEADER =
      """
      | benchmark | appender | delegate | ns/call | min | max | p50 | p99 | p99.9 | CPU ns/call | B/call \
      | offered | delivered | dropped | unaccounted |
      |---|---|---|--:|--:|--:|--:|--:|--:|--:|--:|--:|--:|--:|--:|
      """;

  private static final String NONE = "–";

  private ResultTable() {}

  static String of(Collection<RunResult> results) {
    StringBuilder table = new StringBuilder(HEADER);
    results.forEach(result -> table.append(row(result)));
    return table.toString();
  }

  private static String row(RunResult result) {
    AppenderKind appender = AppenderKind.valueOf(result.getParams().getParam("appender"));
    return "| %s | %s | %s | %.0f | %.0f | %.0f | %s | %s | %s | %.0f | %s | %.0f | %s | %s | %s |%n"
        .formatted(
            shortName(result.getParams().getBenchmark()),
            appender,
            result.getParams().getParam("delegate"),
            result.getPrimaryResult().getScore(),
            result.getPrimaryResult().getStatistics().getMin(),
            result.getPrimaryResult().getStatistics().getMax(),
            percentile(result, 50),
            percentile(result, 99),
            percentile(result, 99.9),
            more(result, "callerCpuNs") / more(result, "offered"),
            whole(more(result, "gc.alloc.rate.norm")),
            more(result, "offered"),
            appender.delivers() ? whole(more(result, "delivered")) : NONE,
            appender.delivers() ? whole(more(result, "dropped")) : NONE,
            appender.delivers() ? whole(more(result, "unaccounted")) : NONE);
  }

  /** Class and method. */
  private static String shortName(String benchmark) {
    return benchmark.substring(benchmark.lastIndexOf('.', benchmark.lastIndexOf('.') - 1) + 1);
  }

  /** Not a number when the run has no such result: bytes are known to JMH's gc profiler only. */
  private static double more(RunResult result, String name) {
    return result.getSecondaryResults().containsKey(name)
        ? result.getSecondaryResults().get(name).getScore()
        : Double.NaN;
  }

  /** Percentiles of single calls; the average of a batch has none that mean anything. */
  private static String percentile(RunResult result, double percent) {
    return whole(
        result.getParams().getMode() == Mode.SampleTime
            ? result.getPrimaryResult().getStatistics().getPercentile(percent)
            : Double.NaN);
  }

  private static String whole(double value) {
    return Double.isNaN(value) ? NONE : String.format(Locale.ROOT, "%.0f", value);
  }
}
