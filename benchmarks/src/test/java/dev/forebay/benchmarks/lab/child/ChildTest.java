package dev.forebay.benchmarks.lab.child;

import static org.assertj.core.api.Assertions.assertThat;

import dev.forebay.benchmarks.lab.Figure;
import dev.forebay.benchmarks.lab.JsonLines;
import dev.forebay.benchmarks.lab.Measurement;
import dev.forebay.benchmarks.lab.Peer;
import dev.forebay.benchmarks.lab.Scenario;
import dev.forebay.benchmarks.lab.child.PeerLibraries.Launch;
import java.io.File;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Runs children for an instant and looks at their accounts, not at their times. */
@Tag("once")
class ChildTest {

  private static final int EVENTS = 20_000;

  @TempDir private Path directory;

  /** Each peer and each way to make events. */
  @ParameterizedTest
  @CsvSource({
    "FOREBAY, OVERLOAD",
    "FOREBAY_RING, THROUGHPUT_2",
    "FILE, THROUGHPUT_2",
    "FILE_UNFLUSHED, STEADY",
    "ASYNC, THROUGHPUT_2",
    "ASYNC_NEVER_BLOCK, STEADY",
    "LOGSTASH_DISRUPTOR, THROUGHPUT_2",
    "LOG4J2, BURST",
    "CHRONICLE, STEADY",
    "FOREBAY, EARLY_BURST_2",
    "FOREBAY, SINGLE_CALLS",
    "FOREBAY_FLIGHT_BARE, RECORDED",
    "LOG4J2, RECORDED",
    "LOG4J2_DISRUPTOR4, STEADY",
    "TINYLOG, BUSY_PROCESSORS"
  })
  void everyEventIsALineOrADrop(Peer peer, Scenario scenario) throws Exception {
    Measurement run = measured(peer, scenario);

    assertThat(figure(run, Figure.OFFERED)).isGreaterThanOrEqualTo(figure(run, Figure.CALLS));
    assertThat(run.unaccounted()).isZero();
    assertThat(figure(run, Figure.CALLS)).isEqualTo((double) run.calls().getTotalCount());
    assertThat(run.figures()).containsKeys(Figure.CALLER_CPU_NS, Figure.CALLER_ALLOCATED_BYTES);
    if (scenario == Scenario.THROUGHPUT_2) { // in others an instant may be over unnoticed
      assertThat(figure(run, Figure.CALLS)).isEqualTo(EVENTS);
      assertThat(figure(run, Figure.CALLER_CPU_NS)).isPositive();
      assertThat(figure(run, Figure.CALLER_ALLOCATED_BYTES)).isPositive();
      assertThat(run.figures()).containsKey(Figure.RESIDENCE_P99_NS);
    }
  }

  @Test
  void callsAtTraceAreTimedByThemselvesAndRecorded() throws Exception {
    Measurement run = measured(Peer.FOREBAY_FLIGHT, Scenario.RECORDED);

    double traces = figure(run, Figure.TRACE_CALLS);
    assertThat(traces).isEqualTo(5 * figure(run, Figure.CALLS));
    assertThat(run.figures()).containsKeys(Figure.TRACE_P50_NS, Figure.TRACE_P999_NS);
    assertThat(figure(run, Figure.HELD)).as("held, with the warm-up").isGreaterThan(traces);
    assertThat(figure(run, Figure.EXPIRED))
        .as("after the stop")
        .isEqualTo(5 * figure(run, Figure.LINES));
  }

  @Test
  void whatGoesWrongIsSaid() throws Exception {
    Files.writeString(directory.resolve("logs"), "not a directory");

    List<String> output = output(Peer.CHRONICLE, Scenario.STEADY, 1);

    assertThat(output).anyMatch(line -> line.startsWith("lab:failed "));
    assertThat(output).doesNotContain("lab:done");
  }

  private Measurement measured(Peer peer, Scenario scenario) throws Exception {
    Files.createDirectories(directory.resolve("logs"));
    assertThat(output(peer, scenario, 0).stream().filter(line -> line.startsWith("lab:")))
        .extracting(line -> line.replaceAll(" .*", ""))
        .containsExactly("lab:ready", "lab:measuring", "lab:measured", "lab:done");
    return JsonLines.parse(Files.readString(directory.resolve("result")), Measurement.class);
  }

  private List<String> output(Peer peer, Scenario scenario, int exitCode)
      throws IOException, InterruptedException {
    Launch launch = PeerLibraries.of(peer, directory.resolve("libraries"));
    String classPath =
        launch.classPath().stream()
                .map(jar -> jar + File.pathSeparator)
                .collect(Collectors.joining())
            + System.getProperty("java.class.path");
    List<String> command =
        new ArrayList<>(
            List.of(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-XX:TieredStopAtLevel=1",
                "-XX:+UseSerialGC",
                "-Xmx256m",
                "-Dlab.warmUpSeconds=0.2",
                "-Dlab.seconds=0.2",
                "-Dlab.events=" + EVENTS));
    command.addAll(launch.jvmOptions());
    command.addAll(
        List.of(
            "-cp",
            classPath,
            Child.class.getName(),
            scenario.id(),
            peer.id(),
            "1",
            directory.resolve("logs").toString(),
            Files.createDirectories(directory.resolve("spool")).toString(),
            directory.resolve("result").toString()));
    Path output = directory.resolve("output");
    Process child =
        new ProcessBuilder(command)
            .redirectErrorStream(true)
            .redirectOutput(output.toFile())
            .start();
    try {
      assertThat(child.waitFor(60, TimeUnit.SECONDS)).isTrue();
    } finally {
      child.destroyForcibly();
    }
    List<String> lines = Files.readAllLines(output);
    assertThat(child.exitValue()).as("exit code, with %s", lines).isEqualTo(exitCode);
    return lines;
  }

  private static double figure(Measurement run, Figure figure) {
    return run.figure(figure).orElseThrow();
  }
}
