package dev.forebay.it.container;

import static org.assertj.core.api.Assertions.assertThat;

import dev.forebay.it.support.Child;
import dev.forebay.it.support.ChildReports;
import dev.forebay.it.support.Figures;
import dev.forebay.it.support.Oracle;
import dev.forebay.it.support.Places;
import dev.forebay.it.support.SpoolPeek;
import dev.forebay.it.support.Xml;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/** The memory limit of a container, as the appender sees it from within, and what lies beyond. */
@ExtendWith(RequiresDocker.class)
@Tag("nightly")
class ContainerMemoryIT {

  private static final long MB = 1 << 20;
  private static final long LIMIT = 112 * MB;
  private static final int KILLED = 128 + 9;

  /** A second line of each event, which makes it large. */
  private static final String PADDING = ".".repeat(8000);

  private static final String LARGE =
      LogContainer.places()
          + "<fsync>50 milliseconds</fsync><ringBufferSize>256</ringBufferSize>"
          + Xml.MESSAGES.replace("%n", "%n" + PADDING + "%n");

  private static final String HEAP = "-Xmx32m";

  @Test
  void aConfiguredSizeForWhichTheLimitHasNoRoomIsAWarningAtTheStart() throws Exception {
    String status = statusOfAShortLife("<spoolSize>128MB</spoolSize>", 128 * MB, 128 * MB);
    assertThat(status.lines())
        .singleElement()
        .asString()
        .contains("<spoolSize> is " + 128 * MB + " bytes")
        .contains("counts against the memory limit of " + LIMIT + " bytes");
  }

  @Test
  void theDefaultSizeIsAtMostAnEighthOfTheLimitAndNoReasonToWarn() throws Exception {
    assertThat(statusOfAShortLife("", LIMIT / 8 - 4 * MB + 1, LIMIT / 8)).isEmpty();
  }

  /** Logs a little under the limit; the warnings, after a look at the cap of the spool. */
  private static String statusOfAShortLife(String size, long leastCap, long mostCap)
      throws Exception {
    try (Places places = Places.create();
        LogContainer container =
            LogContainer.in(places)
                .memory(LIMIT)
                .tmpfs(LogContainer.SPOOL, "rw,size=2g,mode=1777")) {
      ChildReports life =
          container.live(
              new Child.Task("life", 1, 100, 50, 0, "wait"),
              LogContainer.places() + size + Xml.MESSAGES,
              HEAP);
      container.await("acknowledged", () -> life.progress().acked(0) == 100);
      container.await("asked JMX", () -> !life.jmx("spoolLimitBytes").isEmpty());
      assertThat(Long.parseLong(life.jmx("spoolLimitBytes"))).isBetween(leastCap, mostCap);
      life.release();
      assertThat(container.awaitEnd()).as(container.output()).isZero();
      Oracle oracle = new Oracle().dropped(life.dropped()).complete(0);
      life.tell(oracle);
      oracle.requireSound(container.lines());
      return life.status();
    }
  }

  @Test
  void aSpoolThatGotItsContainerKilledIsShippedOnceByTheNextContainer() throws Exception {
    Oracle oracle = new Oracle().alsoAllowed(PADDING);
    try (Places places = Places.create();
        ContainerVolume logVolume = ContainerVolume.create();
        LogContainer first = outlived(places, logVolume).blockLog();
        LogContainer second = outlived(places, logVolume)) {
      ChildReports killed =
          first.live(
              new Child.Task("killed", 2, Long.MAX_VALUE, 0, 5, "exit"),
              LARGE + "<spoolSize>1GB</spoolSize><appendTimeout>30 seconds</appendTimeout>",
              HEAP);
      assertThat(first.awaitEnd()).as(first.output()).isEqualTo(KILLED);
      assertThat(first.wasKilledForItsMemory()).isTrue();
      killed.tell(oracle);
      oracle.seen(SpoolPeek.lines(places.spool()));
      long spooled = SpoolPeek.segmentBytes(places.spool());
      assertThat(spooled).isGreaterThan(LIMIT / 8);

      first.unblockLog();
      ChildReports next = second.live(new Child.Task("next", 1, 10, 10, 0, "wait"), LARGE, HEAP);
      second.await("acknowledged", () -> next.progress().acked(0) == 10);
      next.release();
      assertThat(second.awaitEnd()).as(second.output()).isZero();
      next.tell(oracle);
      Oracle.Verdict verdict = oracle.requireSound(second.lines());
      assertThat(next.status()).isEmpty();
      assertThat(SpoolPeek.spools(places.spool())).isEmpty();
      Figures.record(
          "containers.txt",
          "killed for its memory of %d MB with %d MB in the spool: %d of %d events in the log",
          LIMIT / MB,
          spooled / MB,
          verdict.lineCount() - 10,
          killed.offered());
    }
  }

  /** A small one, whose log and spool outlive it. */
  private static LogContainer outlived(Places places, ContainerVolume log) throws Exception {
    return LogContainer.in(places)
        .memory(LIMIT)
        .volume(log, LogContainer.LOGS)
        .bind(places.spool(), LogContainer.SPOOL);
  }
}
