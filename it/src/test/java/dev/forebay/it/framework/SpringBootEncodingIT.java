package dev.forebay.it.framework;

import static org.assertj.core.api.Assertions.assertThat;

import dev.forebay.it.support.LogFiles;
import dev.forebay.it.support.Numbered;
import dev.forebay.it.support.Oracle;
import dev.forebay.it.support.Places;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** Boot's encoder, called by eight threads at once, beside one of its kind called by one thread. */
@Tag("soak")
@Tag("nightly")
class SpringBootEncodingIT {

  private static final int THREADS = 8;
  private static final int EACH = 2_000;

  /** A ring so small that it is above its mark nearly always. */
  private static final String BY_CALLERS = "<ringBufferSize>1024</ringBufferSize>";

  /** A ring that takes all events, so that this appender holds up nobody. */
  private static final String BY_ONE_THREAD =
      "<callerEncoding>false</callerEncoding><ringBufferSize>32768</ringBufferSize>"
          + "<ringBufferBytes>512 MB</ringBufferBytes><discardingThreshold>0</discardingThreshold>";

  private static final JsonMapper JSON = new JsonMapper();

  /** Formats as in a configuration; where one is Boot's property, that says {@code ecs}. */
  private enum Format {
    ECS("${FILE_LOG_STRUCTURED_FORMAT}", "message"),
    LOGSTASH("logstash", "message"),
    GELF("gelf", "short_message");

    private final String text;
    private final String member;

    Format(String text, String member) {
      this.text = text;
      this.member = member;
    }

    private String appender(String name, String properties) {
      return """
      <appender name="%s_%s" class="dev.forebay.tiered.TieredAppender">
        <file>${root}/log/%s_%s/app.json</file><spoolDirectory>${spool}</spoolDirectory>%s
        <encoder class="org.springframework.boot.logging.logback.StructuredLogEncoder">
          <format>%s</format>
        </encoder>
      </appender>
      """
          .formatted(name(), name, name(), name, properties, text);
    }

    private @Nullable Numbered messageOf(String line) {
      JsonNode json = JSON.readTree(line);
      return Numbered.parse(json.path(member).asString());
    }

    private boolean isOurs(String line) {
      return messageOf(line) != null;
    }
  }

  @AutoClose private final Places places = Places.create();

  private static String xml() {
    StringBuilder appenders =
        new StringBuilder(
            """
            <springProperty scope="context" name="root" source="it.root"/>
            <springProperty scope="context" name="spool" source="it.spool"/>
            """);
    List<String> names = new ArrayList<>();
    for (Format format : Format.values()) {
      appenders.append(format.appender("CALLERS", BY_CALLERS));
      appenders.append(format.appender("ONE", BY_ONE_THREAD));
      names.addAll(List.of(format + "_CALLERS", format + "_ONE"));
    }
    return BootXml.around(appenders.toString(), names.toArray(String[]::new));
  }

  private BootProcess start(FatJar version) throws Exception {
    Path jar = version.with("logback-spring.xml", xml(), places.directory("jar"));
    return BootProcess.start(
        jar,
        places.root().resolve("output"),
        "--it.root=" + places.root(),
        "--it.spool=" + places.spool(),
        "--spring.application.name=shop",
        "--logging.structured.format.file=ecs",
        "--logging.structured.json.customizer=dev.forebay.it.boot.CallerCount");
  }

  private static String producer(int thread) {
    return "thread-" + thread;
  }

  private static void logWithAllThreads(BootProcess boot) {
    CompletableFuture.allOf(
            IntStream.range(0, THREADS)
                .mapToObj(thread -> CompletableFuture.runAsync(() -> log(boot, producer(thread))))
                .toArray(CompletableFuture<?>[]::new))
        .join();
  }

  private static void log(BootProcess boot, String producer) {
    try {
      boot.logRichly(producer, EACH);
    } catch (Exception e) {
      throw new AssertionError(boot.output(), e);
    }
  }

  @ParameterizedTest
  @MethodSource("dev.forebay.it.framework.FatJar#representative")
  void eightThreadsEncodeWhatOneThreadWould(FatJar version) throws Exception {
    Map<String, BootProcess.Account> accounts;
    try (BootProcess boot = start(version)) {
      logWithAllThreads(boot);
      accounts = boot.flushedAccounts();
      List<Long> byCallers =
          Stream.of(boot.get("/encoded-by-callers").split(" ", -1)).map(Long::parseLong).toList();
      assertThat(byCallers).hasSize(2 * Format.values().length);
      for (int i = 0; i < byCallers.size(); i += 2) {
        assertThat(byCallers.get(i)).as("encoded by callers, of %s", byCallers).isPositive();
        assertThat(byCallers.get(i + 1)).as("elsewhere, of %s", byCallers).isZero();
      }
      assertThat(boot.problems()).isEmpty();
      assertThat(boot.terminate()).as(boot.output()).isEqualTo(BootProcess.TERMINATED);
    }
    for (Format format : Format.values()) {
      List<String> byOne = sound(format, format + "_ONE", 0);
      BootProcess.Account account = Objects.requireNonNull(accounts.get(format + "_CALLERS"));
      List<String> byAll = sound(format, format + "_CALLERS", account.dropped());
      Set<String> expected = new HashSet<>(byOne);
      assertThat(byAll).as("%s, byte for byte", format).allMatch(expected::contains);
    }
  }

  /** Our lines of a log. Boot logs while there is no load, so only such lines can be missing. */
  private List<String> sound(Format format, String name, long dropped) throws Exception {
    Path log = places.logDirectory().resolve(name).resolve("app.json");
    List<String> lines = LogFiles.of(log).lines().stream().filter(format::isOurs).toList();
    Oracle oracle = new Oracle(format::messageOf).dropped(dropped);
    IntStream.range(0, THREADS).forEach(i -> oracle.producer(producer(i), EACH, EACH));
    oracle.complete(0).requireSound(lines);
    return lines;
  }
}
