package dev.forebay.it.disk;

import static org.assertj.core.api.Assertions.assertThat;

import ch.qos.logback.core.status.Status;
import dev.forebay.it.support.LogFiles;
import dev.forebay.it.support.Oracle;
import dev.forebay.it.support.Places;
import dev.forebay.it.support.Tiered;
import dev.forebay.it.support.Xml;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

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
}
