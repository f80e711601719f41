package dev.forebay.it.container;

import static org.assertj.core.api.Assertions.assertThat;

import dev.forebay.it.support.CallTimes;
import dev.forebay.it.support.Child;
import dev.forebay.it.support.ChildReports;
import dev.forebay.it.support.DropReports;
import dev.forebay.it.support.Figures;
import dev.forebay.it.support.Numbered;
import dev.forebay.it.support.Oracle;
import dev.forebay.it.support.Places;
import dev.forebay.it.support.Xml;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** The room that a container has for a spool: its /dev/shm, and a tmpfs that fills up. */
@ExtendWith(RequiresDocker.class)
@Tag("nightly")
class ContainerSpoolIT {

  private static final long MB = 1 << 20;

  @ParameterizedTest
  @CsvSource({"64, 16", "128, 32"})
  void theDefaultPlaceTakesAQuarterOfTheContainersSharedMemory(long sharedMb, long spoolMb)
      throws Exception {
    try (Places places = Places.create();
        LogContainer container = LogContainer.in(places)) {
      if (sharedMb != 64) { // what Docker gives where nobody says anything
        container.sharedMemory(sharedMb * MB);
      }
      String inner = "<file>" + LogContainer.LOG + "</file>" + Xml.MESSAGES;
      ChildReports life = container.live(new Child.Task("life", 2, 1000, 500, 0, "wait"), inner);
      container.await("acknowledged", () -> life.progress().acked(1) == 1000);
      container.await("asked JMX", () -> !life.jmx("SpoolPath").isEmpty());
      assertThat(life.jmx("SpoolPath")).startsWith("/dev/shm/");
      assertThat(life.jmx("spoolLimitBytes")).isEqualTo(String.valueOf(spoolMb * MB));
      life.release();
      assertThat(container.awaitEnd()).as(container.output()).isZero();
      assertThat(life.status()).isEmpty();
      Oracle oracle = new Oracle();
      life.tell(oracle);
      oracle.dropped(life.dropped()).complete(0).requireSound(container.lines());
    }
  }

  @Test
  void theDefaultSizeIsAtMostAnEighthOfTheMemoryLimitAndNoReasonToWarn() throws Exception {
    long limit = 112 * MB;
    try (Places places = Places.create();
        LogContainer container =
            LogContainer.in(places)
                .memory(limit)
                .tmpfs(LogContainer.SPOOL, "rw,size=2g,mode=1777")) {
      Child.Task task = new Child.Task("life", 1, 100, 50, 0, "wait");
      ChildReports life = container.live(task, LogContainer.places() + Xml.MESSAGES, "-Xmx32m");
      container.await("acknowledged", () -> life.progress().acked(0) == 100);
      container.await("asked JMX", () -> !life.jmx("spoolLimitBytes").isEmpty());
      assertThat(Long.parseLong(life.jmx("spoolLimitBytes")))
          .isBetween(limit / 8 - 4 * MB + 1, limit / 8);
      life.release();
      assertThat(container.awaitEnd()).as(container.output()).isZero();
      assertThat(life.status()).isEmpty();
      Oracle oracle = new Oracle();
      life.tell(oracle);
      oracle.dropped(life.dropped()).complete(0).requireSound(container.lines());
    }
  }

  @Test
  void aFullTmpfsWithinTheMemoryLimitCostsCountedEventsOnlyAndFillsTheLogWhenItHasRoom()
      throws Exception {
    String inner =
        LogContainer.places()
            + "<fsync>50 milliseconds</fsync><maxFlushTime>30 seconds</maxFlushTime>"
            + "<spoolSize>64MB</spoolSize><segmentSize>64KB</segmentSize>"
            + "<ringBufferSize>1024</ringBufferSize>"
            + "<reportInterval>100 milliseconds</reportInterval>"
            + Xml.MESSAGES;
    try (Places places = Places.create();
        LogContainer container =
            LogContainer.in(places)
                .memory(256 * MB)
                .tmpfs(LogContainer.SPOOL, "rw,size=4m,mode=1777")
                .blockLog()) {
      ChildReports life =
          container.live(
              new Child.Task("life", 2, Long.MAX_VALUE, 0, 10, "released"),
              inner,
              "-Xmx64m",
              "-Dlevels=INFO,WARN");
      container.await("drops", () -> life.jmx("dropped").matches("[1-9]\\d{3,}"));
      container.awaitOffered(life.offered() + 5000);
      long before = life.progress().offered(1);
      container.unblockLog();
      container.await("ships what came later", () -> newest(container, life, 1) >= before);
      life.release();
      assertThat(container.awaitEnd()).as(container.output()).isZero();

      List<String> lines = container.lines();
      Oracle oracle = new Oracle().dropped(life.dropped()).complete(0);
      life.tell(oracle);
      Oracle.Verdict verdict = oracle.requireSound(lines);
      Map<String, Map<String, Long>> told = DropReports.told(lines);
      assertThat(life.account()).contains(" dropped " + life.dropped() + " " + told + " ");
      assertThat(missing(life, 0, verdict)).isEqualTo(DropReports.of("INFO", told)).isPositive();
      assertThat(missing(life, 1, verdict)).isEqualTo(DropReports.of("WARN", told)).isPositive();
      Figures.record("containers.txt", "tmpfs full: %s", life.account());
      CallTimes.record("a full tmpfs in a container", life.progress().longestCallNs());
    }
  }

  /** The number of the last line of a thread. */
  private static long newest(LogContainer container, ChildReports life, int thread)
      throws Exception {
    List<String> lines = container.lines();
    for (int i = lines.size() - 1; i >= 0; i--) {
      Numbered read = Numbered.parse(lines.get(i));
      if (read != null && read.producer().equals(life.producer(thread))) {
        return read.number();
      }
    }
    return -1;
  }

  private static long missing(ChildReports life, int thread, Oracle.Verdict verdict) {
    return life.progress().offered(thread)
        - verdict.lines().getOrDefault(life.producer(thread), 0L);
  }
}
