package dev.forebay.it.access;

import static org.assertj.core.api.Assertions.assertThat;

import dev.forebay.host.Await;
import dev.forebay.it.support.Figures;
import dev.forebay.it.support.LogFiles;
import dev.forebay.it.support.Mounted;
import dev.forebay.it.support.Places;
import dev.forebay.it.support.Program;
import dev.forebay.it.support.SpoolPeek;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/** The access logs of Tomcat, through its valve, and of Jetty. */
@Tag("soak")
class AccessLogIT {

  private static final Duration STALL = Duration.ofMillis(Long.getLong("forebay.stall.ms", 1000));
  static final int VISITORS = 4;
  private static final int PER_SECOND = 500;
  static final String TIERED = "dev.forebay.access.AccessTieredAppender";

  @AutoClose private final Places places = Places.create();

  /** The path, what a header of the request says, and the status. */
  private String tiered(Path log, String inner) {
    return appender("A", TIERED, log, spool() + inner) + "<appender-ref ref=\"A\"/>";
  }

  private String spool() {
    return "<spoolDirectory>%s</spoolDirectory><fsync>50 ms</fsync>".formatted(places.spool());
  }

  static String appender(String name, String type, Path log, String inner) {
    return """
    <appender name="%s" class="%s">
      <file>%s</file>%s
      <encoder><pattern>%%U %%i{X-Path} %%s%%n</pattern></encoder>
    </appender>
    """
        .formatted(name, type, log, inner);
  }

  private Program start(String server, String configuration, String name) throws IOException {
    Path directory = places.directory(name);
    Files.writeString(
        directory.resolve(AccessServer.CONFIGURATION),
        "<configuration>" + configuration + "</configuration>");
    Program program =
        Program.start(
            directory,
            List.of("-Xmx256m"),
            Program.classPath(),
            AccessServer.class.getName(),
            server,
            directory.toString());
    program.awaitSaid("ready ");
    assertThat(program.output()).doesNotContain("problem ");
    return program;
  }

  private static int port(Program server) {
    return Integer.parseInt(server.output().replaceFirst("(?s).*ready (\\d+)\n.*", "$1"));
  }

  /** Stops a server, which must have delivered all that it was offered; their number. */
  private static long stop(Program server) throws Exception {
    assertThat(server.end()).as(server.output()).isZero();
    String account = server.output().replaceFirst("(?s).*account ", "");
    assertThat(account).contains(" dropped 0 ").endsWith("in flight 0\n");
    return Long.parseLong(account.replaceFirst("(?s)\\D*(\\d+).*", "$1"));
  }

  /**
   * Each visitor's requests from the first on, each once, in order and with its own header.
   *
   * @param fewer how many of a visitor's answers may have no line: 1 of a server that logs after it
   *     has answered, and was killed
   * @param more how many lines may have no answer
   */
  static void requireLines(List<String> lines, Visitors visitors, int fewer, int more) {
    assertThat(new HashSet<>(lines)).as("no line twice").hasSize(lines.size());
    int found = 0;
    for (int visitor = 0; visitor < VISITORS; visitor++) {
      String name = "v" + visitor;
      List<String> ofVisitor =
          lines.stream().filter(line -> line.startsWith("/" + name + "/")).toList();
      List<String> expected = new ArrayList<>();
      for (int number = 0; number < ofVisitor.size(); number++) {
        expected.add("%s %1$s 200".formatted(Visitors.path(name, number)));
      }
      assertThat(ofVisitor).isEqualTo(expected);
      assertThat(ofVisitor.size() - visitors.answered(visitor)).isBetween(-fewer, more);
      found += ofVisitor.size();
    }
    assertThat(found).as("lines of nobody else").isEqualTo(lines.size());
  }

