package dev.forebay.it.process;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.forebay.host.Await;
import dev.forebay.it.support.CallTimes;
import dev.forebay.it.support.Child;
import dev.forebay.it.support.LogFiles;
import dev.forebay.it.support.Numbered;
import dev.forebay.it.support.Oracle;
import dev.forebay.it.support.Places;
import dev.forebay.it.support.SpoolPeek;
import dev.forebay.it.support.Tiered;
import dev.forebay.it.support.Xml;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
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

  /** The wall clock of a child process, which can be set; its monotonic clock goes on as before. */
  private static final class WallClock {

    private static final List<Path> LIBRARIES =
        List.of(
            Path.of("/usr/lib/x86_64-linux-gnu/faketime/libfaketimeMT.so.1"),
            Path.of("/usr/lib/aarch64-linux-gnu/faketime/libfaketimeMT.so.1"),
            Path.of("/usr/lib/faketime/libfaketimeMT.so.1"),
            Path.of("/usr/lib64/faketime/libfaketimeMT.so.1"));

    private final Path library;
    private final Path offset;

    private WallClock(Path library, Path offset) {
      this.library = library;
      this.offset = offset;
    }

    /** One that is right until it is set; skips the test where the library for it is missing. */
    static WallClock create(Places places) throws IOException {
      Path library = LIBRARIES.stream().filter(Files::exists).findFirst().orElse(null);
      assumeTrue(library != null, "no libfaketime: install faketime");
      WallClock clock = new WallClock(library, places.root().resolve("clock"));
      clock.set("+0");
      return clock;
    }

    /** A command around that of the child. */
    String[] around() {
      return new String[] {
        "env",
        "LD_PRELOAD=" + library,
        "FAKETIME_TIMESTAMP_FILE=" + offset,
        "FAKETIME_NO_CACHE=1",
        "FAKETIME_DONT_FAKE_MONOTONIC=1",
        "NO_FAKE_STAT=1"
      };
    }

    /** Sets it to an offset from the right time, {@code -2h} or {@code +1d} for example. */
    void set(String to) throws IOException {
      Path next = Files.writeString(offset.resolveSibling("clock.next"), to + "\n");
      Files.move(next, offset, StandardCopyOption.ATOMIC_MOVE); // never seen half written
    }
  }
}
