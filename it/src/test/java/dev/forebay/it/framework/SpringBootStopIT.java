package dev.forebay.it.framework;

import static org.assertj.core.api.Assertions.assertThat;

import dev.forebay.it.support.Numbered;
import dev.forebay.it.support.Oracle;
import dev.forebay.it.support.Places;
import dev.forebay.it.support.SpoolPeek;
import dev.forebay.it.support.Tiered;
import dev.forebay.it.support.Xml;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/** How a Spring Boot application may start and end, and where its events are afterwards. */
@Tag("soak")
class SpringBootStopIT {

  private static final int MESSAGES = 50;
  private static final int LAST_WORDS = 20;
  private static final String FAST = "<fsync>50 milliseconds</fsync>";

  /** Has Logback print every status of its own start and of Boot's. */
  private static final String SAY_ALL =
      "-Dlogback.statusListenerClass=ch.qos.logback.core.status.OnConsoleStatusListener";

  @AutoClose private final Places places = Places.create();

  private BootProcess start(Path jar, String... options) throws Exception {
    return BootProcess.start(jar, places.root().resolve("output"), options);
  }

  private static Oracle oracle() {
    return new Oracle()
        .producer("p", MESSAGES, MESSAGES)
        .producer("last", LAST_WORDS, LAST_WORDS)
        .complete(0);
  }

  /** Logback reads logback.xml when the first logger is asked for, then Boot reads it again. */
  @Tag("nightly")
  @ParameterizedTest
  @MethodSource("dev.forebay.it.framework.FatJar#representative")
  void aConfigurationThatIsReadTwiceLeavesNoSecondSpoolAndNoWarning(FatJar version)
      throws Exception {
    Path jar = version.with("logback.xml", BootXml.tiered(places, FAST), places.directory("jar"));
    try (BootProcess boot = start(jar, SAY_ALL)) {
      boot.log("p", 0, MESSAGES);
      assertThat(boot.output().lines().filter(line -> line.contains("appender named [LOG]")))
          .as("started twice: %s", boot.output())
          .hasSize(2);
      assertThat(boot.problems()).isEmpty();
      assertThat(boot.output()).doesNotContain("|-WARN", "|-ERROR");
      assertThat(boot.accounts()).containsOnlyKeys("LOG");
      assertThat(SpoolPeek.spools(places.spool())).hasSize(1);
      boot.sayAtTheEnd("last", LAST_WORDS);
      assertThat(boot.terminate()).as(boot.output()).isEqualTo(BootProcess.TERMINATED);
      assertThat(boot.output()).doesNotContain("|-WARN", "|-ERROR");
    }
    oracle().requireSound(BootXml.ours(places.lines()));
    assertThat(SpoolPeek.spools(places.spool())).isEmpty();
  }

  /**
   * Then nobody stops the appender: its own hook empties the ring, which is slow here, and what the
   * JVM leaves in the spool is for the next start.
   */
  @Tag("nightly")
  @ParameterizedTest
  @MethodSource("dev.forebay.it.framework.FatJar#representative")
  void withoutSpringsShutdownHookForLoggingNothingIsLostEither(FatJar version) throws Exception {
    String slow =
        BootXml.tiered(places, FAST, "<maxFlushTime>30 seconds</maxFlushTime>")
            .replace("<encoder>", "<encoder class=\"dev.forebay.it.boot.SlowEncoder\">");
    String xml = BootXml.option(places, slow);
    try (BootProcess boot = start(version.path(), xml, "--logging.register-shutdown-hook=false")) {
      boot.log("p", 0, MESSAGES);
      boot.sayAtTheEnd("last", LAST_WORDS);
      assertThat(boot.terminate()).as(boot.output()).isEqualTo(BootProcess.TERMINATED);
    }
    shipTheRest();
    oracle().requireSound(BootXml.ours(places.lines()));
  }

  /** Puts something in the way of the log. */
  private void block() throws IOException {
    Files.delete(places.logDirectory());
    Files.writeString(places.logDirectory(), "in the way");
  }

  private void unblock() throws IOException {
    Files.delete(places.logDirectory());
    Files.createDirectory(places.logDirectory());
  }

  /** Starts an appender on the same log, which ships what is in the spool, and nothing twice. */
  private void shipTheRest() throws Exception {
    try (Tiered next = Tiered.with(places.xml(), FAST, Xml.MESSAGES)) {
      next.log("next", 0, 1).flush();
      assertThat(next.warnings()).isEmpty();
    }
    assertThat(SpoolPeek.spools(places.spool())).isEmpty();
    assertThat(places.lines()).endsWith(new Numbered("next", 0).text());
  }

  /** As it is kept by Boot's own file appender. */
  @Tag("nightly")
  @ParameterizedTest
  @MethodSource("dev.forebay.it.framework.FatJar#representative")
  void aLogThatCannotBeOpenedKeepsItFromStarting(FatJar version) throws Exception {
    block();
    Path jar =
        version.with("logback-spring.xml", BootXml.tiered(places, FAST), places.directory("jar"));
    Path output = places.root().resolve("output");
    try (BootProcess boot = BootProcess.launch(jar, output)) {
      assertThat(boot.awaitEnd()).isEqualTo(1);
      assertThat(boot.output()).contains("Logback configuration error detected", "cannot write ");
    }
    unblock();
    shipTheRest();
  }

  /** Each line of Boot with each name under which it finds a configuration. */
  private static Stream<Arguments> names() {
    return FatJar.representative().stream()
        .flatMap(
            version ->
                Stream.of("logback-spring.xml", "logback.xml")
                    .map(name -> Arguments.of(version, name)));
  }

