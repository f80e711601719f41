package dev.forebay.benchmarks.lab.report;

import static dev.forebay.benchmarks.lab.Peer.FILE;
import static dev.forebay.benchmarks.lab.Peer.FOREBAY;
import static dev.forebay.benchmarks.lab.Peer.TINYLOG;
import static dev.forebay.benchmarks.lab.Scenario.BUSY_PROCESSORS;
import static dev.forebay.benchmarks.lab.Scenario.IDLE;
import static dev.forebay.benchmarks.lab.Scenario.LONG_FREEZE;
import static dev.forebay.benchmarks.lab.Scenario.OVERLOAD;
import static dev.forebay.benchmarks.lab.Scenario.STEADY;
import static org.assertj.core.api.Assertions.assertThat;

import dev.forebay.benchmarks.lab.Figure;
import dev.forebay.benchmarks.lab.Measurement;
import dev.forebay.benchmarks.lab.Peer;
import dev.forebay.benchmarks.lab.RunInfo;
import dev.forebay.benchmarks.lab.Scenario;
import java.io.IOException;
import java.io.StringReader;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;
import javax.xml.parsers.DocumentBuilderFactory;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.w3c.dom.Document;
import org.w3c.dom.Element;
import org.w3c.dom.NodeList;
import org.xml.sax.InputSource;

@Tag("once")
class ReportTest {

  /** Where a whole run is reported, once for all tests that look at it. */
  @TempDir static Path whole;

  private static List<String> toldOfWhole = List.of();

  @TempDir Path directory;

  @BeforeAll
  static void reportAWholeRun() throws IOException {
    MadeRuns.writeAll(whole);
    toldOfWhole = Report.write(whole);
  }

  @Test
  void aWholeRunBecomesOnePageThatNeedsNothingElse() throws Exception {
    String page = page(whole);
    Document document = parse(page);
    int made = Scenario.values().length * Peer.values().length * MadeRuns.REPETITIONS;
    assertThat(toldOfWhole).singleElement().asString().startsWith(made + " measurements");
    assertThat(document.getElementsByTagName("h2").getLength())
        .isEqualTo(2 + Scenario.values().length + 2);
    assertThat(page.replace("\"http://www.w3.org/2000/svg\"", ""))
        .doesNotContain("http://", "https://", "<script", "@import", "src=", "NaN", "Infinity");
    assertThat(page)
        .contains("-o &lt;results&gt; &amp; more", "full-disk tinylog 3: no time was left");
    assertThat(Scenario.values())
        .allSatisfy(of -> assertThat(page).contains("<h2 id=\"" + of.id() + "\">"));
    assertThat(Peer.values()).allSatisfy(of -> assertThat(page).contains("c-" + of.id() + " {"));
  }

  @Test
  void theTablesAreMarkdownWithAllScenarios() throws IOException {
    String tables = tables(whole);
    assertThat(Scenario.values())
        .allSatisfy(of -> assertThat(tables).contains("### " + ScenarioText.title(of)));
    assertThat(tables).contains("-o &lt;results> & more").doesNotContain("NaN", "Infinity");
    List<String> rows = tables.lines().filter(line -> line.startsWith("| log call, p50 ")).toList();
    assertThat(rows).singleElement().asString().contains("≤ 200 ns", "| missed |");
  }

  @Test
  void aVoidRunIsShownAndInNoMedian() throws IOException {
    write(MadeRuns.calls(STEADY, FOREBAY, 1, 100));
    write(MadeRuns.calls(STEADY, FOREBAY, 2, 900_000).with(-1, -1, "3 events & a <thread>"));

    Report.write(directory);

    assertThat(page()).contains("1 of 2 void: 3 events &amp; a &lt;thread&gt;");
    assertThat(tables())
        .contains("| Forebay TieredAppender | 100 ns | 100 ns | 100 ns | 100 ns | 1 of 2 void: ");
  }

  @Test
  void aPeerWithVoidRunsOnlyKeepsItsLatencyWithAMark() throws Exception {
    Map<Figure, Double> figures =
        Map.of(
            Figure.OFFERED, 10.0,
            Figure.LINES, 6.0,
            Figure.DROPPED, 1.0,
            Figure.CALLS, 10.0,
            Figure.CALLER_CPU_NS, 100.0);
    Measurement lossy = MadeRuns.figures(OVERLOAD, FILE, 1, figures).with(-1, -1, "3 unaccounted");
    lossy.calls().recordValue(500);
    write(lossy);

    Report.write(directory);

    assertThat(page())
        .contains(
            "line void",
            "<em> lost 40 %, uncounted</em>",
            "500 ns<sup>void</sup>",
            "40 %<small>uncounted</small>",
            ">void</b>")
        .contains(
            "data-head=\"CPU of callers, ns/event\">void</td>", "10 offered, lost 40 %, uncounted");
    assertThat(parse(page()).getElementsByTagName("sup").getLength()).isEqualTo(5);
    assertThat(tables()).contains("| *500 ns* |", "| 4 | 3 | void: 3 unaccounted |");
  }

  @Test
  void thePageOpensWithTheVerdictAndItsChartAndTheMachineIsFolded() throws Exception {
    assertThat(
            places(
                page(whole),
                "<h1>",
                "class=\"verdict\">While the log disk is frozen",
                "<figure>",
                "<h2 id=\"budgets\">",
                "<h2 id=\"steady\">",
                "<h2 id=\"run\">",
                ">Machine, libraries, and what was not run</summary>",
                "a processor"))
        .isSorted()
        .doesNotContain(-1);
    assertThat(
            places(tables(whole), "While the log disk is frozen", "### Budgets", "### How it was"))
        .isSorted()
        .doesNotContain(-1);
  }

