package dev.forebay.benchmarks.lab.report;

import dev.forebay.benchmarks.lab.Scenario;
import dev.forebay.benchmarks.lab.Scenario.Fault;
import dev.forebay.benchmarks.lab.Scenario.Load;
import java.util.List;

/** Plots and tables of one scenario. */
final class ScenarioSection {

  private ScenarioSection() {}

  static void write(Markup page, Summary summary, Scenario scenario) {
    List<PeerRuns> peers = summary.in(scenario);
    String title = ScenarioText.title(scenario);
    page.element("h2", title, "id", scenario.id());
    page.element("p", ScenarioText.load(scenario), "class", "load");
    page.element("p", ScenarioText.reading(scenario), "class", "how");
    if (scenario.load() == Load.UNPACED_KEEPING) {
      throughput(page, title, peers);
    }
    if (scenario.load() == Load.UNPACED) {
      overload(page, title, peers);
    }
    if (scenario.fault() != Fault.NONE) {
      timeline(page, title, peers);
    }
    if (peers.stream().anyMatch(runs -> runs.calls().getTotalCount() > 0)) {
      page.element("h3", "Time of a log call");
      PercentilePlot.write(page, title, peers);
      PeerTable.write(page, "Time of a log call", peers, Columns.latency());
    }
    PeerTable.write(page, "Processor", peers, Columns.processor(summary, scenario));
    PeerTable.write(page, "Memory", peers, Columns.memory());
    PeerTable.write(page, "Account, all runs together", peers, Columns.account());
  }

  private static void throughput(Markup page, String title, List<PeerRuns> peers) {
    page.element("h3", "Events a second");
    page.element(
        "p",
        "From the first log call until the appender is stopped and its files are forced to the disk. The whisker goes from"
            + " the least to the greatest repetition; a hatched bar is void.",
        "class",
        "how");
    ThroughputPlot.write(page, title, peers);
  }

  private static void overload(Markup page, String title, List<PeerRuns> peers) {
    page.element("h3", "What became of the events");
    page.element(
        "p",
        "An appender that blocks its callers loses nothing and is offered less. Events that are"
            + " neither in the log nor in what the appender says it dropped are unaccounted: they"
            + " make a run void.",
        "class",
        "how");
    OverloadPlot.write(page, title, peers);
  }

  private static void timeline(Markup page, String title, List<PeerRuns> peers) {
    page.element("h3", "The longest call of each 100 ms");
    page.element(
        "p",
        "Of each appender the repetition whose longest call is the middle one. A call is drawn when"
            + " it returns; where a line is pale no call returned: all threads waited.",
        "class",
        "how");
    TimelinePlot.write(page, title, peers);
  }
}
