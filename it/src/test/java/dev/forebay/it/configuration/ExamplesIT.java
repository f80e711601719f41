package dev.forebay.it.configuration;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.forebay.host.Command;
import dev.forebay.it.support.Documents;
import dev.forebay.it.support.LogFiles;
import dev.forebay.it.support.Places;
import dev.forebay.it.support.Program;
import dev.forebay.it.support.SpoolPeek;
import dev.forebay.it.support.Tiered;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;
import org.slf4j.MDC;

/** What stands in src/examples works as it stands, and its numbers fit each other. */
class ExamplesIT {

  private static final List<String> LOGS =
      List.of("app.log", "app.json", "errors.log", "application.json", "gatling.json");

  private static final String STANDARD_OUTPUT = "logback-stdout.xml";

  static List<Path> examples() throws IOException {
    return Documents.files(99, ".xml", "src/examples").stream()
        .filter(file -> !file.toString().contains("spring-boot")) // SpringBootIT's
        .filter(file -> !file.endsWith("tiered-kafka.xml")) // ExamplesOnABrokerIT's
        .filter(file -> !file.endsWith("tiered-otlp.xml")) // OtlpDestinationTest's
        .filter(file -> !file.endsWith(STANDARD_OUTPUT))
        .toList();
  }

  @ParameterizedTest(name = "{0}")
  @MethodSource("examples")
  void examplesWorkAsTheyStand(Path example) throws Exception {
    String xml = Files.readString(example);
    MDC.put("user", "u1");
    try (Places places = Places.create();
        Tiered logback = Tiered.configured(xml, properties(places))) {
      try {
        logback.context().getMDCAdapter().put("traceId", "t1");
        for (int i = 1; i <= 100; i++) {
          logback.logger().error("event {}.", i);
        }
        logback.context().stop();
        assertThat(logback.errors()).as("%s", logback.statuses()).isEmpty();
        assertThat(logback.warnings()).allMatch(text -> text.contains("is on the disk of the log"));
        requireEvents(
            LogFiles.of(places.log()).paths().stream()
                .filter(path -> !path.toString().contains(".flight.")) // a dump
                .toList());
      } finally {
        for (String name : LOGS) {
          SpoolPeek.forget(Path.of("/dev/shm"), places.logDirectory().resolve(name));
        }
      }
    } finally {
      MDC.clear();
    }
  }

  @Test
  void theExampleForStandardOutputWorksAsItStands() throws Exception {
    Path example = Documents.root().resolve("src/examples/kubernetes").resolve(STANDARD_OUTPUT);
    try (Places places = Places.create();
        Tiered logback = Tiered.configured(Files.readString(example), properties(places))) {
      logback.logger().error("an event of an example");
      logback.context().stop();
      assertThat(logback.errors()).as("%s", logback.statuses()).isEmpty();
      assertThat(logback.warnings()).isEmpty();
    }
  }

  private static Map<String, String> properties(Places places) throws IOException {
    Map<String, String> properties = new HashMap<>();
    properties.put("LOG_DIR", places.logDirectory().toString());
    properties.put("SPOOL_DIR", places.spool().toString());
    properties.put("OVERFLOW_DIR", places.directory("overflow").toString());
    return properties;
  }

  @Test
  void theUnitIsOneThatSystemdReads() throws Exception {
    assumeTrue(
        Command.exists("systemd-analyze"),
        "systemd-analyze is not installed: apt-get install systemd");
    Path unit = Documents.root().resolve("src/examples/systemd/forebay-ship.service");
    try (Places places = Places.create()) {
      Path here = places.directory("unit").resolve("forebay-ship.service");
      String text = Files.readString(unit);
      assertThat(text).contains("ExecStart=/usr/bin/java ");
      Files.writeString(here, text.replace("/usr/bin/java", Program.ofJdk("java")));
      assertThat(Command.run("systemd-analyze", "verify", "--man=no", here.toString())).isEmpty();
    }
  }

  /**
   * A shipper ends before Kubernetes or systemd kills it, and sees a log where its application
   * does.
   */
  @ParameterizedTest
  @CsvSource({
    "kubernetes/apart.yaml, terminationGracePeriodSeconds: (\\d+)",
    "kubernetes/node.yaml, terminationGracePeriodSeconds: (\\d+)",
    "systemd/forebay-ship.service, TimeoutStopSec=(\\d+)s"
  })
  void aShipperHasTheTimeThatItTakesToEnd(String example, String limit) throws Exception {
    String text = Files.readString(Documents.root().resolve("src/examples").resolve(example));
    assertThat(number(text, limit)).isGreaterThanOrEqualTo(number(text, "--grace[= ](\\d+)s") + 5);
    Matcher paths = Pattern.compile("name: (?:log|spool), mountPath: (\\S+)}").matcher(text);
    Map<String, Integer> mounts = new HashMap<>();
    while (paths.find()) {
      mounts.merge(paths.group(1), 1, Integer::sum);
    }
    if (example.endsWith("apart.yaml")) {
      assertThat(mounts).containsOnly(Map.entry("/var/log/app", 2), Map.entry("/spool", 2));
    }
  }

  private static int number(String text, String regex) {
    Matcher found = Pattern.compile(regex).matcher(text);
    assertThat(found.find()).as(regex).isTrue();
    return Integer.parseInt(found.group(1));
  }

  @Test
  void theAlertsFireWhenTheyShould() throws Exception {
    assumeTrue(Command.exists("promtool"), "promtool is not installed: apt-get install prometheus");
    Path rules = Documents.root().resolve("src/examples/monitoring/alerts-test.yml");
    assertThat(Command.run("promtool", "test", "rules", rules.toString())).contains("SUCCESS");
  }

  private static void requireEvents(List<Path> files) throws IOException {
    assertThat(files).isNotEmpty();
    for (Path file : files) {
      assertThat(Files.readAllLines(file))
          .as(file.toString())
          .filteredOn(line -> !line.contains("Forebay: ")) // it names a dump
          .hasSize(100)
          .allMatch(line -> line.contains("event "))
          .last()
          .asString()
          .contains("event 100.");
    }
  }
}