  @Test
  void atMostFourLinesAreLitInAChart() throws Exception {
    NodeList figures = parse(page(whole)).getElementsByTagName("figure");
    for (int i = 0; i < figures.getLength(); i++) {
      NodeList boxes = ((Element) figures.item(i)).getElementsByTagName("input");
      long lit =
          IntStream.range(0, boxes.getLength())
              .filter(box -> ((Element) boxes.item(box)).hasAttribute("checked"))
              .count();
      assertThat(lit).isEqualTo(Math.min(4, boxes.getLength()));
    }
    assertThat(figures.getLength()).isGreaterThan(Scenario.values().length);
  }

  @Test
  void aLineIsNamedAtItsEnd() throws Exception {
    write(MadeRuns.of(STEADY, FOREBAY, 1));

    Report.write(directory);

    assertThat(page()).containsPattern("class=\"end series c-forebay\"[^>]*>TieredAppender<");
  }

  @Test
  void halfSecondsOfAShortRunAreLabelledAsSuch() throws IOException {
    write(MadeRuns.of(BUSY_PROCESSORS, FOREBAY, 1));

    Report.write(directory);

    assertThat(page()).contains(">0.5</span>", ">1</span>", ">1.5</span>");
  }

  @Test
  void memoryHeldIsShown() throws IOException {
    write(MadeRuns.of(LONG_FREEZE, TINYLOG, 1));
    write(MadeRuns.of(LONG_FREEZE, FOREBAY, 1));

    Report.write(directory);

    assertThat(page()).contains("Memory held", "heap 4.00 MB, tmpfs ", "tmpfs held, MB");
    assertThat(tables()).contains(" heap held, MB | tmpfs held, MB | lost ");
  }

  @Test
  void anEmptyDirectoryBecomesAPageWithoutScenarios() throws Exception {
    MadeRuns.info().write(directory);

    Report.write(directory);

    assertThat(parse(page()).getElementsByTagName("h2").getLength()).isEqualTo(2);
    assertThat(page()).contains("unknown").doesNotContain(">met<", ">missed<");
  }

  @Test
  void aRunThatWasKilledBeforeItMeasuredAnythingIsARow() throws Exception {
    for (Scenario scenario : Scenario.values()) {
      write(MadeRuns.figures(scenario, FILE, 1, Map.of()).with(-1, -1, "killed after 60 s"));
    }

    Report.write(directory);

    assertThat(parse(page()).getElementsByTagName("h2").getLength())
        .isEqualTo(2 + Scenario.values().length);
    assertThat(page()).contains("void: killed after 60 s").doesNotContain("NaN");
  }

  @Test
  void idleHasNoLogCalls() throws Exception {
    write(MadeRuns.of(IDLE, FOREBAY, 1));

    Report.write(directory);

    assertThat(parse(page()).getElementsByTagName("figure").getLength()).isZero();
    assertThat(page()).contains("CPU of all, % of a core").doesNotContain("ns/event");
  }

  @Test
  void aDamagedFileIsNamedAndTheRestIsReported() throws Exception {
    MadeRuns.info().write(directory);
    write(MadeRuns.of(STEADY, FOREBAY, 1));
    Path cut = directory.resolve("cut.run.properties");
    Path whole = directory.resolve("steady.forebay.1.run.properties");
    String text = Files.readString(whole);
    Files.writeString(cut, text.replaceFirst("(?m)^calls=.{60}.*$", "calls=eNqTaZkszMDAwAw"));
    Files.writeString(directory.resolve("other.run.properties"), "scenario=<b>\\u12");

    List<String> told = Report.write(directory);

    assertThat(told)
        .hasSize(3)
        .anyMatch(line -> line.contains("cut.run.properties"))
        .anyMatch(line -> line.contains("other.run.properties"))
        .anyMatch(line -> line.startsWith("1 measurements"));
    assertThat(page()).contains("cut.run.properties", "other.run.properties", "id=\"steady\"");
    assertThat(tables()).contains("cut.run.properties could not be read");
    assertThat(parse(page()).getElementsByTagName("b").getLength()).isEqualTo(Budgets.ALL.size());
  }

  @Test
  void withoutTheFactsOfTheRunItIsSaidAndTheRestIsReported() throws IOException {
    write(MadeRuns.of(STEADY, FOREBAY, 1));

    List<String> told = Report.write(directory);

    assertThat(told).hasSize(2).first().asString().contains(RunInfo.FILE_NAME);
    assertThat(page()).contains("id=\"steady\"", RunInfo.FILE_NAME);
  }

  private static List<Integer> places(String text, String... parts) {
    return Arrays.stream(parts).map(text::indexOf).toList();
  }

  private void write(Measurement run) throws IOException {
    MadeRuns.write(directory, run);
  }

  private String page() throws IOException {
    return page(directory);
  }

  private static String page(Path directory) throws IOException {
    return Files.readString(directory.resolve(Report.PAGE));
  }

  private String tables() throws IOException {
    return tables(directory);
  }

  private static String tables(Path directory) throws IOException {
    return Files.readString(directory.resolve(Report.TABLES));
  }

  private static Document parse(String page) throws Exception {
    return DocumentBuilderFactory.newInstance()
        .newDocumentBuilder()
        .parse(new InputSource(new StringReader(page)));
  }
}
