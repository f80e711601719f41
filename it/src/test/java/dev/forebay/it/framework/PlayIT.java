package dev.forebay.it.framework;

import static org.assertj.core.api.Assertions.assertThat;

import dev.forebay.host.Await;
import dev.forebay.it.support.Oracle;
import dev.forebay.it.support.Places;
import dev.forebay.it.support.Program;
import dev.forebay.it.support.SpoolPeek;
import dev.forebay.it.support.Tiered;
import dev.forebay.it.support.Xml;
import java.io.File;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/**
 * Play with everything logged, from TRACE on, as JSON: it configures Logback again at each start
 * and stops it at its end, on a thread of its own.
 */
class PlayIT {

  /** Log calls of the demo's application in a request. */
  private static final int CALLS_OF_A_REQUEST = 83;

  /** A report of events that Pekko or the JDK logged while Play stopped the appender. */
  private static final String LATE =
      "(Forebay|Appender \\[JSON\\]): \\d+ events? dropped [^,]*: STOPPED \\d+ \\([A-Z0-9, ]+\\)";

  private static final String ENCODER =
      """
      <encoder class="net.logstash.logback.encoder.LoggingEventCompositeJsonEncoder">
        <providers>
          <timestamp/> <logLevel/> <loggerName/> <threadName/> <message/> <logstashMarkers/>
          <arguments/> <stackTrace/>
        </providers>
      </encoder>
      """;

  private static final String RING =
      """
      <ringBufferSize>32768</ringBufferSize>
      <maxFlushTime>30 seconds</maxFlushTime>
      <listener class="dev.forebay.observe.LoggingFailureListener"/>
      <listener class="dev.forebay.it.framework.PlayChild$Starts"/>
      """;

  private static String appenders(Places places) {
    return "<appender name=\"JSON\" class=\"dev.forebay.tiered.TieredAppender\">"
        + places.xml()
        + RING
        + Xml.rollBySize(places.logDirectory(), "200KB")
        + ENCODER
        + "</appender>";
  }

  /** The account of one start of the appender. */
  private record Start(boolean started, long offered, long delivered, String account) {
    static Start parse(String line) {
      String[] words = line.split(" ", 5);
      return new Start(
          Boolean.parseBoolean(words[1]),
          Long.parseLong(words[2]),
          Long.parseLong(words[3]),
          words[4]);
    }
  }

  /**
   * Play stops Logback, and with it the appender, only at the first end of a server in a JVM:
   * Logback's context, once stopped, does not stop again. What the second server logs must then be
   * in the file without a stop.
   */
  @Tag("jdk")
  @Test
  void noLineIsLostWhenPlayConfiguresLogbackAgainAndEnds() throws Exception {
    try (Places places = Places.create();
        PlayProcess play = PlayProcess.start(places, appenders(places))) {
      play.awaitReady();
      assertThat(SpoolPeek.spools(places.spool())).hasSize(1);
      List<String> account = play.terminate();
      assertThat(PlayProcess.said(account, "warning ")).isEmpty();
      Tiered.with(places.xml(), Xml.MESSAGES).flush().close(); // removes what nobody stopped
      assertThat(SpoolPeek.spools(places.spool())).isEmpty();
      requireConserved(account, places.lines());
    }
  }

  private static void requireConserved(List<String> account, List<String> lines) {
    List<Start> starts = PlayProcess.said(account, "start ").map(Start::parse).toList();
    assertThat(starts).as("Logback's own, and one a life").hasSize(1 + PlayChild.LIVES);
    for (Start start : starts) {
      assertThat(start.offered()).as(start.account()).isPositive();
      // Pekko and the JDK's management log on while Play stops the appender.
      assertThat(start.account())
          .contains("in flight 0")
          .containsPattern(
              " dropped (0 \\{\\}|\\d+ \\{((STOPPED|ABANDONED)=\\{[^{}]*\\}(, )?)+\\}) ");
    }
    assertThat(starts.stream().filter(Start::started))
        .as("left to the end of the JVM")
        .containsExactly(starts.get(starts.size() - 1));
    assertThat(lines).hasSize((int) starts.stream().mapToLong(Start::delivered).sum());

    List<JsonNode> events = parse(lines);
    assertThat(events.stream().filter(PlayIT::isUnexpectedWarning).map(JsonNode::toString))
        .isEmpty();
    assertThat(events.stream().filter(event -> logger(event).endsWith(".OrderController")))
        .hasSize(PlayChild.SERVERS * PlayChild.REQUESTS * CALLS_OF_A_REQUEST);
    oracle(account).requireSound(numbered(events));
  }