  /** Two appenders at once: the ring in front of Logback's own, and ours. */
  @ParameterizedTest
  @ValueSource(strings = {"tomcat", "jetty"})
  void eachOfManyRequestsHasItsOwnLineOnceInBothLogs(String server) throws Exception {
    Path ofRing = places.directory("ring").resolve("access.log");
    String configuration =
        tiered(places.log(), "")
            + appender("FILE", "ch.qos.logback.core.FileAppender", ofRing, "")
            + "<appender name=\"R\" class=\"dev.forebay.access.AccessNonBlockingAppender\">"
            + "<appender-ref ref=\"FILE\"/></appender><appender-ref ref=\"R\"/>";
    try (Program program = start(server, configuration, "server");
        Visitors visitors = new Visitors(port(program), VISITORS, 10_000)) {
      visitors.awaitMore(1000);
      visitors.stop();
      assertThat(stop(program)).isEqualTo(visitors.answered());
      requireLines(places.lines(), visitors, 0, 0);
      requireLines(LogFiles.of(ofRing).lines(), visitors, 0, 0);
    }
    assertThat(SpoolPeek.spools(places.spool())).isEmpty();
  }

  /**
   * Tomcat answers after the call has returned, so that nothing answered is lost. Jetty logs after
   * its answer.
   */
  @ParameterizedTest
  @ValueSource(strings = {"tomcat", "jetty"})
  void afterAKillTheNextStartHasTheLineOfEachRequestThatWasAnswered(String server)
      throws Exception {
    String configuration = tiered(places.log(), "<durability>call</durability>");
    Visitors visitors;
    try (Program program = start(server, configuration, "first")) {
      visitors = new Visitors(port(program), VISITORS, PER_SECOND);
      visitors.awaitMore(500);
      program.kill();
      visitors.stop();
    }
    try (Program second = start(server, configuration, "second");
        Visitors others = new Visitors(port(second), 1, PER_SECOND)) {
      others.awaitMore(10);
      others.stop();
      assertThat(stop(second)).isEqualTo(others.answered());
      List<String> lines = places.lines();
      int left = lines.size() - others.answered();
      List<String> afterwards = lines.subList(left, lines.size());
      assertThat(afterwards).startsWith("/v0/0 /v0/0 200").hasSize(others.answered());
      requireLines(lines.subList(0, left), visitors, server.equals("jetty") ? 1 : 0, 1);
    }
  }

  /** With {@code -Dforebay.peers} also what Logback's own does, for the record. */
  static Stream<Arguments> logs() {
    Stream<String> types =
        Boolean.getBoolean("forebay.peers")
            ? Stream.of("ch.qos.logback.core.FileAppender", TIERED)
            : Stream.of(TIERED);
    return types.flatMap(
        type -> Stream.of(Arguments.of("tomcat", type), Arguments.of("jetty", type)));
  }

  @ParameterizedTest
  @MethodSource("logs")
  void noRequestWaitsForAFrozenDiskAndEachHasItsLine(String server, String type) throws Exception {
    boolean isOurs = type.equals(TIERED);
    try (Mounted disk = Mounted.disk(places)) {
      Path log = disk.at().resolve("access.log");
      String configuration =
          appender("A", type, log, isOurs ? spool() : "") + "<appender-ref ref=\"A\"/>";
      try (Program program = start(server, configuration, "server");
          Visitors visitors = new Visitors(port(program), VISITORS, PER_SECOND)) {
        visitors.awaitMore(2 * PER_SECOND); // until the JIT compiler has done most
        visitors.forgetTimes();
        visitors.awaitMore(PER_SECOND);
        disk.freeze();
        long bytesBefore = Files.size(log);
        Await.pass(STALL);
        if (isOurs) {
          visitors.awaitMore(PER_SECOND / 5);
          assertThat(Files.size(log)).as("taken by a frozen disk").isEqualTo(bytesBefore);
        }
        disk.thaw();
        visitors.awaitMore(PER_SECOND);
        visitors.stop();
        Figures.record(
            "access-log.txt",
            "%s, frozen for %d ms, %s: %s",
            server,
            STALL.toMillis(),
            type,
            visitors.times());
        if (isOurs) {
          visitors.requireCeiling();
          assertThat(stop(program)).isEqualTo(visitors.answered());
        } else {
          assertThat(program.end()).isZero();
        }
        requireLines(LogFiles.of(log).lines(), visitors, 0, 0);
      }
    }
  }
}
