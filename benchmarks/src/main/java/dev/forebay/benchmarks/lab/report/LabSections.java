package dev.forebay.benchmarks.lab.report;

import dev.forebay.benchmarks.lab.Figure;
import dev.forebay.benchmarks.lab.Measurement;
import dev.forebay.benchmarks.lab.Peer;
import dev.forebay.benchmarks.lab.Scenario;
import dev.forebay.benchmarks.lab.Scenario.Fault;
import dev.forebay.benchmarks.lab.Scenario.Load;
import dev.forebay.benchmarks.lab.report.Budget.Verdict;
import dev.forebay.benchmarks.lab.report.Chart.Bar;
import dev.forebay.benchmarks.lab.report.Chart.Kind;
import dev.forebay.benchmarks.lab.report.Chart.Line;
import dev.forebay.benchmarks.lab.report.Chart.Part;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.function.Function;
import java.util.stream.IntStream;
import org.HdrHistogram.Histogram;
import org.jspecify.annotations.Nullable;

/** What the page shows of the lab: what its verdict is about, the budgets, the other scenarios. */
final class LabSections {

  private static final List<Peer> SHOWN_FIRST =
      List.of(Peer.FOREBAY, Peer.ASYNC, Peer.FILE, Peer.LOG4J2);

  /** Points of a line by percentile. */
  private static final int STEPS_PER_NINE = 20;

  private LabSections() {}

  static List<Section> of(Summary summary) {
    List<Section> sections = new ArrayList<>();
    for (Scenario scenario : summary.scenarios()) {
      sections.add(scenario == Opening.SCENARIO ? 0 : sections.size(), scenario(summary, scenario));
    }
    sections.add(summary.scenarios().contains(Opening.SCENARIO) ? 1 : 0, budgets(summary));
    return sections;
  }

  /** What is missed comes first. */
  private static Section budgets(Summary summary) {
    List<List<String>> rows =
        Budgets.ALL.stream()
            .sorted(Comparator.comparing(budget -> budget.verdict(summary) != Verdict.MISSED))
            .map(budget -> row(budget, summary))
            .toList();
    return new Section(
        "budgets",
        "Budgets",
        List.of(
            "What TieredAppender has to reach, fixed before it was measured. Its median is judged."
                + " Beside it stands the best other appender, whatever that one does not promise."),
        List.of(),
        List.of(
            new Table(
                "",
                List.of("budget", "limit", "measured", "verdict", "best other", "which", "source"),
                rows)),
        false);
  }

  private static List<String> row(Budget budget, Summary summary) {
    Optional<Rival> rival = Rival.of(budget, summary);
    return List.of(
        budget.what(),
        budget.limitText(),
        budget.unit().spread(budget.value(summary)),
        verdict(budget, summary, rival),
        rival.map(of -> budget.unit().format(of.value())).orElse(Unit.NOTHING),
        rival.map(Rival::name).orElse(Unit.NOTHING),
        budget.source());
  }

  private static String verdict(Budget budget, Summary summary, Optional<Rival> rival) {
    Verdict verdict = budget.verdict(summary);
    boolean isAhead =
        verdict == Verdict.MISSED
            && rival.isPresent()
            && budget.isBetter(budget.value(summary).orElseThrow().median(), rival.get().value());
    return verdict.text() + (isAhead ? ", ahead of all others" : "");
  }

