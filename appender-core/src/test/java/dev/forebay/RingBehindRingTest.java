package dev.forebay;

import static org.assertj.core.api.Assertions.assertThat;

import dev.forebay.host.Gate;
import dev.forebay.observe.DropReason;
import dev.forebay.testkit.Conservation;
import dev.forebay.testkit.RecordingAppender;
import dev.forebay.testkit.Rig;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.slf4j.event.Level;

/** One of our appenders behind another, as when both classes of a configuration are exchanged. */
class RingBehindRingTest {

  private final RecordingAppender last = new RecordingAppender().named("LAST");

  /** A ring in front of the recording appender, to be attached to that of a rig. */
  private NonBlockingAppender second(Rig rig) {
    NonBlockingAppender second = new NonBlockingAppender();
    second.setContext(rig.context);
    second.setName("SECOND");
    second.addAppender(last);
    Rig.patient(second);
    return second;
  }

  @Test
  void theSecondRingGetsEveryEventInOrderAndTheReportOfWhatTheFirstHasDropped() {
    try (Rig rig = Rig.unstarted(appender -> appender.setRingBufferSize(16))) {
      Rig.patient(rig.appender);
      NonBlockingAppender second = second(rig);
      rig.appender.addAppender(second);
      rig.appender.start();
      Gate gate = rig.blockFlusher();
      rig.log(Level.WARN, 20);
      gate.open();
      rig.stop(21);

      assertThat(last.messages().subList(1, 17))
          .isEqualTo(IntStream.range(0, 16).mapToObj(i -> "event " + i).toList());
      assertThat(last.reports()).singleElement().asString().contains("4 events dropped");
      assertThat(last.events().get(1).getThreadName()).isEqualTo(Thread.currentThread().getName());
      assertThat(second.snapshot().dropped()).isZero();
      Conservation.assertHolds(second, last);
    }
  }

  @Test
  void whatTheAppenderBehindTheFirstLogsIsRefusedByTheSecondToo() {
    try (Rig rig = Rig.unstarted(Rig::patient)) {
      NonBlockingAppender second = second(rig);
      rig.appender.addAppender(second);
      rig.appender.start();
      ch.qos.logback.classic.Logger other = rig.context.getLogger("other");
      other.addAppender(second);
      rig.delegate.before(event -> other.info("from the first's delegate"));
      rig.logger.info("event");
      rig.appender.stop();

      assertThat(last.messages()).contains("event").doesNotContain("from the first's delegate");
      assertThat(second.snapshot().dropped(DropReason.REENTRANT)).isPositive();
      Conservation.assertHolds(second, last);
    }
  }

  @Test
  void appendersAreNotAttachedToThemselvesNorInACircle() {
    try (Rig rig = Rig.unstarted(Rig::patient)) {
      NonBlockingAppender second = second(rig);
      second.addAppender(rig.appender);
      rig.appender.addAppender(second);
      rig.appender.addAppender(rig.appender);
      rig.appender.start();
      rig.appender.addAppender(rig.appender);
      rig.log(10);
      rig.stop(10);

      assertThat(rig.problems())
          .hasSize(3)
          .allMatch(text -> text.contains("] is not attached: it would pass events back to this"))
          .filteredOn(text -> text.contains("[RING] is not"))
          .hasSize(2);
    }
  }
}
