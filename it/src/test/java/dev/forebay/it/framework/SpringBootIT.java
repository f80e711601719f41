package dev.forebay.it.framework;

import static org.assertj.core.api.Assertions.assertThat;

import dev.forebay.it.support.LogFiles;
import dev.forebay.it.support.Oracle;
import dev.forebay.it.support.Places;
import dev.forebay.it.support.SpoolPeek;
import dev.forebay.it.support.Xml;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.TreeSet;
import java.util.concurrent.CompletableFuture;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Both appenders in the fat jar of a Spring Boot application, under load and to its end. */
@Tag("jdk")
class SpringBootIT {

  private static final int CLIENTS = 2;
  private static final int REQUESTS = 150;
  private static final int LAST_WORDS = 20;

  /** Has Logback print every status of its own start and of Boot's. */
  private static final String SAY_ALL =
      "-Dlogback.statusListenerClass=ch.qos.logback.core.status.OnConsoleStatusListener";

  private static final int JAVA_WITH_VIRTUAL_THREADS = 21;
  private static final Pattern MESSAGE = Pattern.compile("\\{.*\"message\":\"([^\"]*)\".*}");

  /** One line for each event, whatever is in its message. */
  private static final String PATTERN =
      "<encoder><pattern>%logger %replace(%msg){'\\n', ' '}%n%nopex</pattern></encoder>";

  private static final String APPENDERS =
      """
      <include resource="org/springframework/boot/logging/logback/defaults.xml"/>
      <springProperty scope="context" name="root" source="it.root"/>
      <springProperty scope="context" name="spool" source="it.spool"/>
      <appender name="ECS" class="dev.forebay.tiered.TieredAppender">
        <file>${root}/ecs/app.json</file><spoolDirectory>${spool}</spoolDirectory>
        <encoder class="org.springframework.boot.logging.logback.StructuredLogEncoder">
          <format>ecs</format>
        </encoder>
      </appender>
      <appender name="LOGSTASH" class="dev.forebay.tiered.TieredAppender">
        <file>${root}/logstash/app.json</file><spoolDirectory>${spool}</spoolDirectory>
        <encoder class="net.logstash.logback.encoder.LogstashEncoder"/>
      </appender>
      <appender name="FILE" class="ch.qos.logback.core.FileAppender">
        <file>${root}/ring/app.log</file>
      """
          + PATTERN
          + """
      </appender>
      <appender name="RING" class="dev.forebay.NonBlockingAppender">
        <appender-ref ref="FILE"/>
      </appender>
      """;

  @AutoClose private final Places places = Places.create();

  /** One client: requests one after the other, each of which logs one message. */
  private static CompletableFuture<String> load(BootProcess boot, String producer) {
    return CompletableFuture.supplyAsync(
        () -> {
          try {
            String thread = "";
            for (int number = 0; number < REQUESTS; number++) {
              thread = boot.log(producer, number, 1);
            }
            return thread;
          } catch (Exception e) {
            throw new AssertionError(boot.output(), e);
          }
        });
  }

  private static String around(String appenders, String... names) {
    StringBuilder references = new StringBuilder();
    for (String name : names) {
      references.append("<appender-ref ref=\"%s\"/>".formatted(name));
    }
    return "<configuration>%s<root level=\"INFO\">%s</root></configuration>"
        .formatted(appenders, references);
  }

  /** The numbered messages among the lines of a log. */
  private static List<String> ours(List<String> lines) {
    return lines.stream()
        .filter(line -> line.startsWith("it "))
        .map(line -> line.substring("it ".length()))
        .toList();
  }

  private static List<String> messages(List<String> json) {
    return json.stream()
        .map(
            line -> {
              Matcher matcher = MESSAGE.matcher(line);
              assertThat(matcher.matches()).as(line).isTrue();
              return matcher.group(1);
            })
        .filter(message -> message.startsWith("client-") || message.startsWith("last "))
        .toList();
  }

  private static Oracle oracle() {
    Oracle oracle = new Oracle().producer("last", LAST_WORDS, LAST_WORDS);
    for (int client = 0; client < CLIENTS; client++) {
      oracle.producer("client-" + client, REQUESTS, REQUESTS);
    }
    return oracle.complete(0);
  }