  private static List<JsonNode> parse(List<String> lines) {
    return lines.stream().map(line -> JsonMapper.shared().readTree(line)).toList();
  }

  private static List<String> numbered(List<JsonNode> events) {
    return events.stream()
        .filter(event -> logger(event).equals(PlayChild.LOGGER))
        .map(event -> event.get("message").asString())
        .toList();
  }

  private static Oracle oracle(List<String> account) {
    Oracle oracle = new Oracle();
    PlayProcess.said(account, "producer ")
        .map(line -> line.split(" "))
        .forEach(
            words -> oracle.producer(words[1], Long.parseLong(words[2]), Long.parseLong(words[2])));
    return oracle.complete(0);
  }

  /** Expected: Play's of several applications in a JVM, and reports of what came after the stop. */
  private static boolean isUnexpectedWarning(JsonNode event) {
    return !event.get("level").asString().matches("TRACE|DEBUG|INFO")
        && !logger(event).startsWith("play.api.")
        && !event.get("message").asString().matches(LATE);
  }

  private static String logger(JsonNode event) {
    return event.get("logger_name").asString();
  }

  /** A {@link PlayChild} seen from the parent. */
  private static final class PlayProcess implements AutoCloseable {

    /** Play takes seconds to start, where a processor is to be had. */
    private static final Duration PATIENCE = Duration.ofMinutes(2);

    private final Program program;
    private final Path reports;

    private PlayProcess(Program program, Path reports) {
      this.program = program;
      this.reports = reports;
    }

    /**
     * Starts one, with the files of a Play application's "conf" first on its class path.
     *
     * @param appenders what stands in its configuration, with an appender JSON
     */
    static PlayProcess start(Places places, String appenders) throws IOException {
      Path reports = places.directory("reports");
      Path conf = places.directory("conf");
      writeApplicationConf(conf);
      Path logbackXml = conf.resolve("logback.xml");
      writeLogbackXml(logbackXml, appenders);
      List<String> options = List.of("-XX:+UseSerialGC", "-Xmx256m");
      return new PlayProcess(
          Program.start(
              reports,
              options,
              conf + File.pathSeparator + Program.classPath(),
              PlayChild.class.getName(),
              places.directory("home").toString(),
              reports.toString()),
          reports);
    }

    private static void writeApplicationConf(Path conf) throws IOException {
      Files.writeString(
          conf.resolve("application.conf"),
          """
        play.application.loader = "dev.forebay.it.framework.PlayChild$Loader"
        play.http.secret.key = "%s"
        play.server.pidfile.path = "/dev/null"
        play.server.http.address = "127.0.0.1"
        play.server.http.port = 0
        pekko.coordinated-shutdown.phases.before-actor-system-terminate.timeout = 30 s
        """
              .formatted("only-for-this-test-".repeat(4)));
    }

    private static void writeLogbackXml(Path file, String appenders) throws IOException {
      Files.writeString(
          file,
          """
        <configuration>
          <statusListener class="dev.forebay.it.framework.PlayChild$Warnings"/>
          <appender name="STDOUT" class="ch.qos.logback.core.ConsoleAppender">
            <filter class="ch.qos.logback.classic.filter.ThresholdFilter">
              <level>WARN</level>
            </filter>
            <encoder><pattern>%%-5level %%logger{15} - %%message%%n%%xException{10}</pattern></encoder>
          </appender>
          %s
          <root level="TRACE"><appender-ref ref="JSON"/><appender-ref ref="STDOUT"/></root>
        </configuration>
        """
              .formatted(appenders));
    }

    /** Waits until it serves requests. */
    void awaitReady() {
      Path ready = reports.resolve("ready");
      boolean unused = Await.within(PATIENCE, () -> Files.exists(ready) || !program.isAlive());
      assertThat(ready).as(program.output()).exists();
    }

    /** Asks it to end and waits; its account. */
    List<String> terminate() throws IOException, InterruptedException {
      assertThat(program.terminate()).as(program.output()).isEqualTo(Program.TERMINATED);
      return Files.readAllLines(reports.resolve("account"));
    }

    /** The lines of an account that begin so. */
    static Stream<String> said(List<String> account, String kind) {
      return account.stream().filter(line -> line.startsWith(kind));
    }

    @Override
    public void close() {
      program.close();
    }
  }
}
