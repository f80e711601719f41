package dev.forebay;

import static org.assertj.core.api.Assertions.assertThat;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.classic.spi.LoggingEvent;
import dev.forebay.host.Gate;
import dev.forebay.observe.DropReason;
import dev.forebay.testkit.Conservation;
import dev.forebay.testkit.Events;
import dev.forebay.testkit.RecordingAppender;
import dev.forebay.testkit.Rig;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

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
  void theSecondRingGetsEveryEventInOrderAndWithTheThreadThatLoggedIt() {
    try (Rig rig = Rig.unstarted(Rig::patient)) {
      NonBlockingAppender second = second(rig);
      rig.appender.addAppender(second);
      rig.appender.start();
      rig.log(1000);
      rig.stop(1000);

      assertThat(last.messages())
          .isEqualTo(IntStream.range(0, 1000).mapToObj(i -> "event " + i).toList());
      assertThat(last.events())
          .allMatch(event -> event.getThreadName().equals(Thread.currentThread().getName()));
      Conservation.assertSettled(second, 1000, last);
    }
  }

  /** As appenders do that mask secrets, or that keep events back for a while. */
  @Test
  void anAppenderBetweenThemMayHandOnAnotherEventInPlaceOfTheFirst() {
    try (Rig rig = Rig.unstarted(Rig::patient)) {
      NonBlockingAppender second = second(rig);
      rig.delegate.before(event -> second.doAppend(masked(event)));
      second.start();
      rig.appender.start();
      rig.log(100);
      rig.stop(100);
      second.stop();

      assertThat(last.messages()).hasSize(100).containsOnly("masked");
      Conservation.assertSettled(second, 100, last);
    }
  }

  private static ILoggingEvent masked(ILoggingEvent event) {
    LoggingEvent masked = Events.info("masked");
    masked.setThreadName(event.getThreadName());
    return masked;
  }

  @Test
  void theReportOfWhatTheFirstRingDroppedPassesTheSecond() {
    try (Rig rig =
        Rig.unstarted(
            appender -> {
              Rig.patient(appender);
              appender.setRingBufferSize(16);
            })) {
      NonBlockingAppender second = second(rig);
      rig.appender.addAppender(second);
      rig.appender.start();
      Gate gate = rig.blockFlusher();
      for (int i = 0; i < 20; i++) {
        rig.logger.error("event");
      }
      gate.open();
      rig.stop(21);

      assertThat(last.reports()).singleElement().asString().contains("4 events dropped");
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
      other.setLevel(Level.INFO);
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