  /** Boot refuses to start when anything in the configuration is an ERROR for Logback. */
  @Tag("nightly")
  @ParameterizedTest
  @MethodSource("names")
  void anUnusableSettingKeepsItFromStartingAndIsNamed(FatJar version, String name)
      throws Exception {
    String wrong = "<ringBufferSize>0</ringBufferSize>";
    Path jar = version.with(name, BootXml.tiered(places, wrong), places.directory("jar"));
    Path output = places.root().resolve("output");
    try (BootProcess boot = BootProcess.launch(jar, output)) {
      assertThat(boot.awaitEnd()).isEqualTo(1);
      assertThat(boot.output())
          .contains("Logback configuration error detected", "<ringBufferSize>");
    }
    assertThat(SpoolPeek.spools(places.spool())).isEmpty();
  }

  /** Logback reads logback.xml before Boot has what the encoder asks for; then Boot reads it. */
  @Tag("nightly")
  @ParameterizedTest
  @MethodSource("dev.forebay.it.framework.FatJar#representative")
  void bootsEncoderInLogbackXmlCostsAStackTraceAndNothingElse(FatJar version) throws Exception {
    String encoder =
        "<encoder class=\"org.springframework.boot.logging.logback.StructuredLogEncoder\">"
            + "<format>logstash</format></encoder>";
    String xml = BootXml.tiered(places, FAST).replace(BootXml.PATTERN, encoder);
    Path jar = version.with("logback.xml", xml, places.directory("jar"));
    try (BootProcess boot = start(jar)) {
      boot.log("p", 0, MESSAGES);
      assertThat(boot.output()).contains("Unable to find Spring Environment in logger context");
      assertThat(boot.problems()).isEmpty();
      assertThat(SpoolPeek.spools(places.spool())).hasSize(1);
      assertThat(boot.terminate()).as(boot.output()).isEqualTo(BootProcess.TERMINATED);
    }
    assertThat(places.lines().stream().filter(line -> line.contains("\"logger_name\":\"it\"")))
        .hasSize(MESSAGES);
    assertThat(SpoolPeek.spools(places.spool())).isEmpty();
  }

  /** The part that was slow may log until the JVM is gone; what it logs after the stop is lost. */
  @Tag("nightly")
  @ParameterizedTest
  @MethodSource("dev.forebay.it.framework.FatJar#representative")
  void aPhaseThatTimesOutCostsNothingThatWasLoggedBeforeTheStop(FatJar version) throws Exception {
    String xml = BootXml.option(places, BootXml.tiered(places, FAST));
    try (BootProcess boot =
        start(
            version.path(),
            xml,
            "--forebay.endless-phase=true",
            "--spring.lifecycle.timeout-per-shutdown-phase=300ms")) {
      boot.log("p", 0, MESSAGES);
      boot.sayAtTheEnd("last", LAST_WORDS);
      assertThat(boot.terminate()).as(boot.output()).isEqualTo(BootProcess.TERMINATED);
    }
    List<String> lines = places.lines();
    oracle().requireSound(BootXml.ours(lines));
    List<String> endless =
        new ArrayList<>(lines.stream().filter(line -> line.startsWith("endless ")).toList());
    assertThat(endless).hasSizeGreaterThan(10);
    for (int i = 0; i < endless.size(); i++) {
      assertThat(endless.get(i)).isEqualTo("endless still stopping " + i);
    }
    assertThat(SpoolPeek.spools(places.spool())).isEmpty();
  }

  /**
   * As frameworks with a coordinated shutdown do; Boot stops it once more afterwards. The log
   * cannot be written, so that the stop lasts.
   */
  @ParameterizedTest
  @MethodSource("dev.forebay.it.framework.FatJar#representative")
  void aStopByAPoolThreadThatIsInterruptedLosesNothing(FatJar version) throws Exception {
    String xml = BootXml.option(places, BootXml.tiered(places, FAST));
    try (BootProcess boot = start(version.path(), xml, "--forebay.pool-stop-ms=50")) {
      Files.move(places.log(), places.log().resolveSibling("app.0.log"));
      Files.createDirectory(places.log()); // whoever opens the log anew cannot
      boot.log("p", 0, MESSAGES);
      boot.sayAtTheEnd("last", LAST_WORDS);
      assertThat(boot.terminate()).as(boot.output()).isEqualTo(BootProcess.TERMINATED);
      assertThat(boot.output()).contains("stop interrupted");
    }
    Files.delete(places.log());
    shipTheRest();
    oracle().requireSound(BootXml.ours(places.lines()));
  }

  /** Do not do this in Boot: the JVM runs Logback's hook beside Spring's. */
  @ParameterizedTest
  @MethodSource("dev.forebay.it.framework.FatJar#representative")
  void logbacksOwnShutdownHookIsWarnedOfAndCostsTheLastWordsAndNothingBefore(FatJar version)
      throws Exception {
    String hooked =
        BootXml.tiered(places, FAST).replace("</configuration>", "<shutdownHook/></configuration>");
    String xml = BootXml.option(places, hooked);
    try (BootProcess boot = start(version.path(), xml, "--forebay.pause-for-the-hook=true")) {
      boot.log("p", 0, MESSAGES);
      assertThat(boot.problems())
          .singleElement()
          .asString()
          .startsWith("1 ")
          .contains("[LOG]", "<shutdownHook/>", "Spring Boot", "Remove it");
      boot.sayAtTheEnd("last", LAST_WORDS);
      assertThat(boot.terminate()).as(boot.output()).isEqualTo(BootProcess.TERMINATED);
      assertThat(boot.output()).contains("Logback has stopped");
    }
    new Oracle()
        .producer("p", MESSAGES, MESSAGES)
        .producer("last", 0, LAST_WORDS / 2)
        .requireSound(BootXml.ours(places.lines()));
    assertThat(SpoolPeek.spools(places.spool())).isEmpty();
  }
}
