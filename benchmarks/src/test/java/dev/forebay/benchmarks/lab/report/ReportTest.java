package dev.forebay.benchmarks.lab.report;

import static dev.forebay.benchmarks.lab.Peer.FILE;
import static dev.forebay.benchmarks.lab.Peer.FOREBAY;
import static dev.forebay.benchmarks.lab.Peer.TINYLOG;
import static dev.forebay.benchmarks.lab.Scenario.FROZEN_DISK;
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
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.stream.StreamSupport;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

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
    String page = Files.readString(whole.resolve(Report.PAGE));
    int made = Scenario.values().length * Peer.values().length * MadeRuns.REPETITIONS;
    assertThat(toldOfWhole).singleElement().asString().startsWith(made + " measurements");
    assertThat(page)
        .contains("uPlot=function")
        .doesNotContain("/*uplot", "/*data", "<script src", "<link", "@import");
    assertThat(page.split("</script>", -1)).as("no text ends a script").hasSize(4);
    assertThat(texts(data(whole).get("sections"), "id"))
        .startsWith("frozen-disk", "budgets", "steady")
        .endsWith("run")
        .containsAll(Arrays.stream(Scenario.values()).map(Scenario::id).toList());
    assertThat(data(whole).toString())
        .contains("-o <results> & more", "full-disk tinylog 3: no time was left")
        .doesNotContain("NaN", "Infinity");
  }

  @Test
  void theTablesAreMarkdownWithAllScenarios() throws IOException {
    String tables = tables(whole);
    assertThat(Scenario.values())
        .allSatisfy(of -> assertThat(tables).contains("### " + ScenarioText.title(of)));
    assertThat(tables).contains("-o &lt;results> & more").doesNotContain("NaN", "Infinity");
    List<String> rows = tables.lines().filter(line -> line.startsWith("| log call, p50 ")).toList();
    assertThat(rows).singleElement().asString().contains("≤ 200 ns", "| missed");
  }

  @Test
  void bothOpenWithTheVerdict() throws IOException {
    String verdict = "While the log disk is frozen";
    assertThat(data(whole).get("opening").get(0).asString()).startsWith(verdict);
    assertThat(tables(whole).indexOf(verdict))
        .isPositive()
        .isLessThan(tables(whole).indexOf("### Budgets"));
  }

  @Test
  void whatIsMissedComesFirstAndSaysWhetherOthersAreBetter() throws IOException {
    write(MadeRuns.calls(STEADY, FOREBAY, 1, 900));
    write(MadeRuns.calls(STEADY, FILE, 1, 1_000));

    assertThat(written().lines().filter(line -> line.startsWith("| log call, p")).toList())
        .satisfiesExactly(
            first -> assertThat(first).contains("p50", "| missed, ahead of all others |"),
            second -> assertThat(second).contains("p99", "| met |"),
            third -> assertThat(third).contains("p99.9", "| met |"));
  }

  @Test
  void aVoidRunIsShownAndInNoMedian() throws IOException {
    write(MadeRuns.calls(STEADY, FOREBAY, 1, 100));
    write(MadeRuns.calls(STEADY, FOREBAY, 2, 900_000).with(-1, -1, "3 events & a <thread>"));

    assertThat(written())
        .contains(
            "| Forebay TieredAppender | 100 ns | 100 ns | 100 ns | 100 ns | 100 ns | 1 of 2 void: 3"
                + " events & a &lt;thread> |");
    assertThat(data(directory).toString()).contains("1 of 2 void: 3 events & a <thread>");
  }

  @Test
  void aPeerWithVoidRunsOnlyKeepsItsTimesWithAMark() throws Exception {
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

    assertThat(written())
        .contains("| *500 ns* | 40 %, uncounted | void: 3 unaccounted |")
        .contains("| CPU ns/event, callers |", "| void |");
    JsonNode charts = section(OVERLOAD).get("charts");
    assertThat(charts.get(0).get("bars").get(0).get("text").asString())
        .isEqualTo("10 offered, lost 40 %, uncounted");
    assertThat(charts.get(1).get("lines").get(0).get("isVoid").asBoolean()).isTrue();
  }

  @Test
  void atMostFourLinesAreShownAtFirst() throws Exception {
    for (JsonNode section : data(whole).get("sections")) {
      for (JsonNode chart : section.get("charts")) {
        List<Boolean> shown = new ArrayList<>();
        chart.get("lines").forEach(line -> shown.add(line.get("shown").asBoolean()));
        assertThat(shown.stream().filter(each -> each)).hasSize(Math.min(4, shown.size()));
      }
    }
  }

  @Test
  void aLineHasAPointForEachX() throws Exception {
    for (JsonNode section : data(whole).get("sections")) {
      for (JsonNode chart : section.get("charts")) {
        for (JsonNode line : chart.get("lines")) {
          assertThat(line.get("y").size()).isEqualTo(chart.get("x").size());
        }
      }
    }
  }

  @Test
  void theTimeOfAFaultIsShadedAndAWaitIsAGap() throws Exception {
    write(MadeRuns.of(FROZEN_DISK, FILE, 1));
    String unused = written();

    JsonNode chart = section(FROZEN_DISK).get("charts").get(0);
    assertThat(chart.get("shaded").toString()).isEqualTo("[2.01,7.01]");
    assertThat(chart.get("lines").get(0).get("y").get(30).isNull()).isTrue();
    assertThat(chart.get("x").get(30).asDouble()).isEqualTo(3.05);
  }

  @Test
  void memoryHeldIsShown() throws IOException {
    write(MadeRuns.of(LONG_FREEZE, TINYLOG, 1));
    write(MadeRuns.of(LONG_FREEZE, FOREBAY, 1));

    assertThat(written()).contains(" heap held, MB | tmpfs held, MB |");
    assertThat(data(directory).toString()).contains("Memory held", "heap 4.00 MB, tmpfs ");
  }

  @Test
  void anEmptyDirectoryBecomesAPageWithoutScenarios() throws Exception {
    MadeRuns.info().write(directory);

    assertThat(written()).contains("unknown").doesNotContain("| met", "| missed");
    assertThat(texts(data(directory).get("sections"), "id")).containsExactly("budgets", "run");
  }

  @Test
  void aRunThatWasKilledBeforeItMeasuredAnythingIsARow() throws Exception {
    for (Scenario scenario : Scenario.values()) {
      write(MadeRuns.figures(scenario, FILE, 1, Map.of()).with(-1, -1, "killed after 60 s"));
    }

    assertThat(written()).contains("void: killed after 60 s").doesNotContain("NaN");
    assertThat(data(directory).get("sections").size()).isEqualTo(2 + Scenario.values().length);
  }

  @Test
  void idleHasNoLogCalls() throws Exception {
    write(MadeRuns.of(IDLE, FOREBAY, 1));

    assertThat(written()).contains("CPU, % of a core").doesNotContain("ns/event");
    assertThat(section(IDLE).get("charts").isEmpty()).isTrue();
  }

  @Test
  void aDamagedFileIsNamedAndTheRestIsReported() throws Exception {
    MadeRuns.info().write(directory);
    write(MadeRuns.of(STEADY, FOREBAY, 1));
    Path cut = directory.resolve("cut.run.properties");
    String text = Files.readString(directory.resolve("steady.forebay.1.run.properties"));
    Files.writeString(cut, text.replaceFirst("(?m)^calls=.{60}.*$", "calls=eNqTaZkszMDAwAw"));
    Files.writeString(directory.resolve("other.run.properties"), "scenario=<b>\\u12");

    assertThat(Report.write(directory))
        .hasSize(3)
        .anyMatch(line -> line.contains("cut.run.properties"))
        .anyMatch(line -> line.contains("other.run.properties"))
        .anyMatch(line -> line.startsWith("1 measurements"));
    assertThat(tables(directory)).contains("cut.run.properties could not be read");
    assertThat(data(directory).get("opening").size()).isEqualTo(3);
    assertThat(section(STEADY).get("charts").size()).isEqualTo(1);
  }

  @Test
  void withoutTheFactsOfTheRunItIsSaidAndTheRestIsReported() throws IOException {
    write(MadeRuns.of(STEADY, FOREBAY, 1));

    List<String> told = Report.write(directory);

    assertThat(told).hasSize(2).first().asString().contains(RunInfo.FILE_NAME);
    assertThat(data(directory).get("opening").get(1).asString()).contains(RunInfo.FILE_NAME);
  }

  private void write(Measurement run) throws IOException {
    MadeRuns.write(directory, run);
  }

  private String written() throws IOException {
    List<String> unused = Report.write(directory);
    return tables(directory);
  }

  private JsonNode section(Scenario scenario) throws IOException {
    return StreamSupport.stream(data(directory).get("sections").spliterator(), false)
        .filter(each -> each.get("id").asString().equals(scenario.id()))
        .findFirst()
        .orElseThrow();
  }

  private static List<String> texts(JsonNode of, String name) {
    List<String> texts = new ArrayList<>();
    of.forEach(each -> texts.add(each.get(name).asString()));
    return texts;
  }

  /** What the page draws. */
  private static JsonNode data(Path directory) throws IOException {
    String page = Files.readString(directory.resolve(Report.PAGE));
    String begin = "id=\"data\">";
    int from = page.indexOf(begin) + begin.length();
    return JsonMapper.shared().readTree(page.substring(from, page.indexOf("</script>", from)));
  }

  private static String tables(Path directory) throws IOException {
    return Files.readString(directory.resolve(Report.TABLES));
  }
}
