package dev.forebay.it.framework;

import static org.assertj.core.api.Assertions.assertThat;

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

  private static final String APPLICATION =
      """
      play.application.loader = "dev.forebay.it.framework.PlayChild$Loader"
      play.http.secret.key = "only-for-this-test-only-for-this-test-only-for-this-test"
      play.server.pidfile.path = "/dev/null"
      play.server.http.address = "127.0.0.1"
      play.server.http.port = 0
      pekko.coordinated-shutdown.phases.before-actor-system-terminate.timeout = 30 s
      """;

  private static final String LOGBACK =
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
    try (Places places = Places.create()) {
      Path reports = places.directory("reports");
      List<String> account;
      try (Program play = start(places, reports)) {
        play.awaitSaid("ready");
        assertThat(SpoolPeek.spools(places.spool())).hasSize(1);
        assertThat(play.terminate()).as(play.output()).isEqualTo(Program.TERMINATED);
        account = Files.readAllLines(reports.resolve("account"));
      }
      assertThat(said(account, "warning ")).isEmpty();
      Tiered.with(places.xml(), Xml.MESSAGES).flush().close(); // removes what nobody stopped
      assertThat(SpoolPeek.spools(places.spool())).isEmpty();
      requireConserved(account, places.lines());
    }
  }

  /** A {@link PlayChild}, with the files of a Play application's "conf" first on its class path. */
  private static Program start(Places places, Path reports) throws IOException {
    Path conf = places.directory("conf");
    Files.writeString(conf.resolve("application.conf"), APPLICATION);
    Files.writeString(conf.resolve("logback.xml"), LOGBACK.formatted(appenders(places)));
    return Program.start(
        reports,
        List.of("-XX:+UseSerialGC", "-Xmx256m"),
        conf + File.pathSeparator + Program.classPath(),
        PlayChild.class.getName(),
        places.directory("home").toString(),
        reports.toString());
  }

  /** The lines of an account that begin so. */
  private static Stream<String> said(List<String> account, String kind) {
    return account.stream().filter(line -> line.startsWith(kind));
  }

  private static void requireConserved(List<String> account, List<String> lines) {
    List<Start> starts = said(account, "start ").map(Start::parse).toList();
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
    said(account, "producer ")
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
}
