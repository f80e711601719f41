package dev.forebay.benchmarks.lab.host;

import static org.assertj.core.api.Assertions.assertThat;

import dev.forebay.benchmarks.lab.JsonLines;
import dev.forebay.benchmarks.lab.Measurement;
import dev.forebay.benchmarks.lab.RunInfo;
import dev.forebay.benchmarks.lab.RunInfo.Fact;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Clock;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** The lab with children that measure nothing. */
@Tag("once")
final class LabTest {

  @TempDir Path directory;

  private final ByteArrayOutputStream bytes = new ByteArrayOutputStream();
  private final List<Path> pages = new ArrayList<>();

  @Test
  void aGoodRunLeavesItsMeasurementTheFactsAndThePage() throws Exception {
    assertThat(lab("works", "-r", "1", "steady", "forebay", "none")).isZero();

    assertThat(read("steady forebay 1").voidBecause()).isNull();
    assertThat(pages).containsExactly(directory);
    assertThat(said()).contains("2 runs, about", "[2/2, 0 s left] steady forebay 1: p99.9 140 ns");
    assertThat(said()).endsWith("the page is there\n");
    RunInfo info = RunInfo.read(directory);
    assertThat(info.get(Fact.COMMAND))
        .hasValue("java -jar benchmarks.jar lab -o " + directory + " -r 1 steady forebay none");
    assertThat(info.get(Fact.DONE)).hasValue("2");
    assertThat(info.get(Fact.SPOOL_DIRECTORY)).isPresent();
    assertThat(info.versions())
        .containsEntry(
            "logback",
            "log4j-api 2.26.1, log4j-core 2.26.1, log4j-slf4j2-impl 2.26.1, disruptor 3.4.4");
    assertThat(names()).containsExactly("run.properties", "runs.jsonl");
  }

  @Test
  void eventsThatForebayLosesFailTheLab() throws Exception {
    assertThat(lab("loses", "-r", "1", "steady", "forebay")).isEqualTo(1);

    assertThat(read("steady forebay 1").voidBecause()).endsWith(": 10 unaccounted for");
    assertThat(said()).contains("void: 100 events offered, 90 lines, 0 dropped");
  }

  @ParameterizedTest
  @CsvSource({
    "fails, failed: no such appender, a stack trace",
    "dies, ended with exit code 3: the last words, the last words"
  })
  void aChildThatFailsIsReportedWithItsText(String behaviour, String reason, String log)
      throws Exception {
    assertThat(lab(behaviour, "-r", "1", "steady", "forebay")).isEqualTo(1);

    assertThat(read("steady forebay 1").voidBecause()).isEqualTo(reason);
    assertThat(directory.resolve("steady.forebay.1.log")).hasContent(log);
  }

  @Test
  void unknownWordsAreAUsageError() throws Exception {
    assertThat(lab("works", "stready")).isEqualTo(2);

    assertThat(said()).startsWith("There is no scenario and no peer stready.");
    assertThat(pages).isEmpty();
  }

  private int lab(String behaviour, String... words) throws Exception {
    PrintStream out = new PrintStream(bytes, true, StandardCharsets.UTF_8);
    return new Lab(
            Stream.concat(Stream.of("-o", directory.toString()), Stream.of(words)).toList(),
            new Lab.Parts(new FakeLauncher(behaviour), this::page, out),
            Clock.systemUTC())
        .run();
  }

  private List<String> page(Path results) {
    pages.add(results);
    return List.of("the page is there");
  }

  private String said() {
    return bytes.toString(StandardCharsets.UTF_8);
  }

  private Measurement read(String run) throws IOException {
    for (String line : Files.readAllLines(directory.resolve(Measurement.FILE_NAME))) {
      Measurement read = JsonLines.parse(line, Measurement.class);
      if (new PlannedRun(read.scenario(), read.peer(), read.repetition()).toString().equals(run)) {
        return read;
      }
    }
    throw new AssertionError("no line of " + run);
  }

  private List<String> names() throws IOException {
    try (Stream<Path> files = Files.list(directory)) {
      return files.map(file -> file.getFileName().toString()).sorted().toList();
    }
  }
}
