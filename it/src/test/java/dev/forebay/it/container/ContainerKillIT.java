package dev.forebay.it.container;

import static org.assertj.core.api.Assertions.assertThat;

import dev.forebay.it.support.Child;
import dev.forebay.it.support.ChildReports;
import dev.forebay.it.support.Oracle;
import dev.forebay.it.support.Places;
import dev.forebay.it.support.SpoolPeek;
import dev.forebay.it.support.Xml;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/**
 * A container killed with {@code kill -9} and started again, its log on a disk that outlives it:
 * what it costs depends on the place of the spool alone.
 */
class ContainerKillIT {

  private static final long LIMIT = 192L << 20;
  private static final String HEAP = "-Xmx64m";
  private static final int RING = 256;
  private static final int THREADS = 2;

  /** With fsync at its default, a second. */
  private static final String INNER =
      LogContainer.places()
          + "<maxFlushTime>30 seconds</maxFlushTime>"
          + "<appendTimeout>30 seconds</appendTimeout>"
          + ("<ringBufferSize>" + RING + "</ringBufferSize>")
          + Xml.MESSAGES;

  @Test
  void aSpoolThatOutlivesTheContainerIsShippedOnceByTheNextLife() throws Exception {
    try (Places places = Places.create();
        Engine engine = Engine.start(places);
        LogContainer container =
            container(engine, places).bind(places.spool(), LogContainer.SPOOL)) {
      Oracle oracle = new Oracle();
      ChildReports spooled = lifeThatOnlySpools(container, oracle);
      oracle.seen(SpoolPeek.lines(places.spool()));
      container.unblockLog();
      ChildReports busy = lifeUnderLoad(container, oracle);
      ChildReports last = container.lastLife(INNER, HEAP);
      last.tell(oracle);
      Oracle.Verdict verdict = oracle.requireSound(container.lines());
      assertThat(spooled.lost(verdict)).as("only the ring's").isLessThanOrEqualTo(RING + THREADS);
      assertThat(busy.lost(verdict)).as("only the ring's").isLessThanOrEqualTo(RING + THREADS);
      assertThat(verdict.reports()).isZero();
      assertThat(last.status()).isEmpty();
      assertThat(SpoolPeek.spools(places.spool())).isEmpty();
    }
  }

  @Tag("nightly")
  @Test
  void aTmpfsOfTheContainersOwnLosesWhatWasOnlyInTheSpoolInSilenceAndDoublesNothing()
      throws Exception {
    try (Places places = Places.create();
        Engine engine = Engine.start(places);
        LogContainer container =
            container(engine, places)
                .with("--tmpfs=" + LogContainer.SPOOL + ":rw,size=64m,mode=1777")) {
      Oracle oracle = new Oracle().mayEndTorn();
      ChildReports spooled = lifeThatOnlySpools(container, oracle);
      container.unblockLog();
      ChildReports busy = lifeUnderLoad(container, oracle);
      ChildReports last = container.lastLife(INNER, HEAP);
      last.tell(oracle);
      Oracle.Verdict verdict = oracle.requireSound(container.lines());
      assertThat(spooled.lost(verdict)).as("all of it").isEqualTo(spooled.offered());
      assertThat(busy.lost(verdict)).isLessThanOrEqualTo(notForced(busy));
      // Nobody is left who could know of the loss.
      assertThat(verdict.reports()).isZero();
      assertThat(last.status()).isEmpty();
      assertThat(last.dropped()).isZero();
    }
  }

  private static LogContainer container(Engine engine, Places places) throws Exception {
    return LogContainer.in(engine, places)
        .with("--memory=" + LIMIT, "--memory-swap=" + LIMIT)
        .blockLog();
  }

  /** Logs while there is no log, and is killed. */
  private static ChildReports lifeThatOnlySpools(LogContainer container, Oracle oracle)
      throws Exception {
    ChildReports life =
        container.live(
            new Child.Task("spooled", THREADS, Long.MAX_VALUE, 0, 10, "exit"), INNER, HEAP);
    container.awaitOffered(5_000);
    container.kill();
    life.tell(oracle);
    return life;
  }

  /** Takes over, logs for some fsync intervals, and is killed. */
  private static ChildReports lifeUnderLoad(LogContainer container, Oracle oracle)
      throws Exception {
    ChildReports life =
        container.live(new Child.Task("busy", THREADS, Long.MAX_VALUE, 0, 10, "exit"), INNER, HEAP);
    container.await("forced", () -> life.progress().durableUpTo() > 10_000);
    container.awaitOffered(life.offered() + 5_000); // not just after it was forced
    container.kill();
    life.tell(oracle);
    oracle.seen(container.lines());
    return life;
  }

  /** Events that only the kernel, the spool or the ring had. */
  private static long notForced(ChildReports life) {
    return life.offered() - life.progress().durableUpTo();
  }
}
