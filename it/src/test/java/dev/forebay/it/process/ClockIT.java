package dev.forebay.it.process;

import static org.assertj.core.api.Assertions.assertThat;

import dev.forebay.host.Await;
import dev.forebay.it.support.CallTimes;
import dev.forebay.it.support.Child;
import dev.forebay.it.support.LogFiles;
import dev.forebay.it.support.Numbered;
import dev.forebay.it.support.Oracle;
import dev.forebay.it.support.Places;
import dev.forebay.it.support.SpoolPeek;
import dev.forebay.it.support.Tiered;
import dev.forebay.it.support.WallClock;
import dev.forebay.it.support.Xml;
import java.nio.file.Files;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;

/** A wall clock that is set back and forward while threads log. */
class ClockIT {

  private static final List<String> SETTINGS = List.of("+1d", "+0");

  private static final Duration FAILED_BY_THEN = Duration.ofMillis(300);

  /** Rolled each second, and by size. */
  private static final String ROLLING =
      """
      <rollingPolicy class="ch.qos.logback.core.rolling.SizeAndTimeBasedRollingPolicy">
        <fileNamePattern>DIR/app-%d{yyyy-MM-dd_HH-mm-ss}.%i.log</fileNamePattern>
        <maxFileSize>10KB</maxFileSize>
        <checkIncrement>0 milliseconds</checkIncrement>
      </rollingPolicy>
      """;

  @Test
  void aClockThatJumpsStallsNothingAndReordersNoArchive() throws Exception {
    Oracle oracle = new Oracle();
    try (Places places = Places.create()) {
      WallClock clock = WallClock.create(places);
      String xml =
          Xml.configuration(
              places.xml()
                  + Xml.FAST
                  + "<maxFlushTime>30 seconds</maxFlushTime>"
                  + "<appendTimeout>30 seconds</appendTimeout>"
                  + ROLLING.replace("DIR", places.logDirectory().toString())
                  + Xml.MESSAGES);
      Files.delete(places.logDirectory());
      Files.writeString(places.logDirectory(), "in the way");
      try (Child child =
          Child.start(
              new Child.Task("clock", 2, Long.MAX_VALUE, 0, 20, "released"),
              xml,
              places.directory("clock-child"),
              clock.around())) {
        // Whoever waits by the wall clock to try the log again now waits for two hours.
        child.awaitOffered(0, 200);
        Await.until("spooled", () -> SpoolPeek.segmentBytes(places.spool()) > 0);
        Await.pass(FAILED_BY_THEN);
        clock.set("-2h");
        Files.delete(places.logDirectory());
        awaitRolls(places);
        for (String setting : SETTINGS) {
          clock.set(setting);
          awaitRolls(places);
        }
        child.release();
        assertThat(child.awaitEnd()).as(child.output()).isZero();
        CallTimes.record("the wall clock jumps", child.progress().longestCallNs());
        child.tell(oracle);
        assertThat(child.account()).contains("dropped 0 {} + in flight 0");
      }
      List<String> before = places.lines(); // the archives in the order of their names
      oracle.complete(0).requireSound(before);
      try (Tiered fresh = Tiered.configured(xml)) {
        fresh.log("fresh", 0, 1).flush();
      }
      // As with Logback, today's archive now sorts before those that were given tomorrow's date.
      assertThat(places.lines())
          .containsAll(before)
          .hasSize(before.size() + 1)
          .contains(new Numbered("fresh", 0).text());
    }
  }

  /** What is logged now is rolled, whatever the date is. */
  private static void awaitRolls(Places places) throws Exception {
    LogFiles files = LogFiles.of(places.log());
    int before = files.fileCount();
    Await.until("rolls go on", () -> files.fileCount() > before);
  }
}
