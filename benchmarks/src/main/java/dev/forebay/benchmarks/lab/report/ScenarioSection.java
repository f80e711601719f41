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
    page.element("h2", ScenarioText.title(scenario), "id", scenario.id());
    page.element("p", ScenarioText.load(scenario), "class", "load");
    if (scenario.load() == Load.UNPACED_KEEPING) {
      throughput(page, peers);
    }
    if (scenario.load() == Load.UNPACED || scenario.load() == Load.UNPACED_NUMBER) {
      overload(page, peers);
    }
    if (scenario == Opening.SCENARIO) {
      page.open("p", "class", "how");
      page.element("a", "Chart of the longest calls, at the top", "href", "#top").close();
    } else if (scenario.fault() != Fault.NONE) {
      page.element("h3", "The longest call of each 100 ms");
      timeline(page, scenario, peers);
    }
    if (scenario.fault() == Fault.LONG_FREEZE) {
      held(page, peers);
    }
    if (peers.stream().anyMatch(runs -> runs.calls().getTotalCount() > 0)) {
      page.element("h3", "Time of a log call");
      PercentilePlot.write(page, scenario, peers);
      fold(page, "How these times are taken");
      page.element("p", ScenarioText.reading(scenario), "class", "how").close();
      PeerTable.write(page, "Time of a log call", peers, Columns.latency());
    }
    Losses.writeNote(page, peers);
    if (scenario.load() == Load.NONE) {
      tables(page, summary, scenario);
    } else {
      fold(page, "Processor, memory, account");
      tables(page, summary, scenario);
      page.close();
    }
  }

  private static void tables(Markup page, Summary summary, Scenario scenario) {
    List<PeerRuns> peers = summary.in(scenario);
    PeerTable.write(page, "Processor", peers, Columns.processor(summary, scenario));
    PeerTable.write(page, "Memory", peers, Columns.memory());
    PeerTable.write(page, "Account, all runs together", peers, Columns.account());
  }

  private static void fold(Markup page, String what) {
    page.open("details").element("summary", what);
  }

  private static void throughput(Markup page, List<PeerRuns> peers) {
    page.element("h3", "Events a second");
    page.element(
        "p",
        "From the first log call until the appender is stopped and its files are forced to the disk."
            + " The whisker goes from the least to the greatest repetition; a hatched bar is void.",
        "class",
        "how");
    ThroughputPlot.write(page, peers);
  }

  private static void overload(Markup page, List<PeerRuns> peers) {
    page.element("h3", "What became of the events");
    page.element(
        "p",
        "An appender that blocks its callers loses nothing and is offered less. Events that are"
            + " neither in the log nor in what the appender says it dropped are unaccounted: they"
            + " make a run void.",
        "class",
        "how");
    OverloadPlot.write(page, peers);
  }

  private static void held(Markup page, List<PeerRuns> peers) {
    page.element("h3", "Memory held");
    page.element(
        "p",
        "At the end of the measured time, with the disk still frozen: heap in use after a collection"
            + " without what was in use before the load, and the files of the spool.",
        "class",
        "how");
    HeldPlot.write(page, peers);
  }

  /** The longest calls over time. */
  static void timeline(Markup page, Scenario scenario, List<PeerRuns> peers) {
    TimelinePlot.write(page, scenario, peers);
    page.element(
        "p",
        "Of each appender the repetition whose longest call is the middle one. A call is drawn when"
            + " it returns; where a line is pale no call returned: all threads waited.",
        "class",
        "how");
  }
}
