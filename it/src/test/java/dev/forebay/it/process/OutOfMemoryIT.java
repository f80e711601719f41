package dev.forebay.it.process;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.forebay.host.Await;
import dev.forebay.it.support.CallTimes;
import dev.forebay.it.support.Child;
import dev.forebay.it.support.ControlGroup;
import dev.forebay.it.support.Oracle;
import dev.forebay.it.support.Places;
import dev.forebay.it.support.SpoolPeek;
import dev.forebay.it.support.Tiered;
import dev.forebay.it.support.Xml;
import java.nio.file.Files;
import java.util.List;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Processes under a memory limit: killed beyond it, and kept within it by the spool's cap. */
@Tag("jdk-nightly")
class OutOfMemoryIT {

  private static final long MB = 1 << 20;
  private static final long LIMIT = 160 * MB;

  /** A second line of each event, which makes it large. */
  private static final String PADDING = ".".repeat(2000);

  private static final int RING = 1024;

  private static final int KILLED = 128 + 9;

  @AutoClose private final Places places = Places.create();

  @BeforeEach
  void requireMemory() {
    assumeTrue(
        places.spool().startsWith("/dev/shm"), "no tmpfs: mount one at /dev/shm (the spool)");
  }

  @Test
  void whatAProcessKilledForItsMemorySpooledIsInTheLogOnce() throws Exception {
    String inner = places.xml() + Xml.FAST + Xml.MESSAGES;
    Oracle oracle = new Oracle();
    List<String> left;
    try (ControlGroup group = ControlGroup.ofMemory(LIMIT);
        Child child =
            Child.startWith(
                List.of("-Xmx1g"),
                new Child.Task("leaking", 2, Long.MAX_VALUE, 50, 10, "leaking"),
                Xml.configuration(inner),
                places.directory("leaking"),
                group.around())) {
      assertThat(child.awaitEnd()).as(child.output()).isEqualTo(KILLED);
      CallTimes.record("killed for its memory", child.progress().longestCallNs());
      child.tell(oracle);
      left = SpoolPeek.lines(places.spool(), places.log());
      oracle.seen(left).seen(places.lines());
    }
    try (Tiered next = Tiered.with(inner)) {
      next.log("fresh", 0, 1).flush();
      assertThat(next.warnings()).isEmpty();
    }
    Oracle.Verdict verdict = oracle.producer("fresh", 1, 1).requireSound(places.lines());
    assertThat(verdict.lineCount()).isGreaterThan(100);
    assertThat(SpoolPeek.spools(places.spool())).isEmpty();
  }

  /** A child with nowhere to put its messages but the spool, under a limit of 160 MB. */
  private Child startWithBlockedLog(
      ControlGroup group, Child.Task task, String spoolSize, String heap) throws Exception {
    Files.delete(places.logDirectory());
    Files.writeString(places.logDirectory(), "in the way");
    String xml =
        Xml.configuration(
            places.xml()
                + Xml.FAST
                + "<maxFlushTime>30 seconds</maxFlushTime>"
                + "<ringBufferSize>"
                + RING
                + "</ringBufferSize><segmentSize>1MB</segmentSize>"
                + spoolSize
                + Xml.MESSAGES.replace("%n", "%n" + PADDING + "%n"));
    return Child.startWith(
        List.of("-Xmx" + heap), task, xml, places.directory(task.name()), group.around());
  }

  /** Without its cap the spool gets the process killed; see the next test. */
  @Test
  void theDefaultSizeOfTheSpoolKeepsAProcessWithAStalledLogWithinItsLimit() throws Exception {
    int count = 25_000; // together much more than the limit leaves beside the heap
    Oracle oracle = new Oracle().alsoAllowed(PADDING);
    try (ControlGroup group = ControlGroup.ofMemory(LIMIT);
        Child child =
            startWithBlockedLog(
                group, new Child.Task("capped", 2, Long.MAX_VALUE, 0, 25, "released"), "", "48m")) {
      child.awaitOffered(0, count);
      child.awaitOffered(1, count);
      Await.until(
          "a full spool", () -> SpoolPeek.segmentBytes(places.spool()) >= LIMIT / 8 - 2 * MB);
      assertThat(SpoolPeek.segmentBytes(places.spool())).isLessThanOrEqualTo(LIMIT / 8);
      assertThat(child.isAlive()).as(child.output()).isTrue();
      CallTimes.record("a full spool in a small container", child.progress().longestCallNs());
      Files.delete(places.logDirectory());
      child.release();
      assertThat(child.awaitEnd()).as(child.output()).isZero();
      assertThat(child.status()).doesNotContain("memory limit");
      child.tell(oracle);
      oracle.dropped(child.dropped());
    }
    oracle.complete(0).requireSound(places.lines());
  }

  @Test
  void aSpoolForWhichTheHeapLeavesNoRoomIsAWarningAtStart() throws Exception {
    Oracle oracle = new Oracle().alsoAllowed(PADDING);
    try (ControlGroup group = ControlGroup.ofMemory(LIMIT);
        Child child =
            startWithBlockedLog(
                group,
                new Child.Task("warned", 1, 10, 0, 0, "wait"),
                "<spoolSize>64MB</spoolSize>",
                "120m")) {
      Await.until(
          "warned",
          () -> child.status().contains("counts against the memory limit of " + LIMIT + " bytes"));
      Files.delete(places.logDirectory());
      child.release();
      assertThat(child.awaitEnd()).as(child.output()).isZero();
      child.tell(oracle);
    }
    oracle.complete(0).requireSound(places.lines());
  }
}
