package dev.forebay.benchmarks;

import java.util.Collection;
import java.util.Locale;
import java.util.function.Function;
import java.util.function.Predicate;
import org.openjdk.jmh.results.Result;
import org.openjdk.jmh.results.RunResult;

/**
 * The results as Markdown tables, one for each kind of benchmark that was run: what a call cost,
 * beside what became of the events; an appender's share of a call; what a stage costs its thread.
 */
final class ResultTable {

  /** How a figure that a run does not have is written. */
  static final String NONE = "–";

  private ResultTable() {}

  static String of(Collection<RunResult> results) {
    return section(results, CallRow.HEADER, CallRow::fits, CallRow::of)
        + section(results, ShareRow.HEADER, ShareRow::fits, ShareRow::of)
        + section(results, StageRow.HEADER, StageRow::fits, StageRow::of);
  }

  private static String section(
      Collection<RunResult> results,
      String header,
      Predicate<RunResult> fits,
      Function<RunResult, String> row) {
    StringBuilder table = new StringBuilder();
    results.stream().filter(fits).forEach(result -> table.append(row.apply(result)));
    return table.isEmpty() ? "" : header + table + System.lineSeparator();
  }

  /** Class and method. */
  static String shortName(RunResult result) {
    String benchmark = result.getParams().getBenchmark();
    return benchmark.substring(benchmark.lastIndexOf('.', benchmark.lastIndexOf('.') - 1) + 1);
  }

  static boolean has(RunResult result, String name) {
    return result.getSecondaryResults().containsKey(name);
  }

  /** Not a number when the run has no such result: bytes are known to JMH's gc profiler only. */
  static double more(RunResult result, String name) {
    Result<?> more = result.getSecondaryResults().get(name);
    return more == null ? Double.NaN : more.getScore();
  }

  static String whole(double value) {
    return fixed(value, 0);
  }

  static String fixed(double value, int digits) {
    return Double.isNaN(value) ? NONE : String.format(Locale.ROOT, "%." + digits + "f", value);
  }
}
