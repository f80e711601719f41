package dev.forebay.benchmarks;

import static dev.forebay.benchmarks.ResultTable.fixed;
import static dev.forebay.benchmarks.ResultTable.more;
import static dev.forebay.benchmarks.ResultTable.whole;

import java.util.Locale;
import java.util.stream.Collectors;
import org.openjdk.jmh.results.RunResult;

/**
 * What a stage of the pipeline costs the thread it runs on. Records a second are those that one
 * core does, from CPU time; bytes a second are from the clock, waits for the disk included.
 */
final class StageRow {

  static final String HEADER =
      """
      | benchmark | parameters | CPU ns/record | M records/s, one core | GB/s | s/GB | ns/record | B/record \
      | records | refused |
      |---|---|--:|--:|--:|--:|--:|--:|--:|--:|
      """;

  private static final double M_PER_NS = 1e3;

  private StageRow() {}

  static boolean fits(RunResult result) {
    return ResultTable.has(result, "records");
  }

  static String of(RunResult result) {
    double records = more(result, "records");
    double cpuNs = more(result, "cpuNs");
    double bytes = more(result, "bytes");
    return String.format(
        Locale.ROOT,
        "| %s | %s | %s | %s | %s | %s | %s | %s | %s | %s |%n",
        ResultTable.shortName(result),
        parameters(result),
        fixed(cpuNs / records, 1),
        fixed(M_PER_NS * records / cpuNs, 2),
        bytes > 0 ? fixed(bytes / more(result, "wallNs"), 2) : ResultTable.NONE,
        bytes > 0 ? fixed(more(result, "wallNs") / bytes, 2) : ResultTable.NONE,
        fixed(more(result, "wallNs") / records, 1),
        fixed(more(result, "allocatedBytes") / records, 1),
        whole(records),
        whole(more(result, "refused")));
  }

  private static String parameters(RunResult result) {
    return result.getParams().getParamsKeys().stream()
        .map(key -> key + " " + result.getParams().getParam(key))
        .collect(Collectors.joining(", "));
  }
}
