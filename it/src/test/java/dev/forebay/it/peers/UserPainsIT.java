package dev.forebay.it.peers;

import static org.assertj.core.api.Assertions.assertThat;

import dev.forebay.host.Await;
import dev.forebay.it.support.Child;
import dev.forebay.it.support.LogFiles;
import dev.forebay.it.support.Mounted;
import dev.forebay.it.support.Oracle;
import dev.forebay.it.support.Places;
import dev.forebay.it.support.SpoolPeek;
import dev.forebay.it.support.Tiered;
import dev.forebay.it.support.Xml;
import dev.forebay.observe.DropReason;
import dev.forebay.observe.LedgerSnapshot;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/**
 * What users of Logback's appenders complain of most does not happen here; a full queue, silent
 * drops and reconfiguration are with the spool and the configuration.
 */
class UserPainsIT {

  private static final String FAST = "<fsync>50 milliseconds</fsync>";

  private Places places;

  @BeforeEach
  void create() throws Exception {
    places = Places.create();
  }

  @AfterEach
  void delete() throws Exception {
    places.close();
  }

  private Child child(Child.Task task, String inner) throws Exception {
    return Child.start(task, Xml.configuration(inner), places.directory(task.name()));
  }

  private void blockLogDirectory() throws IOException {
    Files.delete(places.logDirectory());
    Files.writeString(places.logDirectory(), "in the way");
  }

  @Test
  void anEncoderThatLogsIsRefusedAndItsEventIsDelivered() throws Exception {
    String encoder = "<encoder class=\"" + TalkingEncoder.class.getName() + "\">";
    try (Tiered tiered =
        Tiered.with(places.xml(), FAST, Xml.MESSAGES.replace("<encoder>", encoder))) {
      tiered.log("p", 0, 500).flush();
      LedgerSnapshot account = tiered.snapshot();
      assertThat(account.dropped(DropReason.REENTRANT)).isGreaterThanOrEqualTo(500);
      // A report of the drops may be on its way after the flush.
      assertThat(account.delivered() + account.inFlight() - account.reports()).isEqualTo(500);
    }
    new Oracle().producer("p", 500, 500).requireSound(places.lines());
  }

  @Test
  void everyLineOfAProgramThatExitsWithoutAStopIsInTheLog() throws Exception {
    Oracle oracle = new Oracle();
    try (Child child =
        child(new Child.Task("exit", 1, 5000, 0, 0, "exit"), places.xml() + Xml.MESSAGES)) {
      assertThat(child.awaitEnd()).as(child.output()).isZero();
      assertThat(child.account()).as("nobody stopped it").isEmpty();
      child.tell(oracle);
    }
    oracle.complete(0).requireSound(places.lines());
  }

  @Test
  void everyLineOfAProcessThatIsTerminatedIsInTheLog() throws Exception {
    String inner = places.xml() + "<appendTimeout>30 seconds</appendTimeout>" + Xml.MESSAGES;
    Oracle oracle = new Oracle();
    try (Child child = child(new Child.Task("term", 1, 5000, 0, 0, "wait"), inner)) {
      child.awaitOffered(0, 5000);
      child.signal("TERM");
      child.awaitEnd();
      child.tell(oracle);
    }
    oracle.complete(0).requireSound(places.lines());
  }

  @Test
  void aBacklogStaysWithinItsBytesInASmallHeap() throws Exception {
    blockLogDirectory();
    int count = 200_000; // about 40 MB in the log, several times that as events
    String inner =
        places.xml()
            + FAST
            + "<spoolSize>2MB</spoolSize><segmentSize>256KB</segmentSize>"
            + "<ringBufferSize>131072</ringBufferSize><ringBufferBytes>2MB</ringBufferBytes>"
            + Xml.MESSAGES;
    Child.Task task = new Child.Task("backlog", 1, count, 0, 0, "stop");
    LedgerNumbers account;
    try (Child child =
        Child.startSmall(task, Xml.configuration(inner), places.directory("backlog"), "24m")) {
      assertThat(child.awaitEnd()).as(child.output()).isZero();
      assertThat(child.output()).doesNotContain("OutOfMemoryError");
      account = LedgerNumbers.parse(child.account());
    }
    assertThat(account.dropped()).isPositive();
    Files.delete(places.logDirectory());
    try (Tiered tiered = Tiered.with(inner)) {
      tiered.log("next", 0, 1).flush();
    }
    new Oracle()
        .producer("backlog-0", 0, count)
        .producer("next", 1, 1)
        .dropped(account.dropped())
        .complete(0)
        .requireSound(places.lines());
  }

