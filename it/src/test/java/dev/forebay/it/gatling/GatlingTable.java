package dev.forebay.it.gatling;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.function.ToDoubleFunction;

/** The runs of a comparison as a table in Markdown: medians of the repetitions, and the span. */
final class GatlingTable {

  private static final List<String> HEADS =
      List.of(
          "application",
          "disk in the window",
          "appender",
          "requests",
          "OK %",
          "requests/s in the window",
          "p50 ms",
          "p99 ms",
          "p99.9 ms",
          "longest ms",
          "events offered",
          "lines",
          "lost");

  private static final int WORDS = 3;

  private GatlingTable() {}

  /** One row for each kind of run, in the order of their first. */
  static List<String> of(List<GatlingResult> results) {
    Map<GatlingRun, List<GatlingOutcome>> kinds = new LinkedHashMap<>();
    for (GatlingResult result : results) {
      List<GatlingOutcome> outcomes =
          kinds.computeIfAbsent(result.run(), kind -> new ArrayList<>());
      if (result.outcome() != null) {
        outcomes.add(result.outcome());
      }
    }
    List<String> lines = new ArrayList<>();
    lines.add("| " + String.join(" | ", HEADS) + " |");
    lines.add("|" + "---|".repeat(WORDS) + "--:|".repeat(HEADS.size() - WORDS));
    kinds.forEach((run, outcomes) -> lines.add(row(run, outcomes)));
    return lines;
  }

  private static String row(GatlingRun run, List<GatlingOutcome> outcomes) {
    List<String> cells =
        List.of(
            run.app().toString(),
            run.condition().toString(),
            run.appender().toString(),
            spread(outcomes, "%.0f", outcome -> outcome.all().requests()),
            spread(outcomes, "%.2f", GatlingOutcome::okPercent),
            spread(outcomes, "%.0f", GatlingOutcome::requestsPerSecond),
            spread(outcomes, "%.0f", outcome -> outcome.inWindow().p50Ms()),
            spread(outcomes, "%.0f", outcome -> outcome.inWindow().p99Ms()),
            spread(outcomes, "%.0f", outcome -> outcome.inWindow().p999Ms()),
            spread(outcomes, "%.0f", outcome -> outcome.inWindow().maxMs()),
            spread(outcomes, "%.0f", outcome -> outcome.end().counted()),
            spread(outcomes, "%.0f", outcome -> outcome.log().count()),
            spread(outcomes, "%.0f", GatlingOutcome::lost));
    return "| " + String.join(" | ", cells) + " |";
  }

  /** The median, and the least and the greatest where they differ. */
  private static String spread(
      List<GatlingOutcome> outcomes, String format, ToDoubleFunction<GatlingOutcome> number) {
    if (outcomes.isEmpty()) {
      return "failed";
    }
    double[] sorted = outcomes.stream().mapToDouble(number).sorted().toArray();
    String least = String.format(Locale.ROOT, format, sorted[0]);
    String greatest = String.format(Locale.ROOT, format, sorted[sorted.length - 1]);
    return least.equals(greatest)
        ? least
        : String.format(Locale.ROOT, format, median(sorted)) + " (" + least + "–" + greatest + ")";
  }

  private static double median(double... sorted) {
    return sorted[(sorted.length - 1) / 2];
  }

  /** The median of what has an outcome. */
  static double median(
      List<GatlingResult> results, GatlingRun run, ToDoubleFunction<GatlingOutcome> number) {
    double[] sorted =
        results.stream()
            .filter(result -> result.run().equals(run))
            .map(GatlingResult::outcome)
            .filter(Objects::nonNull)
            .mapToDouble(number)
            .sorted()
            .toArray();
    return sorted.length == 0 ? Double.NaN : median(sorted);
  }
}
