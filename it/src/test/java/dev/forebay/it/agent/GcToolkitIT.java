package dev.forebay.it.agent;

import static org.assertj.core.api.Assertions.assertThat;

import dev.forebay.host.Await;
import dev.forebay.it.support.LogFiles;
import dev.forebay.it.support.Places;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** A tool that others wrote reads in the log what it reads in the JVM's own second output. */
@Tag("nightly")
class GcToolkitIT {

  private static final String DECORATORS = "time,uptime,level,tags";
  private static final int ROUNDS = 5;

  @AutoClose private final Places places = Places.create();

  @Test
  void gcToolkitFindsTheSamePausesOfTheSameLength() throws Exception {
    Path log = places.logDirectory().resolve("gc.log");
    Path truth = places.spool().resolve("truth");
    String agent =
        "file=%s,spoolDirectory=%s,what=%s,decorators=%s"
            .formatted(
                log, places.spool(), Truth.WHAT.replace(',', ':'), DECORATORS.replace(',', ':'));
    String second = "-Xlog:%s:file=%s:%s:filecount=0".formatted(Truth.WHAT, truth, DECORATORS);
    try (Program program =
        Program.start(
            places.directory("life"),
            List.of("-XX:+UseG1GC", "-Xmx64m", second, AgentJar.option(agent)),
            Path.of("target", "test-classes").toAbsolutePath().toString(),
            Neighbour.class.getName())) {
      program.awaitLogging();
      for (int round = 0; round < ROUNDS; round++) {
        program.tell("allocate");
        program.tell("gc");
      }
      Await.until("all is done", () -> program.output().contains("collected " + ROUNDS + "."));
      Await.until("all is carried", () -> collections(log) == collections(truth));
      assertThat(program.end()).isZero();
    }
    String pauses = pauses(log);
    assertThat(pauses).startsWith("pauses ").doesNotStartWith("pauses 0 ");
    assertThat(pauses).isEqualTo(pauses(from(firstLine(log), truth)));
  }

  private static String firstLine(Path log) throws IOException {
    return unpadded(Truth.ofJvm(LogFiles.of(log).lines()).get(0));
  }

  /** How wide an output makes its decorators depends on what it wrote before. */
  private static String unpadded(String line) {
    return line.replace(" ", "");
  }

  /** The agent begins later than the JVM. */
  private static Path from(String first, Path truth) throws IOException {
    List<String> lines = Files.readAllLines(truth);
    int from = lines.stream().map(GcToolkitIT::unpadded).toList().indexOf(first);
    return Files.write(truth.resolveSibling("truth-from"), lines.subList(from, lines.size()));
  }

  private static long collections(Path log) throws IOException {
    return LogFiles.of(log).lines().stream()
        .filter(line -> line.matches(".*Pause Full \\(System.gc\\(\\)\\) .*ms"))
        .count();
  }

  private String pauses(Path log) throws Exception {
    String classPath = Server.classPath("gctoolkit");
    try (Program tool =
        Program.start(
            places.directory("tool-" + log.getFileName()),
            List.of("-Xmx128m"),
            classPath,
            "dev.forebay.it.gctoolkit.Pauses",
            log.toString())) {
      assertThat(tool.end()).as(tool.output()).isZero();
      return tool.output()
          .lines()
          .filter(line -> line.startsWith("pauses "))
          .findFirst()
          .orElse("");
    }
  }
}
