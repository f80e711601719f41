package dev.forebay.benchmarks;

import static dev.forebay.benchmarks.ResultTable.fixed;
import static dev.forebay.benchmarks.ResultTable.more;
import static dev.forebay.benchmarks.ResultTable.whole;

import java.util.Locale;
import java.util.function.ToDoubleFunction;
import org.openjdk.jmh.results.IterationResult;
import org.openjdk.jmh.results.Result;
import org.openjdk.jmh.results.RunResult;
import org.openjdk.jmh.util.ListStatistics;

/**
 * What an appender adds to the floor: medians over the iterations of all forks. The share is the
 * median of the differences, each within one iteration; minimum and maximum are theirs.
 */
final class ShareRow {

  static final String HEADER =
      """
      | benchmark | appender | delegate | floor ns | appender ns | share ns | min | max \
      | rested floor ns | rested appender ns | rested share ns | floor B | appender B \
      | offered | delivered | dropped | unaccounted |
      |---|---|---|--:|--:|--:|--:|--:|--:|--:|--:|--:|--:|--:|--:|--:|--:|
      """;

  private ShareRow() {}

  static boolean fits(RunResult result) {
    return ResultTable.has(result, "floorNs");
  }

  static String of(RunResult result) {
    ListStatistics share = over(result, i -> of(i, "appenderNs") - of(i, "floorNs"));
    ListStatistics rested = over(result, i -> of(i, "restedAppenderNs") - of(i, "restedFloorNs"));
    return String.format(
        Locale.ROOT,
        "| %s | %s | %s | %s | %s | %s | %s | %s | %s | %s | %s | %s | %s | %s | %s | %s | %s |%n",
        ResultTable.shortName(result),
        result.getParams().getParam("appender"),
        result.getParams().getParam("delegate"),
        median(result, "floorNs"),
        median(result, "appenderNs"),
        fixed(share.getPercentile(50), 1),
        fixed(share.getMin(), 1),
        fixed(share.getMax(), 1),
        median(result, "restedFloorNs"),
        median(result, "restedAppenderNs"),
        fixed(rested.getPercentile(50), 1),
        median(result, "floorBytes"),
        median(result, "appenderBytes"),
        whole(more(result, "offered")),
        whole(more(result, "delivered")),
        whole(more(result, "dropped")),
        whole(more(result, "unaccounted")));
  }

  private static String median(RunResult result, String name) {
    return fixed(over(result, iteration -> of(iteration, name)).getPercentile(50), 1);
  }

  private static ListStatistics over(RunResult result, ToDoubleFunction<IterationResult> figure) {
    return new ListStatistics(
        result.getBenchmarkResults().stream()
            .flatMap(fork -> fork.getIterationResults().stream())
            .mapToDouble(figure)
            .toArray());
  }

  /** A figure that the threads added up. */
  private static double of(IterationResult iteration, String name) {
    return score(iteration, name) / score(iteration, "callers");
  }

  private static double score(IterationResult iteration, String name) {
    Result<?> result = iteration.getSecondaryResults().get(name);
    return result == null ? Double.NaN : result.getScore();
  }
}
