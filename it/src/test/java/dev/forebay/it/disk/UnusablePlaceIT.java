package dev.forebay.it.disk;

import static org.assertj.core.api.Assertions.assertThat;

import ch.qos.logback.classic.LoggerContext;
import ch.qos.logback.classic.joran.JoranConfigurator;
import ch.qos.logback.classic.util.LogbackMDCAdapter;
import ch.qos.logback.core.status.Status;
import dev.forebay.NonBlockingAppender;
import dev.forebay.it.support.LogFiles;
import dev.forebay.it.support.Oracle;
import dev.forebay.it.support.Places;
import dev.forebay.it.support.Tiered;
import dev.forebay.it.support.Xml;
import dev.forebay.observe.DropReason;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Objects;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.slf4j.event.Level;

/**
 * A log that cannot be opened at start is an ERROR, as with Logback's file appenders, and unlike
 * there its events wait; any other place that cannot be used is a warning. What keeps an appender
 * from starting is in {@link UnusableConfigurationIT}.
 */
class UnusablePlaceIT {

  private static final int EVENTS = 3;

  private Places places;

  @BeforeEach
  void create() throws IOException {
    places = Places.create();
    Files.writeString(places.root().resolve("file"), "in the way");
    Files.createSymbolicLink(places.root().resolve("loop"), Path.of("loop"));
    Files.createDirectory(places.log());
  }

  @AfterEach
  void delete() throws IOException {
    places.close();
  }

  private static String rolled(String file, String archives) {
    return "<file>"
        + file
        + "</file>"
        + "<rollingPolicy class=\"ch.qos.logback.core.rolling.SizeAndTimeBasedRollingPolicy\">"
        + "<fileNamePattern>"
        + archives
        + "/app.%d.%i.log.gz</fileNamePattern>"
        + "<maxFileSize>1KB</maxFileSize><maxHistory>1</maxHistory>"
        + "<cleanHistoryOnStart>true</cleanHistoryOnStart></rollingPolicy>";
  }

  /** The log stands still, and what was logged waits. */
  @ParameterizedTest
  @ValueSource(
      strings = {
        "<file>ROOT/file/app.log</file>",
        "<file>ROOT/loop/app.log</file>",
        "<file>ROOT/loop</file>",
        "<file>ROOT/log/app.log</file>",
        "<file>/proc/nowhere/app.log</file>",
        "<file>ROOT/file/app.log</file><append>false</append>",
        "ROLLED"
      })
  void ofALogIsAnErrorAndEventsWait(String log) throws Exception {
    String inner =
        log.replace("ROLLED", rolled("ROOT/file/app.log", "ROOT/file"))
            .replace("ROOT", places.root().toString());
    String spool = "<spoolDirectory>" + places.spool() + "</spoolDirectory>";
    try (Tiered tiered =
        Tiered.with(inner, spool, "<maxFlushTime>1 millisecond</maxFlushTime>", Xml.MESSAGES)) {
      assertThat(tiered.appender().isStarted()).isTrue();
      tiered.log("p", 0, EVENTS);
      tiered.awaitError("cannot write ");
      assertThat(tiered.statuses())
          .filteredOn(status -> status.getLevel() == Status.ERROR)
          .singleElement()
          .satisfies(error -> assertThat(error.getThrowable()).isInstanceOf(IOException.class));
      assertThat(tiered.snapshot().inFlight()).isEqualTo(EVENTS);
      tiered.appender().stop();
      assertThat(tiered.errors()).hasSize(1);
      assertThat(tiered.snapshot().offered()).isEqualTo(EVENTS);
      assertThat(tiered.snapshot().inFlight() + tiered.snapshot().dropped()).isEqualTo(EVENTS);
    }
  }

  /** The archives cannot be made: the log grows. */
  @Test
  void ofArchivesIsAWarningAndTheLogGrows() throws Exception {
    String log = places.directory("growing").resolve("app.log").toString();
    String inner = rolled(log, places.root().resolve("file").toString());
    String spool = "<spoolDirectory>" + places.spool() + "</spoolDirectory>";
    try (Tiered tiered = Tiered.with(inner, spool, Xml.MESSAGES)) {
      tiered.log("p", 0, 50).flush();
      assertThat(tiered.snapshot().delivered()).isEqualTo(50);
    }
    new Oracle().producer("p", 50, 50).complete(0).requireSound(LogFiles.of(Path.of(log)).lines());
  }

  /** What the appender behind it says of its own place is not ours to change. */
  @Test
  void ofAnAttachedAppenderIsNoErrorOfTheRing() throws Exception {
    LoggerContext context = new LoggerContext();
    context.setMDCAdapter(new LogbackMDCAdapter());
    JoranConfigurator configurator = new JoranConfigurator();
    configurator.setContext(context);
    String xml =
        """
        <configuration>
          <appender name="FILE" class="ch.qos.logback.core.FileAppender">
            <file>%s/file/app.log</file><encoder><pattern>%%msg%%n</pattern></encoder>
          </appender>
          <appender name="RING" class="dev.forebay.NonBlockingAppender">
            <appender-ref ref="FILE"/>
          </appender>
          <root level="INFO"><appender-ref ref="RING"/></root>
        </configuration>
        """
            .formatted(places.root());
    configurator.doConfigure(new ByteArrayInputStream(xml.getBytes(StandardCharsets.UTF_8)));
    NonBlockingAppender ring =
        (NonBlockingAppender) Objects.requireNonNull(context.getLogger("ROOT").getAppender("RING"));
    try {
      assertThat(ring.isStarted()).isTrue();
      context.getLogger("it").info("dropped, and counted");
    } finally {
      context.stop();
    }
    List<Status> errors =
        context.getStatusManager().getCopyOfStatusList().stream()
            .filter(status -> status.getEffectiveLevel() == Status.ERROR)
            .toList();
    assertThat(errors).noneMatch(status -> status.getOrigin() == ring);
    assertThat(ring.snapshot().dropped(DropReason.DELIVERY_FAILED, Level.INFO)).isEqualTo(1);
    assertThat(ring.snapshot().dropped()).isEqualTo(ring.snapshot().offered());
  }
}
