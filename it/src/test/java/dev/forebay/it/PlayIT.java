package dev.forebay.it;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.File;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/**
 * Play with everything logged, from TRACE on, as JSON: it configures Logback again at each start
 * and stops it at its end, on a thread of its own.
 */
class PlayIT {

  private static final int TERMINATED = 128 + 15;

  /** Play takes seconds to start, where a processor is to be had. */
  private static final Duration PATIENCE = Duration.ofMinutes(2);

  /** Log calls of the demo's application in a request. */
  private static final int CALLS_OF_A_REQUEST = 83;

  /** A report of events that Pekko or the JDK logged while Play stopped the appender. */
  private static final String LATE =
      "Forebay: \\d+ events? dropped [^,]*: STOPPED \\d+ \\([A-Z0-9, ]+\\)"
          + "|\\d+ append failures since [^,]*";

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
      <listener class="dev.forebay.logstash.LogstashListener">
        <delegate
          class="net.logstash.logback.appender.listener.FailureSummaryLoggingAppenderListener"/>
      </listener>
      <listener class="dev.forebay.it.PlayChild$Starts"/>
      """;

  private enum Kind {
    TIERED {
      @Override
      String appenders(Places places) {
        return "<appender name=\"JSON\" class=\"dev.forebay.tiered.TieredAppender\">"
            + places.xml()
            + RING
            + Xml.rollBySize(places.logDirectory(), "200KB")
            + ENCODER
            + "</appender>";
      }
    },
    NON_BLOCKING {
      @Override
      String appenders(Places places) {
        return "<appender name=\"FILE\" class=\"ch.qos.logback.core.rolling.RollingFileAppender\">"
            + "<file>%s</file>".formatted(places.log())
            + Xml.rollBySize(places.logDirectory(), "200KB")
            + ENCODER
            + "</appender><appender name=\"JSON\" class=\"dev.forebay.NonBlockingAppender\">"
            + RING
            + "<appender-ref ref=\"FILE\"/></appender>";
      }
    };

    abstract String appenders(Places places);
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
  @ParameterizedTest
  @CsvSource({"TIERED, 1", "TIERED, 2", "NON_BLOCKING, 1", "NON_BLOCKING, 2"})
  void noLineIsLostWhenPlayConfiguresLogbackAgainAndEnds(Kind kind, int servers) throws Exception {
    try (Places places = Places.create()) {
      Path reports = places.directory("reports");
      Process play = start(kind, places, reports, servers);
      try {
        Path ready = reports.resolve("ready");
        Await.within(PATIENCE, () -> Files.exists(ready) || !play.isAlive());
        assertThat(ready).as(output(reports)).exists();
        assertThat(SpoolPeek.spools(places.spool())).hasSize(kind == Kind.TIERED ? 1 : 0);
        play.destroy(); // SIGTERM
        assertThat(play.waitFor(PATIENCE.toSeconds(), TimeUnit.SECONDS))
            .as(output(reports))
            .isTrue();
      } finally {
        play.destroyForcibly();
      }
      assertThat(play.exitValue()).as(output(reports)).isEqualTo(TERMINATED);
      List<String> account = Files.readAllLines(reports.resolve("account"));
      assertThat(said(account, "warning ")).isEmpty();
      if (kind == Kind.TIERED && servers > 1) {
        Tiered.with(places.xml(), Xml.MESSAGES).flush().close(); // removes what nobody stopped
      }
      assertThat(SpoolPeek.spools(places.spool())).isEmpty();
      requireConserved(account, servers, places.lines());
    }
  }

  private static void requireConserved(List<String> account, int servers, List<String> lines) {
    List<Start> starts = said(account, "start ").map(Start::parse).toList();
    assertThat(starts).as("Logback's own, and one a life").hasSize(1 + PlayChild.TESTS + servers);
    for (Start start : starts) {
      assertThat(start.offered()).as(start.account()).isPositive();
      // Pekko and the JDK's management log on while Play stops the appender.
      assertThat(start.account())
          .contains("in flight 0")
          .containsPattern(" dropped (0 \\{\\}|\\d+ \\{STOPPED=\\{[^{}]*\\}\\}) ");
    }
    assertThat(starts.stream().map(Start::started))
        .as("left to the end of the JVM")
        .containsExactly(leftRunning(starts.size(), servers > 1));
    assertThat(lines).hasSize((int) starts.stream().mapToLong(Start::delivered).sum());

    List<JsonNode> events = lines.stream().map(line -> JsonMapper.shared().readTree(line)).toList();
    assertThat(events.stream().filter(PlayIT::isUnexpectedWarning).map(JsonNode::toString))
        .isEmpty();
    assertThat(events.stream().filter(event -> logger(event).endsWith(".OrderController")))
        .hasSize(servers * PlayChild.REQUESTS * CALLS_OF_A_REQUEST);
    Oracle oracle = new Oracle();
    said(account, "producer ")
        .map(line -> line.split(" "))
        .forEach(
            words -> oracle.producer(words[1], Long.parseLong(words[2]), Long.parseLong(words[2])));
    oracle
        .complete(0)
        .requireSound(
            events.stream()
                .filter(event -> logger(event).equals(PlayChild.LOGGER))
                .map(event -> event.get("message").asString())
                .toList());
  }

  /** Expected: Play's of several applications in a JVM, and reports of what came after the stop. */
  private static boolean isUnexpectedWarning(JsonNode event) {
    return !event.get("level").asString().matches("TRACE|DEBUG|INFO")
        && !logger(event).startsWith("play.api.")
        && !event.get("message").asString().matches(LATE);
  }

  private static Boolean[] leftRunning(int starts, boolean last) {
    Boolean[] running = new Boolean[starts];
    Arrays.fill(running, false);
    running[starts - 1] = last;
    return running;
  }

  private static String logger(JsonNode event) {
    return event.get("logger_name").asString();
  }

  private static Stream<String> said(List<String> account, String kind) {
    return account.stream().filter(line -> line.startsWith(kind));
  }

  private static String output(Path reports) throws Exception {
    return Files.readString(reports.resolve("output"));
  }

  /** With the files of a Play application's "conf" first on its class path. */
  private static Process start(Kind kind, Places places, Path reports, int servers)
      throws Exception {
    Path conf = places.directory("conf");
    Files.writeString(
        conf.resolve("application.conf"),
        """
        play.application.loader = "dev.forebay.it.PlayChild$Loader"
        play.http.secret.key = "%s"
        play.server.pidfile.path = "/dev/null"
        play.server.http.address = "127.0.0.1"
        play.server.http.port = 0
        pekko.coordinated-shutdown.phases.before-actor-system-terminate.timeout = 30 s
        """
            .formatted("only-for-this-test-".repeat(4)));
    Files.writeString(
        conf.resolve("logback.xml"),
        """
        <configuration>
          <statusListener class="dev.forebay.it.PlayChild$Warnings"/>
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
            .formatted(kind.appenders(places)));
    String classPath =
        conf
            + File.pathSeparator
            + System.getProperty("surefire.test.class.path", System.getProperty("java.class.path"));
    return new ProcessBuilder(
            Path.of(System.getProperty("java.home"), "bin", "java").toString(),
            "-XX:TieredStopAtLevel=1",
            "-XX:+UseSerialGC",
            "-XX:-UsePerfData",
            "-Xmx256m",
            "-cp",
            classPath,
            PlayChild.class.getName(),
            places.directory("home").toString(),
            reports.toString(),
            String.valueOf(servers))
        .redirectErrorStream(true)
        .redirectOutput(reports.resolve("output").toFile())
        .start();
  }
}
