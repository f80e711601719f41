package dev.forebay.benchmarks.lab.report;

import static dev.forebay.benchmarks.lab.Peer.FILE;
import static dev.forebay.benchmarks.lab.Peer.FOREBAY;
import static dev.forebay.benchmarks.lab.Scenario.FROZEN_DISK;
import static dev.forebay.benchmarks.lab.Scenario.STEADY;
import static org.assertj.core.api.Assertions.assertThat;

import dev.forebay.benchmarks.lab.JsonLines;
import dev.forebay.benchmarks.lab.Measurement;
import dev.forebay.benchmarks.lab.Peer;
import dev.forebay.benchmarks.lab.RunInfo;
import dev.forebay.benchmarks.lab.Scenario;
import dev.forebay.benchmarks.lab.Scenario.Fault;
import dev.forebay.benchmarks.lab.jvm.Collector;
import dev.forebay.benchmarks.lab.jvm.Experiment;
import dev.forebay.benchmarks.lab.jvm.JvmFigure;
import dev.forebay.benchmarks.lab.jvm.JvmMeasurement;
import dev.forebay.benchmarks.lab.jvm.JvmRun;
import dev.forebay.benchmarks.lab.jvm.LogWay;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

@Tag("once")
class ReportTest {

  @TempDir Path directory;

  @Test
  void aWholeRunBecomesOnePageThatNeedsNothingElse() throws Exception {
    MadeRuns.info().write(directory);
    for (Scenario scenario : Scenario.values()) {
      for (Peer peer : Peer.values()) {
        write(MadeRuns.of(scenario, peer, 1));
      }
    }
    int made = Scenario.values().length * Peer.values().length;

    JsonNode data = told(made + " measurements: " + directory.resolve(Report.PAGE));
    assertThat(Files.readString(directory.resolve(Report.PAGE)))
        .contains("uPlot=function")
        .endsWith("</html>\n")
        .doesNotContain("/*uplot", "/*data", "<script src", "<link", "@import")
        .satisfies(page -> assertThat(page.split("</script>", -1)).hasSize(4));
    assertThat(data.get("sections").findValuesAsString("id"))
        .containsExactlyElementsOf(Stream.of(Scenario.values()).map(Scenario::id).toList());
    assertThat(data.get("run").toString()).contains("-o <results> & more");
    assertThat(data.toString()).doesNotContain("NaN", "Infinity");
  }

  @Test
  void theTemplateNamesEveryMeasureAndKnowsHowToReadEachLoad() throws Exception {
    String template = Report.resource("report.html");
    assertThat(Measure.values())
        .allSatisfy(measure -> assertThat(template).contains(" " + measure + ": ["));
    assertThat(Scenario.Load.values())
        .allSatisfy(load -> assertThat(template).contains(" " + load + ": "));
    assertThat(Experiment.values())
        .allSatisfy(of -> assertThat(template).containsPattern(" \"?" + of.id() + "\"?: "));
  }

  @Test
  void aRunThatIsVoidSaysSoAndKeepsItsValues() throws Exception {
    write(MadeRuns.calls(STEADY, FOREBAY, 2, 900).with(-1, -1, "3 events & a <thread>"));

    JsonNode run = told("1 measurements").at("/sections/0/runs/0");
    assertThat(run.get("voidBecause").asString()).isEqualTo("3 events & a <thread>");
    assertThat(run.at("/values/P50").asDouble()).isEqualTo(900);
  }

  @Test
  void aRunThatWasMadeAgainCountsAsItWasMadeLast() throws Exception {
    write(MadeRuns.calls(STEADY, FOREBAY, 1, 900));
    write(MadeRuns.calls(STEADY, FOREBAY, 1, 100));

    JsonNode runs = told("1 measurements").at("/sections/0/runs");
    assertThat(runs.findValuesAsString("P50")).containsExactly("100.0");
  }