  private static Section scenario(Summary summary, Scenario scenario) {
    List<PeerRuns> peers = summary.in(scenario);
    List<Chart> charts = new ArrayList<>();
    if (scenario.load() == Load.UNPACED_KEEPING) {
      charts.add(throughput(peers));
    }
    if (scenario.load() == Load.UNPACED || scenario.load() == Load.UNPACED_NUMBER) {
      charts.add(fates(peers));
    }
    if (scenario.fault() != Fault.NONE) {
      charts.add(timeline(scenario, peers));
    }
    if (scenario.fault() == Fault.LONG_FREEZE) {
      charts.add(held(peers));
    }
    charts.add(percentiles(scenario, peers));
    return new Section(
        scenario.id(),
        ScenarioText.title(scenario),
        List.of(ScenarioText.load(scenario), ScenarioText.reading(scenario)),
        charts.stream()
            .filter(chart -> !chart.lines().isEmpty() || !chart.bars().isEmpty())
            .toList(),
        List.of(
            Columns.table("Log calls", peers, Columns.CALLS),
            Columns.table("Cost and account", peers, Columns.COST)),
        false);
  }

  /** The ones that readers know best. */
  private static List<Peer> shown(Scenario scenario, List<PeerRuns> peers) {
    List<Peer> first = new ArrayList<>(SHOWN_FIRST);
    if (scenario.load() == Load.SINGLE) {
      first.add(0, Peer.NONE);
    }
    peers.forEach(runs -> first.add(runs.peer()));
    return first.stream()
        .filter(peer -> peers.stream().anyMatch(runs -> runs.peer() == peer))
        .distinct()
        .limit(SHOWN_FIRST.size())
        .toList();
  }

  private static List<Line> lines(
      Scenario scenario, List<PeerRuns> peers, Function<PeerRuns, List<@Nullable Double>> points) {
    List<Peer> shown = shown(scenario, peers);
    return peers.stream()
        .map(
            runs ->
                new Line(
                    Columns.name(runs.peer()),
                    shown.contains(runs.peer()),
                    runs.isVoid(),
                    points.apply(runs)))
        .toList();
  }

  private static Chart timeline(Scenario scenario, List<PeerRuns> all) {
    List<PeerRuns> peers =
        all.stream().filter(runs -> !runs.middle().longestNs().isEmpty()).toList();
    List<Measurement> runs = peers.stream().map(PeerRuns::middle).toList();
    int steps = runs.stream().mapToInt(run -> run.longestNs().size()).max().orElse(0);
    return new Chart(
        Kind.TIMELINE,
        "The longest log call of each 100 ms, over seconds",
        "Of each appender the repetition whose longest call is the middle one. A call is drawn when"
            + " it returns: a gap means that all threads waited. Shaded: "
            + ScenarioText.shortFault(scenario)
            + ".",
        IntStream.range(0, steps)
            .mapToObj(step -> (step + 0.5) * Measurement.STEP_MS / 1000)
            .toList(),
        lines(scenario, peers, peer -> longest(peer.middle().longestNs(), steps)),
        List.of(),
        fault(runs));
  }

  private static List<@Nullable Double> longest(List<Long> ns, int steps) {
    List<@Nullable Double> points = new ArrayList<>();
    for (int step = 0; step < steps; step++) {
      points.add(step < ns.size() && ns.get(step) > 0 ? Double.valueOf(ns.get(step)) : null);
    }
    return points;
  }

  /** Each run has its own fault; the middle one stands for them. */
  private static List<Double> fault(List<Measurement> runs) {
    List<Measurement> faulty = runs.stream().filter(run -> run.faultFromMs() >= 0).toList();
    Optional<Spread> from = Spread.of(faulty.stream().mapToDouble(Measurement::faultFromMs));
    Optional<Spread> to = Spread.of(faulty.stream().mapToDouble(Measurement::faultToMs));
    return from.isEmpty() || to.isEmpty()
        ? List.of()
        : List.of(from.get().median() / 1000, to.get().median() / 1000);
  }

