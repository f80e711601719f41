package dev.forebay.benchmarks.lab.report;

import dev.forebay.benchmarks.lab.Peer;
import dev.forebay.benchmarks.lab.Scenario;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** How many events the flusher of {@link Peer#FOREBAY} took at a time. */
final class BatchSection {

  private static final List<Scenario> WHERE =
      List.of(Scenario.STEADY, Scenario.BUSY, Scenario.BURST, Scenario.OVERLOAD);

  private BatchSection() {}

  /** Whether there is something to show. */
  static boolean isFilled(Summary summary) {
    return !runs(summary).isEmpty();
  }

  static void write(Markup page, Summary summary) {
    page.element("h2", "Batches of the flusher", "id", "batches");
    page.element(
        "p",
        "How many events the background thread of TieredAppender took in one turn, in classes that"
            + " double. The left bar of a class is its share of the turns, the right and paler one"
            + " its share of the events, estimated with the middle of the class.",
        "class",
        "how");
    page.open("div", "class", "pair");
    runs(summary)
        .forEach((scenario, runs) -> BatchPlot.write(page, ScenarioText.title(scenario), runs));
    page.close();
  }

  private static Map<Scenario, PeerRuns> runs(Summary summary) {
    Map<Scenario, PeerRuns> filled = new LinkedHashMap<>();
    for (Scenario scenario : WHERE) {
      summary
          .find(scenario, Peer.FOREBAY)
          .filter(runs -> Arrays.stream(BatchPlot.turns(runs)).sum() > 0)
          .ifPresent(runs -> filled.put(scenario, runs));
    }
    return filled;
  }
}
