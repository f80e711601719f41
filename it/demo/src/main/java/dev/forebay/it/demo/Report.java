package dev.forebay.it.demo;

import dev.forebay.it.demo.app.Figures;
import dev.forebay.it.demo.app.Latency;
import dev.forebay.it.demo.app.Longest;
import dev.forebay.it.demo.app.Phase;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.function.BiFunction;
import java.util.function.Function;
import java.util.function.ToLongFunction;

/** The tables of the page: both applications side by side, three phases each. */
final class Report {

  private static final List<Phase> PHASES = List.of(Phase.BEFORE, Phase.DURING, Phase.AFTER);
  private static final String NOT_COUNTED = "not counted";

  /**
   * The results of one of the two applications.
   *
   * @param title the appender it logs through
   * @param calls latency of its log calls
   * @param http latency of requests to it
   * @param failedRequests requests without a good answer
   * @param account where its events went
   * @param appenderError the newest failure its appender admits, "" for none
   * @param longestCalls the longest log call of each moment
   * @param longestRequests the longest request of each moment
   */
  record Side(
      String title,
      Map<Phase, Latency> calls,
      Map<Phase, Latency> http,
      long failedRequests,
      Account account,
      String appenderError,
      Longest.Slots longestCalls,
      Longest.Slots longestRequests) {}

  /**
   * A row of a table.
   *
   * @param cells one of each phase for each application, or one for each application
   */
  record Row(String title, List<String> cells) {}

  private final List<Side> sides;

  Report(Side forebay, Side async) {
    this.sides = List.of(forebay, async);
  }

  /** How long log calls and requests took. */
  List<Row> latencies() {
    List<Row> rows = new ArrayList<>(latencies("log call", Side::calls));
    rows.addAll(latencies("HTTP request", Side::http));
    rows.add(whole("  failed", side -> count(side.failedRequests())));
    return rows;
  }

  List<Row> events() {
    return List.of(
        whole("events offered", side -> count(side.account().offered())),
        whole("  delivered", side -> told(side, Figures.DELIVERED, NOT_COUNTED)),
        whole("  dropped", side -> told(side, Figures.DROPPED, NOT_COUNTED)),
        whole("  in flight", side -> told(side, Figures.IN_FLIGHT, NOT_COUNTED)),
        whole("  missing", side -> count(side.account().missing())),
        whole("bytes in the spool", side -> told(side, Figures.SPOOL_BYTES, "-")),
        whole("lines in the files", side -> count(side.account().files().lines())),
        whole("  files", side -> count(side.account().files().files())),
        whole("  not valid JSON", side -> count(side.account().files().invalid())),
        whole("sums agree", side -> side.account().disagreements().isEmpty() ? "yes" : "NO"));
  }

  private static String told(Side side, String figure, String otherwise) {
    Map<String, Long> values = side.account().figures().values();
    return values.containsKey(figure) ? count(values.get(figure)) : otherwise;
  }

  private static String count(long number) {
    return String.format(Locale.ROOT, "%,d", number);
  }

  private List<Row> latencies(String title, Function<Side, Map<Phase, Latency>> kind) {
    BiFunction<Side, Phase, Latency> of =
        (side, phase) -> kind.apply(side).getOrDefault(phase, Latency.NONE);
    return List.of(
        perPhase(title, (side, phase) -> count(of.apply(side, phase).count())),
        perPhase("  p50", (side, phase) -> duration(of.apply(side, phase), Latency::p50Ns)),
        perPhase("  p99", (side, phase) -> duration(of.apply(side, phase), Latency::p99Ns)),
        perPhase("  p99.9", (side, phase) -> p999(of.apply(side, phase))),
        perPhase("  max", (side, phase) -> duration(of.apply(side, phase), Latency::maxNs)));
  }

  /** Of fewer it is the longest. */
  private static String p999(Latency latency) {
    return latency.count() < 1000 ? "-" : duration(latency.p999Ns());
  }

  private static String duration(Latency latency, ToLongFunction<Latency> value) {
    return latency.count() == 0 ? "-" : duration(value.applyAsLong(latency));
  }

  /** A duration with three digits or so and its unit. */
  static String duration(long ns) {
    if (ns < 1_000_000) {
      return decimal(ns / 1e3) + " us";
    }
    if (ns < 1_000_000_000) {
      return decimal(ns / 1e6) + " ms";
    }
    return decimal(ns / 1e9) + " s";
  }

  private static String decimal(double value) {
    String format = value < 9.995 ? "%.2f" : value < 99.95 ? "%.1f" : "%.0f";
    return String.format(Locale.ROOT, format, value);
  }

  private Row perPhase(String title, BiFunction<Side, Phase, String> cell) {
    List<String> cells = new ArrayList<>();
    for (Side side : sides) {
      PHASES.forEach(phase -> cells.add(cell.apply(side, phase)));
    }
    return new Row(title, cells);
  }

  /** A row with one value for the whole run of each application. */
  private Row whole(String title, Function<Side, String> cell) {
    return new Row(title, sides.stream().map(cell).toList());
  }

  /** Where the events of both went, in words. */
  List<String> accounts() {
    List<String> lines = new ArrayList<>();
    for (Side side : sides) {
      Account account = side.account();
      lines.add(side.title() + ": " + account);
      if (!account.dropped().isEmpty()) {
        lines.add("  dropped: " + account.dropped());
      }
      account.disagreements().forEach(text -> lines.add("  does not agree: " + text));
      if (!side.appenderError().isEmpty()) {
        lines.add("  newest failure it reported: " + side.appenderError());
      }
    }
    return lines;
  }
}
