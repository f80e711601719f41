package dev.forebay.it.jvm;

import static org.assertj.core.api.Assertions.assertThat;

import dev.forebay.host.ChildJvm;
import dev.forebay.it.support.Places;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.OffsetDateTime;
import java.util.List;
import java.util.Locale;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** The JVM's pauses stand in the application's JSON, beside the requests that they delay. */
@Tag("jdk")
class JvmEventsIT {

  private static final String WHAT = "gc*=debug,safepoint=info";

  private static final String PAUSE = "GC\\(\\d+\\) Pause Full \\(System.gc\\(\\)\\) .*ms";

  @AutoClose private final Places places = Places.create();

  private String xml(Path log) {
    return """
    <configuration>
      <appender name="JSON" class="dev.forebay.tiered.TieredAppender">
        %s
        <encoder class="net.logstash.logback.encoder.LogstashEncoder"/>
      </appender>
      <appender name="JVM" class="dev.forebay.jvm.JvmLogAppender">
        <file>%s</file>
        <what>%s</what>
        <decorators>time,pid,uptimenanos,level,tags</decorators>
        <spoolDirectory>%s</spoolDirectory>
        <maxFlushTime>1 minute</maxFlushTime>
        <appender-ref ref="JSON"/>
      </appender>
      <root level="DEBUG">
        <appender-ref ref="JVM"/>
        <appender-ref ref="JSON"/>
      </root>
    </configuration>
    """
        .formatted(places.xml(), log, WHAT, places.spool());
  }

  @Test
  void eachLineOfTheJvmIsOneEventAtTheTimeOfTheJvm() throws Exception {
    Path log = places.logDirectory().resolve("gc.log");
    Path truth = places.spool().resolve("truth");
    Path configuration = places.root().resolve("logback.xml");
    Files.writeString(configuration, xml(log));
    String output =
        ChildJvm.run(
            List.of(
                "-XX:TieredStopAtLevel=1",
                "-Duser.timezone=UTC",
                "-Xlog:%s:file=%s:time,pid,uptimenanos,level,tags:filecount=0"
                    .formatted(WHAT, truth)),
            JvmEventsChild.class,
            configuration.toString());
    assertThat(output).isEmpty();
    List<JsonNode> json =
        Files.readAllLines(places.log()).stream()
            .map(line -> JsonMapper.shared().readTree(line))
            .toList();
    requireLines(json, log, truth);
    requireOrder(json);
  }

  /** As many as in the log, which has as many as the JVM wrote from its first to its last one. */
  private static void requireLines(List<JsonNode> json, Path log, Path truth) throws Exception {
    List<String> lines = JvmLives.lines(log);
    List<String> written = JvmLives.lines(truth);
    int from = written.indexOf(lines.get(0));
    assertThat(written.subList(from, from + lines.size()))
        .containsExactlyInAnyOrderElementsOf(lines);
    List<JsonNode> events =
        json.stream().filter(event -> text(event, "logger_name").startsWith("jvm.")).toList();
    assertThat(events).hasSameSizeAs(lines);
    assertThat(json).hasSize(lines.size() + 2 * JvmEventsChild.REQUESTS);
    for (int i = 0; i < lines.size(); i++) {
      JsonNode event = events.get(i);
      String tags = text(event, "jvm.tags");
      assertThat(lines.get(i)).endsWith("[" + tags + "] " + text(event, "message"));
      assertThat(lines.get(i)).contains("[" + text(event, "level").toLowerCase(Locale.ROOT) + "]");
      assertThat(text(event, "logger_name")).isEqualTo("jvm." + tags.replace(',', '.'));
      assertThat(text(event, "thread_name")).isEqualTo("JVM");
      assertThat(timeMs(event))
          .isEqualTo(
              OffsetDateTime.parse(
                      lines.get(i).substring(1, lines.get(i).indexOf(']')).replace("+0000", "Z"))
                  .toInstant()
                  .toEpochMilli());
    }
  }

  /**
   * A pause was between the two events of its request; a request has none if another came first.
   */
  private static void requireOrder(List<JsonNode> json) {
    List<Long> pausesMs =
        json.stream()
            .filter(event -> text(event, "message").matches(PAUSE))
            .map(JvmEventsIT::timeMs)
            .toList();
    assertThat(pausesMs).isNotEmpty().allMatch(pauseMs -> isInRequest(pauseMs, json));
  }

  private static boolean isInRequest(long pauseMs, List<JsonNode> json) {
    return IntStream.range(0, JvmEventsChild.REQUESTS)
        .anyMatch(
            request ->
                timeMs(of(json, "begin " + request)) <= pauseMs
                    && pauseMs <= timeMs(of(json, "end " + request)));
  }

  private static JsonNode of(List<JsonNode> json, String message) {
    return json.stream()
        .filter(event -> text(event, "message").equals(message))
        .findFirst()
        .orElseThrow();
  }

  private static String text(JsonNode event, String field) {
    return event.path(field).asString();
  }

  private static long timeMs(JsonNode event) {
    return OffsetDateTime.parse(text(event, "@timestamp")).toInstant().toEpochMilli();
  }
}
