package dev.forebay.it.framework;

import static org.assertj.core.api.Assertions.assertThat;

import dev.forebay.host.FileTree;
import dev.forebay.it.support.Places;
import dev.forebay.it.support.Program;
import java.io.File;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.function.IntFunction;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Test;

/**
 * OpenTelemetry's appenders around, behind and beside ours, and its agent: trace ids are in the log
 * and in the dump of a failing request, and each event is exported once.
 */
class OpenTelemetryIT {

  private static final int SPANS = 20;
  private static final int LAST = SPANS - 1;
  private static final String NO_TRACE = "0".repeat(32);
  private static final Path TARGET = Path.of("frameworks", "opentelemetry", "target");
  private static final Pattern ACCOUNT =
      Pattern.compile(
          "account (\\S+) offered (\\d+) = delivered (\\d+) \\+ dropped 0 \\{}(?: \\+ expired (\\d+))? \\+ in flight 0");

  @AutoClose private final Places places = Places.create();

  /** Runs the application to its end; what it printed. */
  private List<String> run(String configuration, List<String> options, String... arguments)
      throws IOException, InterruptedException {
    Path target = TARGET.toAbsolutePath();
    String classPath =
        target.resolve("classes")
            + File.pathSeparator
            + Files.readString(target.resolve("class-path")).strip();
    List<String> all = new ArrayList<>(options);
    all.addAll(List.of("-XX:+UseSerialGC", "-Dlogback.configurationFile=" + configuration));
    all.add("-DLOG_DIR=" + places.logDirectory());
    all.add("-DSPOOL_DIR=" + places.spool());
    String[] words =
        Stream.concat(Stream.of("" + SPANS), Stream.of(arguments)).toArray(String[]::new);
    String main = "dev.forebay.it.opentelemetry.OpenTelemetryApp";
    try (Program program = Program.start(places.root(), all, classPath, main, words)) {
      assertThat(program.end()).as(program.output()).isZero();
      return program.output().lines().toList();
    }
  }

  /** The trace ids of all spans, which log and dump have. */
  private List<String> requireTraceIds(List<String> output) throws IOException {
    List<String> ids =
        found(output, Pattern.compile("span \\d+ (.*)")).map(span -> span.group(1)).toList();
    assertThat(ids).hasSize(SPANS).doesNotHaveDuplicates().doesNotContain(NO_TRACE);

    List<String> lines = lines(number -> ids.get(number) + " event " + number);
    lines.add(ids.get(LAST) + " failed " + LAST);
    assertThat(Files.readAllLines(places.log()).stream().filter(line -> !line.startsWith(" ")))
        .as("but for our own")
        .containsExactlyElementsOf(lines);
    assertThat(FileTree.files(places.logDirectory()))
        .filteredOn(file -> file.toString().endsWith(".dump"))
        .singleElement()
        .satisfies(
            dump ->
                assertThat(Files.readAllLines(dump))
                    .filteredOn(line -> !line.startsWith("#"))
                    .containsExactly(
                        ids.get(LAST) + " detail " + LAST,
                        ids.get(LAST) + " event " + LAST,
                        ids.get(LAST) + " failed " + LAST));
    return ids;
  }

  /** All is in the log or, in the recorder, expired; in this order by name. */
  private static void requireAccounts(List<String> output, String... names) {
    List<MatchResult> accounts = found(output, ACCOUNT).toList();
    assertThat(accounts).as("%s", output).extracting(each -> each.group(1)).containsExactly(names);
    for (MatchResult each : accounts) {
      long expired = each.group(4) == null ? 0 : Long.parseLong(each.group(4));
      assertThat(Long.parseLong(each.group(2)))
          .isEqualTo(Long.parseLong(each.group(3)) + expired)
          .isGreaterThan(SPANS);
    }
  }

  private static Stream<MatchResult> found(List<String> output, Pattern pattern) {
    return output.stream().flatMap(line -> pattern.matcher(line).results());
  }

  private static List<String> lines(IntFunction<String> line) {
    return new ArrayList<>(IntStream.range(0, SPANS).mapToObj(line).toList());
  }

  /** Behind a ring there is no span: the exported record has no trace, as with AsyncAppender. */
  @Test
  void installFindsTheAppenderBehindOursAndTheOneForTheMdcHandsOnTraceIds() throws Exception {
    List<String> output = run("logback-library.xml", List.of(), "logback-library.xml");
    assertThat(Files.readAllLines(places.log())).startsWith(" before"); // the configuration ended
    List<String> ids = requireTraceIds(output);
    requireAccounts(output, "FILE", "RING");
    List<String> exported = lines(number -> "exported " + ids.get(number) + " event " + number);
    exported.add("exported " + ids.get(LAST) + " failed " + LAST);
    exported.addAll(lines(number -> "exported " + NO_TRACE + " event " + number));
    exported.add("exported " + NO_TRACE + " failed " + LAST);
    assertThat(output)
        .filteredOn(line -> line.startsWith("exported "))
        .containsExactlyInAnyOrderElementsOf(exported);
  }

  @Test
  void theAgentExportsEachEventOnceAndItsTraceIdsAreInTheLogAndTheDump() throws Exception {
    List<String> output =
        run(
            "logback-agent.xml",
            List.of(
                "-javaagent:" + TARGET.resolve("agent.jar").toAbsolutePath(),
                "-Dotel.javaagent.logging=none",
                "-Dotel.logs.exporter=console",
                "-Dotel.traces.exporter=none",
                "-Dotel.metrics.exporter=none"));
    List<String> ids = requireTraceIds(output);
    requireAccounts(output, "FILE");
    List<String> exported = lines(number -> "detail " + number + " " + ids.get(number));
    exported.addAll(lines(number -> "event " + number + " " + ids.get(number)));
    exported.add("failed " + LAST + " " + ids.get(LAST));
    assertThat(found(output, Pattern.compile("'(.*)' : ([0-9a-f]{32}) .*scopeInfo")))
        .extracting(record -> record.group(1) + " " + record.group(2))
        .containsExactlyInAnyOrderElementsOf(exported);
  }
}
