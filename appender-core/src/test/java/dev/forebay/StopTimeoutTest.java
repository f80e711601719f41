package dev.forebay;

import static org.assertj.core.api.Assertions.assertThat;

import dev.forebay.host.Await;
import dev.forebay.host.Gate;
import dev.forebay.observe.DropReason;
import dev.forebay.testkit.Conservation;
import dev.forebay.testkit.RecordingAppender;
import dev.forebay.testkit.Rig;
import java.time.Duration;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.Test;

/** What a stop that takes too long leaves behind. */
class StopTimeoutTest {

  @Test
  void stopTimeoutCountsExactlyWhatItLeavesBehind() {
    try (Rig rig = Rig.started(appender -> appender.setMaxFlushTime(Rig.ms(100)))) {
      Gate gate = rig.blockFlusher();
      rig.log(199);

      rig.appender.stop();

      assertThat(rig.snapshot().dropped(DropReason.ABANDONED)).isEqualTo(199);
      assertThat(rig.snapshot().inFlight()).as("the one in the delegate's hands").isOne();
      Conservation.assertHolds(rig.appender, rig.delegate);
      assertThat(rig.problems()).singleElement().asString().contains("<maxFlushTime>", "199");

      gate.open();
      Await.until("the delegate returns", () -> rig.snapshot().inFlight() == 0);
      Conservation.assertSettled(rig.appender, 200, rig.delegate);
      assertThat(rig.snapshot().delivered()).isOne();
    }
  }

  @Test
  void stopTimeoutCountsAllButTheOneEventInTheHandsOfTheDelegate() {
    try (Rig rig = Rig.started(appender -> appender.setMaxFlushTime(Rig.ms(50)))) {
      Gate first = rig.blockFlusher();
      rig.log(199);
      Gate second = new Gate();
      rig.delegate.gatedBy(second);
      first.open();
      second.awaitReached();

      rig.appender.stop();

      assertThat(rig.snapshot().delivered()).isOne();
      assertThat(rig.snapshot().inFlight()).isOne();
      assertThat(rig.snapshot().dropped(DropReason.ABANDONED)).isEqualTo(198);
      second.open();
      Await.until("the delegate returns", () -> rig.snapshot().inFlight() == 0);
      Conservation.assertSettled(rig.appender, 200, rig.delegate);
    }
  }

  @Test
  void aFlushDoesNotWaitForWhatStopHasGivenUp() {
    try (Rig rig = Rig.started(appender -> appender.setMaxFlushTime(Rig.ms(20)))) {
      Gate gate = rig.blockFlusher();
      rig.log(5);
      AtomicReference<Boolean> before = new AtomicReference<>();
      AtomicReference<Boolean> after = new AtomicReference<>();
      Thread flushBefore = flushing(rig, before);
      rig.appender.stop();
      Thread flushAfter = flushing(rig, after);

      Await.end(flushBefore);
      Await.end(flushAfter);
      assertThat(before).hasValue(false);
      assertThat(after).hasValue(false);
      gate.open();
    }
  }

  private static Thread flushing(Rig rig, AtomicReference<Boolean> result) {
    Thread thread = new Thread(() -> result.set(rig.appender.flush(Duration.ofHours(1))));
    thread.setDaemon(true);
    thread.start();
    return thread;
  }

  @Test
  void theDelegateIsStoppedLateWhenItHungAtStopTimeout() {
    try (Rig rig = Rig.started(appender -> appender.setMaxFlushTime(Rig.ms(20)))) {
      Gate gate = rig.blockFlusher();
      rig.appender.stop();
      assertThat(rig.delegate.stops()).isZero();

      gate.open();

      Await.until("the delegate is stopped", () -> rig.delegate.stops() == 1);
    }
  }

  @Test
  void aFlusherLeftBehindByStopDoesNotStopTheDelegatesOfTheNextStart() {
    try (Rig rig =
        Rig.started(
            appender -> {
              appender.setMaxFlushTime(Rig.ms(20));
              appender.setThreadNameFormat("left-behind-%3$s-%2$d");
            })) {
      Gate gate = rig.blockFlusher();
      Thread leftBehind = StopTest.threads("left-behind-flusher").get(0);
      rig.appender.stop();
      Rig.patient(rig.appender); // the next stop shall see the delegates stopped
      rig.appender.start();
      gate.open();
      Await.end(leftBehind);
      rig.log(10);
      rig.awaitDelivered(11);

      assertThat(rig.delegate.isStarted()).isTrue();
      rig.appender.stop();
      assertThat(rig.delegate.isStarted()).isFalse();
      Conservation.assertSettled(rig.appender, 11, rig.delegate);
    }
  }

  @Test
  void aDelegateThatHangsInItsStopHoldsUpNoStartAndIsStartedAgainForIt() {
    Gate gate = new Gate();
    RecordingAppender hanging =
        new RecordingAppender() {
          @Override
          public void stop() {
            if (stops() == 0) {
              gate.pass();
            }
            super.stop();
          }
        };
    Rig rig = Rig.unstarted(appender -> appender.setMaxFlushTime(Rig.ms(20)));
    rig.appender.detachAppender(rig.delegate);
    rig.appender.addAppender(hanging.named("HANGS"));
    rig.appender.addAppender(rig.delegate);
    rig.appender.start();
    rig.appender.stop();
    gate.awaitReached();
    Rig.patient(rig.appender);
    Thread starter = new Thread(rig.appender::start);
    starter.start();
    Await.end(starter);
    assertThat(rig.appender.isStarted()).isTrue();

    gate.open();
    Await.until("started again", () -> hanging.starts() == 2);
    rig.log(10);
    Await.until("delivered", () -> rig.snapshot().delivered() == 10);
    assertThat(rig.delegate.stops()).as("belongs to the second start").isZero();
    rig.appender.stop();
    assertThat(hanging.isStarted()).isFalse();
    assertThat(rig.delegate.isStarted()).isFalse();
    Conservation.assertSettled(rig.appender, 10, hanging);
  }

  /** An interrupt would close the file that it writes. */
  @Test
  void aDelegateThatStillWorksIsNotInterrupted() {
    try (Rig rig = Rig.started(appender -> appender.setMaxFlushTime(Rig.ms(50)))) {
      Gate gate = new Gate();
      AtomicBoolean flag = new AtomicBoolean(true);
      rig.delegate.before(
          event -> {
            gate.pass();
            flag.set(Thread.currentThread().isInterrupted());
          });
      rig.logger.error("held");
      gate.awaitReached();
      rig.appender.stop();
      gate.open();
      Await.until("the delegate returns", () -> rig.snapshot().inFlight() == 0);

      assertThat(flag).isFalse();
      Conservation.assertSettled(rig.appender, 1, rig.delegate);
    }
  }

  @Test
  void aGracePeriodOfZeroDoesNotWait() {
    try (Rig rig = Rig.started(appender -> appender.setShutdownGracePeriod(Rig.ms(0)))) {
      assertThat(rig.problems()).as("it is no mistake").isEmpty();
      long limitNs =
          rig.appender.pipelineOptions().validate("RING", new ConfigFindings()).maxFlushNs();
      assertThat(limitNs).isEqualTo(TimeUnit.MILLISECONDS.toNanos(1));
      Gate gate = rig.blockFlusher();
      rig.log(3);
      rig.appender.stop();
      assertThat(rig.snapshot().dropped(DropReason.ABANDONED)).isEqualTo(3);
      gate.open();
      Await.until("the delegate returns", () -> rig.snapshot().inFlight() == 0);
      Conservation.assertSettled(rig.appender, 4, rig.delegate);
    }
  }
}