  /** What a child wrote down of its account. */
  private record LedgerNumbers(long offered, long dropped) {
    static LedgerNumbers parse(String text) {
      Matcher matcher = Pattern.compile("offered (\\d+) .* dropped (\\d+) ").matcher(text);
      assertThat(matcher.find()).as(text).isTrue();
      return new LedgerNumbers(Long.parseLong(matcher.group(1)), Long.parseLong(matcher.group(2)));
    }
  }

  @Test
  void twoProcessesThatLogToOneFileLoseAndDoubleNoLine() throws Exception {
    String inner =
        places.xml()
            + FAST
            + "<appendTimeout>30 seconds</appendTimeout>"
            + Xml.rollBySize(places.logDirectory(), "100KB")
            + Xml.MESSAGES;
    Oracle oracle = new Oracle();
    try (Child one = child(new Child.Task("one", 2, 1500, 0, 10, "stop"), inner);
        Child two = child(new Child.Task("two", 2, 1500, 0, 10, "stop"), inner)) {
      assertThat(one.awaitEnd()).as(one.output()).isZero();
      assertThat(two.awaitEnd()).as(two.output()).isZero();
      one.tell(oracle);
      two.tell(oracle);
      assertThat(LedgerNumbers.parse(one.account()).dropped()).isZero();
      assertThat(LedgerNumbers.parse(two.account()).dropped()).isZero();
    }
    try (Tiered last = Tiered.with(inner)) {
      last.log("last", 0, 1).flush(); // ships what the second could only spool
    }
    oracle.producer("last", 1, 1).complete(0).requireSound(places.lines());
    assertThat(SpoolPeek.spools(places.spool())).isEmpty();
  }

  @Test
  void anIdleLogIsRolledToo() throws Exception {
    String rolling =
        """
        <rollingPolicy class="ch.qos.logback.core.rolling.TimeBasedRollingPolicy">
          <fileNamePattern>%s/app-%%d{yyyy-MM-dd_HH-mm-ss}.log</fileNamePattern>
        </rollingPolicy>
        """
            .formatted(places.logDirectory());
    try (Tiered tiered = Tiered.with(places.xml(), FAST, rolling, Xml.MESSAGES)) {
      tiered.log("p", 0, 1).flush();
      Await.until(
          "rolled though nothing was logged",
          () -> LogFiles.of(places.log()).fileCount() == 2 && Files.size(places.log()) == 0);
    }
    new Oracle().producer("p", 1, 1).complete(0).requireSound(places.lines());
  }

  @Test
  void aDirectoryInPlaceOfAnArchiveIsKeptAndTheLogGrows() throws Exception {
    Path taken = Files.createDirectory(places.logDirectory().resolve("app.1.log"));
    Files.writeString(taken.resolve("precious"), "x");
    String rolling =
        """
        <rollingPolicy class="ch.qos.logback.core.rolling.FixedWindowRollingPolicy">
          <fileNamePattern>%s/app.%%i.log</fileNamePattern>
          <minIndex>1</minIndex><maxIndex>1</maxIndex>
        </rollingPolicy>
        <triggeringPolicy class="ch.qos.logback.core.rolling.SizeBasedTriggeringPolicy">
          <maxFileSize>20KB</maxFileSize>
          <checkIncrement>0 milliseconds</checkIncrement>
        </triggeringPolicy>
        """
            .formatted(places.logDirectory());
    try (Tiered tiered = Tiered.with(places.xml(), FAST, rolling, Xml.MESSAGES)) {
      tiered.log("p", 0, 500).flush();
      assertThat(tiered.warnings())
          .anyMatch(text -> text.contains("could not be rolled and keeps growing"));
    }
    assertThat(taken.resolve("precious")).hasContent("x");
    new Oracle().producer("p", 500, 500).complete(0).requireSound(places.lines());
  }

  @Test
  void aDiskThatIsFullWhileTheLogIsRolledTearsNoLine() throws Exception {
    try (Mounted memory = Mounted.memory(places, "size=256k")) {
      Path log = memory.at().resolve("logs/app.log");
      Path filler = memory.at().resolve("filler");
      String inner =
          Xml.places(log, places.spool())
              + FAST
              + Xml.rollBySize(log.resolveSibling(""), "20KB")
              + Xml.MESSAGES;
      try (Tiered tiered = Tiered.with(inner)) {
        Files.write(filler, new byte[192 << 10]);
        tiered.log("p", 0, 700); // needs about twice the room that is left
        Await.until(
            "told", () -> tiered.warnings().stream().anyMatch(t -> t.contains("cannot write")));
        Files.delete(filler);
        tiered.log("p", 700, 100).flush();
        assertThat(tiered.errors()).isEmpty();
      }
      new Oracle().producer("p", 800, 800).complete(0).requireSound(LogFiles.of(log).lines());
    }
  }
}