  private static Chart percentiles(Scenario scenario, List<PeerRuns> all) {
    List<PeerRuns> peers = all.stream().filter(runs -> runs.calls().getTotalCount() > 0).toList();
    long most = peers.stream().mapToLong(runs -> runs.calls().getTotalCount()).max().orElse(1);
    int steps = (int) Math.ceil(STEPS_PER_NINE * Math.log10((double) most));
    return new Chart(
        Kind.PERCENTILES,
        "Time of a log call by percentile",
        "All repetitions together; a line ends where only the longest call is left.",
        IntStream.rangeClosed(0, steps).mapToObj(step -> (double) step / STEPS_PER_NINE).toList(),
        lines(scenario, peers, runs -> byPercentile(runs.calls(), steps)),
        List.of(),
        List.of());
  }

  private static List<@Nullable Double> byPercentile(Histogram calls, int steps) {
    List<@Nullable Double> points = new ArrayList<>();
    boolean isOver = false;
    for (int step = 0; step <= steps; step++) {
      double above = Math.pow(10, (double) -step / STEPS_PER_NINE);
      points.add(isOver ? null : (double) calls.getValueAtPercentile(100 * (1 - above)));
      isOver |= above * calls.getTotalCount() < 1;
    }
    return points;
  }

  private static Chart bars(String title, String how, List<Bar> bars) {
    return new Chart(Kind.BARS, title, how, List.of(), List.of(), bars, List.of());
  }

  private static Chart throughput(List<PeerRuns> peers) {
    List<Bar> bars = new ArrayList<>();
    for (PeerRuns runs : peers) {
      runs.shownSpread(Measures::eventsPerSecond)
          .ifPresent(
              rate ->
                  bars.add(
                      new Bar(
                          Columns.name(runs.peer()),
                          runs.isVoid(),
                          List.of(new Part("events/s", rate.median())),
                          (runs.isVoid() ? "void: " : "")
                              + Unit.EVENTS_PER_SECOND.spread(Optional.of(rate)))));
    }
    return bars(
        "Events a second",
        "From the first log call until the appender is stopped and its files are forced to the disk.",
        bars);
  }

  private static Chart fates(List<PeerRuns> peers) {
    List<Bar> bars = new ArrayList<>();
    for (PeerRuns runs : peers) {
      double offered = runs.sum(Figure.OFFERED).orElse(0);
      if (runs.peer().lines() != Peer.Lines.NONE && offered > 0) {
        double delivered = Math.min(offered, runs.sum(Figure.LINES).orElse(0));
        double told = Math.min(offered, delivered + runs.sum(Figure.DROPPED).orElse(0));
        bars.add(
            new Bar(
                Columns.name(runs.peer()),
                runs.isVoid(),
                List.of(
                    new Part("delivered", delivered),
                    new Part("dropped and counted", told - delivered),
                    new Part("unaccounted", offered - told)),
                "%s offered, lost %s"
                    .formatted(Unit.large(offered), Losses.brief(runs).orElse("none"))));
      }
    }
    return bars(
        "What became of the events",
        "An appender that blocks its callers loses nothing and is offered less. Events that are"
            + " neither in the log nor in what the appender says it dropped make a run void.",
        bars);
  }

  private static Chart held(List<PeerRuns> peers) {
    List<Bar> bars = new ArrayList<>();
    for (PeerRuns runs : peers) {
      Optional<Spread> heap = runs.shownSpread(Measures.figure(Figure.HELD_HEAP_BYTES));
      Optional<Spread> spool = runs.shownSpread(Measures.figure(Figure.HELD_SPOOL_BYTES));
      if (heap.isPresent()) {
        double onTmpfs = spool.map(Spread::median).orElse(0.0);
        bars.add(
            new Bar(
                Columns.name(runs.peer()),
                runs.isVoid(),
                List.of(
                    new Part("heap: lost if the process is killed", heap.get().median()),
                    new Part("tmpfs: stays if the process is killed", onTmpfs)),
                "heap %s, tmpfs %s"
                    .formatted(
                        Unit.MEGABYTES.format(heap.get().median()),
                        Unit.MEGABYTES.format(onTmpfs))));
      }
    }
    return bars("Memory held at the end, with the disk still frozen", "", bars);
  }
}
