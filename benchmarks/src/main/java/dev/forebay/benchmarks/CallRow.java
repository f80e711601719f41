package dev.forebay.benchmarks;

import static dev.forebay.benchmarks.ResultTable.NONE;
import static dev.forebay.benchmarks.ResultTable.more;
import static dev.forebay.benchmarks.ResultTable.whole;

import java.util.Locale;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.results.RunResult;

/**
 * A benchmark of the log call: its cost beside what became of the events. Minimum and maximum are
 * those of the iterations, or of the calls where single calls are timed.
 */
final class CallRow {

  static final String HEADER =
      """
      | benchmark | appender | delegate | ns/call | min | max | p50 | p99 | p99.9 | CPU ns/call | B/call \
      | offered | delivered | dropped | unaccounted |
      |---|---|---|--:|--:|--:|--:|--:|--:|--:|--:|--:|--:|--:|--:|
      """;

  private CallRow() {}

  static boolean fits(RunResult result) {
    return ResultTable.has(result, "callerCpuNs");
  }

  static String of(RunResult result) {
    AppenderKind appender = AppenderKind.valueOf(result.getParams().getParam("appender"));
    return String.format(
        Locale.ROOT,
        "| %s | %s | %s | %.0f | %.0f | %.0f | %s | %s | %s | %.0f | %s | %.0f | %s | %s | %s |%n",
        ResultTable.shortName(result),
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

  /** Percentiles of single calls; the average of a batch has none that mean anything. */
  private static String percentile(RunResult result, double percent) {
    return whole(
        result.getParams().getMode() == Mode.SampleTime
            ? result.getPrimaryResult().getStatistics().getPercentile(percent)
            : Double.NaN);
  }
}