  @Test
  void theTimeOfAFaultIsShadedAndAWaitIsAGap() throws Exception {
    write(MadeRuns.of(FROZEN_DISK, FILE, 1));

    JsonNode timeline = told("1 measurements").at("/sections/0/charts/0");
    assertThat(timeline.get("shaded").toString()).isEqualTo("[2.01,7.01]");
    assertThat(timeline.at("/lines/0/y/30").asLong()).isZero();
    assertThat(timeline.at("/lines/0/y/20").asLong()).isPositive();
  }

  @Test
  void anEmptyDirectoryBecomesAPageThatJudgesNothing() throws Exception {
    MadeRuns.info().write(directory);

    JsonNode data = told("0 measurements");
    assertThat(data.get("sections").isEmpty()).isTrue();
    assertThat(data.get("budgets").findValuesAsString("state")).containsOnly("NOT_JUDGED");
    assertThat(data.get("budgets").findValuesAsString("why")).doesNotContain("");
  }

  @Test
  void aRunThatWasKilledBeforeItMeasuredAnythingIsThere() throws Exception {
    for (Scenario scenario : Scenario.values()) {
      write(MadeRuns.figures(scenario, FILE, 1, Map.of()).with(-1, -1, "killed after 60 s"));
    }

    JsonNode sections = told(Scenario.values().length + " measurements").get("sections");
    assertThat(sections.findValuesAsString("voidBecause")).hasSize(Scenario.values().length);
    assertThat(sections.findValuesAsString("step")).as("no chart without a line").isEmpty();
  }

  @Test
  void aDamagedLineIsNamedAndTheRestIsReported() throws Exception {
    write(MadeRuns.of(STEADY, FOREBAY, 1));
    Path file = directory.resolve(Measurement.FILE_NAME);
    String line = Files.readString(file);
    String broken = line.replaceFirst("\"calls\":\".{60}[^\"]*", "\"calls\":\"eNqTaZkszMDAwAw");
    Files.writeString(file, broken + "{\"scenario\":\"<b>\n{}\n", StandardOpenOption.APPEND);

    List<String> told = Report.write(directory);

    assertThat(told).hasSize(5);
    assertThat(told.get(0)).startsWith(RunInfo.FILE_NAME + " could not be read");
    assertThat(told.subList(1, 4)).allMatch(text -> text.matches("Line [234] of runs.jsonl .*"));
    assertThat(told.get(4)).startsWith("1 measurements");
    assertThat(data().get("damaged").size()).isEqualTo(4);
    assertThat(data().at("/sections/0/charts").size()).isEqualTo(1);
  }

  @Test
  void theJvmsOwnLogHasAPageToo() throws Exception {
    JvmRun run = new JvmRun(Experiment.IDLE, 25, Collector.Z, Fault.NONE, LogWay.FOREBAY, 1);
    JsonLines.append(
        directory.resolve(JvmMeasurement.FILE_NAME),
        new JvmMeasurement(run, Map.of(JvmFigure.IDLE_SWITCHES, 23.4), null));

    JsonNode section = told("1 measurements").at("/sections/0");
    assertThat(section.get("id").asString()).isEqualTo("idle");
    assertThat(section.at("/runs/0/values/IDLE_SWITCHES").asDouble()).isEqualTo(23.4);
    assertThat(section.at("/runs/0/names/3").asString()).isEqualTo("healthy");
  }

  private void write(Measurement run) throws IOException {
    JsonLines.append(directory.resolve(Measurement.FILE_NAME), run);
  }

  /** What the page draws, after the last sentence that the lab says. */
  private JsonNode told(String begin) throws IOException {
    List<String> told = Report.write(directory);
    assertThat(told.get(told.size() - 1)).startsWith(begin);
    return data();
  }

  private JsonNode data() throws IOException {
    String page = Files.readString(directory.resolve(Report.PAGE));
    String begin = "id=\"data\">";
    int from = page.indexOf(begin) + begin.length();
    return JsonMapper.shared().readTree(page.substring(from, page.indexOf("</script>", from)));
  }
}