  @ParameterizedTest
  @MethodSource("dev.forebay.it.framework.FatJar#wanted")
  void everyEventOfAnApplicationIsInEveryFileUpToItsLastWord(FatJar version) throws Exception {
    Path jar =
        version.with(
            "logback-spring.xml",
            around(APPENDERS, "ECS", "LOGSTASH", "RING"),
            places.directory("jar"));
    Map<String, LogFiles> files =
        Map.of(
            "ECS", LogFiles.of(places.directory("ecs").resolve("app.json")),
            "LOGSTASH", LogFiles.of(places.directory("logstash").resolve("app.json")),
            "RING", LogFiles.of(places.directory("ring").resolve("app.log")));
    try (BootProcess boot =
        BootProcess.start(
            jar,
            places.root(),
            "--it.root=" + places.root(),
            "--it.spool=" + places.spool(),
            "--spring.threads.virtual.enabled=true")) {
      List<CompletableFuture<String>> clients =
          List.of(load(boot, "client-0"), load(boot, "client-1"));
      for (CompletableFuture<String> client : clients) {
        assertThat(client.get().contains("VirtualThread"))
            .as("logged by a virtual thread, where there are any")
            .isEqualTo(Runtime.version().feature() >= JAVA_WITH_VIRTUAL_THREADS);
      }
      assertThat(boot.get("/actuator/health")).contains("UP");
      assertThat(boot.problems()).isEmpty();
      requireDelivered(boot.flushedAccounts(), files);
      boot.sayAtTheEnd("last", LAST_WORDS);
      boot.terminate();
    }
    oracle().requireSound(messages(files.get("ECS").lines()));
    oracle().requireSound(messages(files.get("LOGSTASH").lines()));
    oracle().requireSound(ours(files.get("RING").lines()));
    assertThat(SpoolPeek.spools(places.spool())).isEmpty();
  }

  /** The example as it stands. */
  @ParameterizedTest
  @MethodSource("dev.forebay.it.framework.FatJar#wanted")
  void theExampleWorks(FatJar version) throws Exception {
    Path example = Path.of("..", "src", "examples", "spring-boot", "logback-spring.xml");
    String xml = Files.readString(example);
    Path jar = version.with("logback-spring.xml", xml, places.directory("jar"));
    Path log = places.logDirectory().resolve("shop.log");
    try (BootProcess boot = BootProcess.start(jar, places.root(), "--logging.file.name=" + log)) {
      boot.log("client-0", 0, REQUESTS);
      // The place is everybody's: others may have left spools there whose logs nobody opens any
      // more.
      assertThat(boot.problems()).allMatch(text -> text.contains("of a dead process"));
      Map<String, BootProcess.Account> accounts = boot.flushedAccounts();
      assertThat(accounts).containsOnlyKeys("FILE", "STDOUT");
      assertThat(accounts.values())
          .allSatisfy(account -> assertThat(account.delivered()).isEqualTo(account.offered()));
      assertThat(LogFiles.of(log).lines()).hasSize((int) accounts.get("FILE").offered());
      boot.terminate();
      requireNumbered(boot.output().lines().toList());
    } finally {
      SpoolPeek.forget(Path.of("/dev/shm"), log);
    }
    requireNumbered(LogFiles.of(log).lines());
    assertThat(LogFiles.of(log).paths()).as("nothing is written twice").hasSize(1);
  }

  /** Logback reads logback.xml when the first logger is asked for, then Boot reads it again. */
  @Tag("nightly")
  @Test
  void aConfigurationThatIsReadTwiceLeavesNoSecondSpoolAndNoWarning() throws Exception {
    Path jar =
        FatJar.BOOT_4.with(
            "logback.xml",
            around(
                "<appender name=\"LOG\" class=\"dev.forebay.tiered.TieredAppender\">"
                    + places.xml()
                    + Xml.FAST
                    + PATTERN
                    + "</appender>",
                "LOG"),
            places.directory("jar"));
    try (BootProcess boot = BootProcess.start(jar, places.root(), SAY_ALL)) {
      boot.log("client-0", 0, REQUESTS);
      assertThat(boot.output().lines().filter(line -> line.contains("appender named [LOG]")))
          .as("started twice: %s", boot.output())
          .hasSize(2);
      assertThat(boot.problems()).isEmpty();
      assertThat(boot.output()).doesNotContain("|-WARN", "|-ERROR");
      assertThat(boot.flushedAccounts()).containsOnlyKeys("LOG");
      assertThat(SpoolPeek.spools(places.spool())).hasSize(1);
      boot.sayAtTheEnd("last", LAST_WORDS);
      boot.terminate();
      assertThat(boot.output()).doesNotContain("|-WARN", "|-ERROR");
    }
    new Oracle()
        .producer("client-0", REQUESTS, REQUESTS)
        .producer("last", LAST_WORDS, LAST_WORDS)
        .complete(0)
        .requireSound(ours(places.lines()));
    assertThat(SpoolPeek.spools(places.spool())).isEmpty();
  }

  /** The messages of a client behind what Boot's patterns put before them. */
  private static void requireNumbered(List<String> lines) {
    List<String> messages =
        lines.stream()
            .filter(line -> line.contains(" : client-0 "))
            .map(line -> line.substring(line.indexOf(" : client-0 ") + " : ".length()))
            .toList();
    new Oracle().producer("client-0", REQUESTS, REQUESTS).complete(0).requireSound(messages);
  }

  /** Events offered = lines in the files, Boot's own among them. */
  private static void requireDelivered(
      Map<String, BootProcess.Account> accounts, Map<String, LogFiles> files) throws Exception {
    assertThat(accounts.keySet()).isEqualTo(new TreeSet<>(files.keySet()));
    for (Map.Entry<String, BootProcess.Account> entry : accounts.entrySet()) {
      BootProcess.Account account = entry.getValue();
      assertThat(account.delivered()).as("%s", entry).isEqualTo(account.offered());
      assertThat(files.get(entry.getKey()).lines()).hasSize((int) account.offered());
    }
  }
}
