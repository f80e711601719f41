package dev.forebay.it.demo;

import dev.forebay.it.demo.app.Figures;
import dev.forebay.it.demo.app.Latency;
import dev.forebay.it.demo.app.Phase;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import java.util.function.ToLongFunction;

/** The table at the end: both applications side by side, three phases each. */
final class Report {

  private static final List<Phase> PHASES = List.of(Phase.BEFORE, Phase.DURING, Phase.AFTER);

  private static final String NOT_COUNTED = "not counted";

  private final Side forebay;
  private final Side async;
  private final Table table = new Table();

  Report(Side forebay, Side async) {
    this.forebay = forebay;
    this.async = async;
  }

  /** The whole report. */
  List<String> lines() {
    table.add("", "", forebay.title(), "", "", async.title());
    perPhase("", Phase::title);
    table.addRule();
    latencies("log call", Side::calls);
    table.addRule();
    latencies("HTTP request", Side::http);
    whole("  failed", side -> Long.toString(side.failedRequests()));
    table.addRule();
    events();
    List<String> lines = new ArrayList<>(table.lines());
    lines.add("");
    lines.addAll(verdict(forebay));
    lines.addAll(verdict(async));
    return lines;
  }

  private void events() {
    whole("events offered", side -> Long.toString(side.account().offered()));
    whole("  delivered", side -> told(side, Figures.DELIVERED, NOT_COUNTED));
    whole("  dropped", side -> told(side, Figures.DROPPED, NOT_COUNTED));
    forebay
        .account()
        .dropped()
        .forEach(
            (reason, byLevel) ->
                table.add("    " + reason, "", "", Long.toString(Account.sum(byLevel))));
    whole("  in flight", side -> told(side, Figures.IN_FLIGHT, NOT_COUNTED));
    whole("  missing", side -> Long.toString(side.account().missing()));
    whole("bytes in the spool", side -> told(side, Figures.SPOOL_BYTES, "-"));
    whole("lines in the files", side -> Long.toString(side.account().files().lines()));
    whole("  files", side -> Integer.toString(side.account().files().files()));
    whole("  not valid JSON", side -> Long.toString(side.account().files().invalid()));
    whole("sums agree", side -> side.account().disagreements().isEmpty() ? "yes" : "NO");
  }

  private static String told(Side side, String figure, String otherwise) {
    Map<String, Long> values = side.account().figures().values();
    return values.containsKey(figure) ? Long.toString(values.get(figure)) : otherwise;
  }

  private void latencies(String title, Function<Side, Map<Phase, Latency>> kind) {
    perSideAndPhase(title, kind, latency -> Long.toString(latency.count()));
    duration("  p50", kind, Latency::p50Ns);
    duration("  p99", kind, Latency::p99Ns);
    duration("  p99.9", kind, Latency::p999Ns);
    duration("  max", kind, Latency::maxNs);
  }

  private void duration(
      String title, Function<Side, Map<Phase, Latency>> kind, ToLongFunction<Latency> value) {
    perSideAndPhase(
        title,
        kind,
        latency -> latency.count() == 0 ? "-" : Text.duration(value.applyAsLong(latency)));
  }

  private void perSideAndPhase(
      String title, Function<Side, Map<Phase, Latency>> kind, Function<Latency, String> cell) {
    List<String> cells = new ArrayList<>(List.of(title));
    for (Side side : List.of(forebay, async)) {
      for (Phase phase : PHASES) {
        cells.add(cell.apply(kind.apply(side).getOrDefault(phase, Latency.NONE)));
      }
    }
    table.add(cells.toArray(String[]::new));
  }

  private void perPhase(String title, Function<Phase, String> cell) {
    List<String> cells = new ArrayList<>(List.of(title));
    for (int side = 0; side < 2; side++) {
      PHASES.forEach(phase -> cells.add(cell.apply(phase)));
    }
    table.add(cells.toArray(String[]::new));
  }

  /** A row with one value for the whole run of each application. */
  private void whole(String title, Function<Side, String> cell) {
    table.add(title, "", "", cell.apply(forebay), "", "", cell.apply(async));
  }

  private static List<String> verdict(Side side) {
    Account account = side.account();
    List<String> lines = new ArrayList<>();
    lines.add(side.title() + ": " + sum(account));
    account.dropped().forEach((reason, byLevel) -> lines.add("  " + reason + ": " + byLevel));
    for (String disagreement : account.disagreements()) {
      lines.add("  does not agree: " + disagreement);
    }
    if (!side.appenderError().isEmpty()) {
      lines.add("  newest failure it reported: " + side.appenderError());
    }
    return lines;
  }

  private static String sum(Account account) {
    Figures figures = account.figures();
    if (account.isKept()) {
      return String.format(
          "%d offered (%d counted before it + %d reports of its own)"
              + " = %d delivered + %d dropped + %d in flight; %d lines.",
          account.offered(),
          figures.get(Figures.COUNTED),
          figures.get(Figures.REPORTS),
          figures.get(Figures.DELIVERED),
          figures.get(Figures.DROPPED),
          figures.get(Figures.IN_FLIGHT),
          account.files().lines());
    }
    return String.format(
        "%d offered, %d lines; %d missing, which it does not count.",
        account.offered(), account.files().lines(), account.missing());
  }
}
