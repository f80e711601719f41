package dev.forebay.it.demo;

import dev.forebay.host.OfflinePage;
import dev.forebay.it.demo.Report.Row;
import dev.forebay.it.demo.Report.Side;
import dev.forebay.it.demo.app.Longest;
import dev.forebay.it.demo.app.Longest.Slots;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Function;
import java.util.regex.Matcher;
import java.util.stream.LongStream;
import tools.jackson.databind.json.JsonMapper;

/**
 * The page {@code report.html} of a directory. Each part of the demo leaves what it has to show
 * beside it and writes the page anew, with what the others have left.
 */
final class DemoPage {

  private static final String FREEZE = "freeze.json";
  private static final String FLIGHT = "flight.json";

  /**
   * The part of the frozen disk.
   *
   * @param outcome as {@link Verdict} has it
   * @param how what was done, a sentence each
   * @param notes what is to be known of it besides
   */
  record Freeze(
      String verdict,
      String outcome,
      List<String> how,
      List<String> notes,
      List<Chart> charts,
      List<Row> latencies,
      List<Row> events,
      List<String> accounts) {}

  /**
   * The longest of each moment, in nanoseconds; 0 where there was none.
   *
   * @param begin of the first moment, in seconds from the begin of the freeze
   * @param step from one to the next, in seconds
   * @param shaded seconds in which the disk did not answer
   */
  record Chart(String title, double begin, double step, List<Double> shaded, List<Line> lines) {}

  record Line(String name, List<Long> y) {}

  /** The part of the failing request. */
  record Flight(String account, String log, String file, List<String> dump) {}

  /**
   * When what happened, in milliseconds since the epoch.
   *
   * @param begin of what is shown
   * @param end of what is shown
   */
  record Times(long begin, long freeze, long thaw, long end) {}

  private final Path directory;

  private DemoPage(Path directory) {
    this.directory = directory;
  }

  /** Of a directory with parts that were left there. */
  static DemoPage in(Path directory) {
    return new DemoPage(directory.toAbsolutePath().normalize());
  }

  /** Where the demo leaves everything. */
  static Path directory() {
    return Path.of(System.getProperty("demo.directory", "target/demo"));
  }

  /** Removes the page and the parts of an earlier run. */
  void clear() throws IOException {
    for (String name : List.of("report.html", FREEZE, FLIGHT)) {
      Files.deleteIfExists(directory.resolve(name));
    }
  }

  /** Writes the page with this part, and returns its absolute path. */
  Path write(Freeze part) throws IOException {
    return write(FREEZE, part);
  }

  /** Writes the page with this part, and returns its absolute path. */
  Path write(Flight part) throws IOException {
    return write(FLIGHT, part);
  }

  private Path write(String name, Record part) throws IOException {
    Files.createDirectories(directory);
    Files.writeString(directory.resolve(name), JsonMapper.shared().writeValueAsString(part));
    String data = "{\"freeze\":%s,\"flight\":%s}".formatted(left(FREEZE), left(FLIGHT));
    String template = OfflinePage.resource(DemoPage.class, "report.html");
    return Files.writeString(
        directory.resolve("report.html"),
        OfflinePage.of(template, data)
            .replaceFirst("/\\*text\\*/", Matcher.quoteReplacement(text())));
  }

  /** What the page says without scripts. */
  private String text() throws IOException {
    List<String> lines = new ArrayList<>();
    Freeze freeze = JsonMapper.shared().readValue(left(FREEZE), Freeze.class);
    if (freeze != null) {
      lines.add(freeze.verdict());
      lines.addAll(freeze.notes());
      lines.addAll(freeze.accounts());
    }
    Flight flight = JsonMapper.shared().readValue(left(FLIGHT), Flight.class);
    if (flight != null) {
      lines.addAll(List.of(flight.account(), flight.log(), flight.file()));
    }
    return String.join("\n", lines).replace("&", "&amp;").replace("<", "&lt;");
  }

  private String left(String name) throws IOException {
    Path file = directory.resolve(name);
    return Files.exists(file) ? Files.readString(file) : "null";
  }

  /** The part of the frozen disk from the figures of both applications. */
  static Freeze freeze(
      Side forebay, Side async, Times times, List<String> how, List<String> notes) {
    Verdict verdict = Verdict.of(forebay, async, (times.thaw - times.freeze) / 1e3);
    Report report = new Report(forebay, async);
    List<Side> sides = List.of(forebay, async);
    return new Freeze(
        verdict.sentence(),
        verdict.outcome(),
        how,
        notes,
        List.of(
            chart("Longest log call", times, sides, Side::longestCalls),
            chart("Longest request", times, sides, Side::longestRequests)),
        report.latencies(),
        report.events(),
        report.accounts());
  }

  private static Chart chart(
      String title, Times times, List<Side> sides, Function<Side, Slots> longest) {
    long first = times.begin / Longest.SLOT_MS;
    long end = times.end / Longest.SLOT_MS;
    return new Chart(
        title,
        (first * Longest.SLOT_MS - times.freeze) / 1e3,
        Longest.SLOT_MS / 1e3,
        List.of(0.0, (times.thaw - times.freeze) / 1e3),
        sides.stream()
            .map(side -> new Line(side.title(), values(longest.apply(side), first, end)))
            .toList());
  }

  private static List<Long> values(Slots longest, long first, long end) {
    return LongStream.range(first, end).map(longest::at).boxed().toList();
  }
}
