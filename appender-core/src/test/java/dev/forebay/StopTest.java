package dev.forebay;

import static org.assertj.core.api.Assertions.assertThat;

import dev.forebay.host.Await;
import dev.forebay.host.ChildJvm;
import dev.forebay.host.Gate;
import dev.forebay.observe.DropReason;
import dev.forebay.testkit.Conservation;
import dev.forebay.testkit.Events;
import dev.forebay.testkit.RecordingAppender;
import dev.forebay.testkit.RecordingListener;
import dev.forebay.testkit.Rig;
import dev.forebay.testkit.Threads;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.LockSupport;
import org.junit.jupiter.api.RepeatedTest;
import org.junit.jupiter.api.Test;

/** Stops that have the time they need, stops that have not, and those inside a log call. */
class StopTest {

  private static final Duration HOUR = Duration.ofHours(1);

  @Test
  void aStopByManyThreadsDeliversWhatIsInTheRingOnce() {
    try (Rig rig = Rig.started(Rig::patient)) {
      Gate gate = rig.blockFlusher();
      rig.log(1000);
      gate.open();
      Threads.run(4, i -> rig.appender.stop());

      rig.stop(1001);
      assertThat(rig.snapshot().delivered()).isEqualTo(1001);
      assertThat(rig.delegate.reports()).isEmpty();
      assertThat(rig.delegate.stops()).isOne();
      assertThat(rig.problems()).isEmpty();
    }
  }

  @Test
  void anAppenderCanBeStartedAgainAndAgain() {
    try (Rig rig = Rig.unstarted(appender -> appender.setThreadNameFormat("again-%3$s-%2$d"))) {
      rig.appender.stop();
      for (int round = 1; round <= 20; round++) {
        rig.appender.start();
        rig.appender.start();
        assertThat(Threads.named("again-flusher")).hasSize(1);
        rig.log(100);
        rig.stop(round * 100L);
        rig.appender.stop();
        assertThat(rig.snapshot().delivered()).isEqualTo(round * 100L);
        assertThat(List.of(rig.delegate.starts(), rig.delegate.stops())).containsOnly(round);
      }
      Await.until("all threads end", () -> Threads.named("again-").isEmpty());
      assertThat(rig.problems()).isEmpty();
    }
  }

  @RepeatedTest(20)
  void callersThatRaceWithStopAndStartLoseNothingUncounted() throws InterruptedException {
    try (Rig rig = Rig.started(appender -> appender.setRingBufferSize(64))) {
      rig.delegate.countingOnly();
      CountDownLatch running = new CountDownLatch(4);
      List<Thread> callers =
          Threads.start(
              4,
              i -> {
                running.countDown();
                rig.log(2000);
              });
      assertThat(running.await(20, TimeUnit.SECONDS)).isTrue();
      for (int i = 0; i < 4; i++) {
        rig.appender.stop();
        Conservation.assertHolds(rig.snapshot());
        rig.appender.start();
      }
      callers.forEach(Await::end);

      rig.stop(8000);
    }
  }

  @Test
  void anInterruptedStopperWaitsAndStaysInterrupted() {
    try (Rig rig = Rig.started(Rig::patient)) {
      Gate gate = rig.blockFlusher();
      AtomicBoolean flag = new AtomicBoolean();
      Thread stopper =
          Threads.start(
              () -> {
                Thread.currentThread().interrupt();
                rig.appender.stop();
                flag.set(Thread.currentThread().isInterrupted());
              });
      Await.until("it waits", () -> stopper.getState() == Thread.State.TIMED_WAITING);
      gate.open();
      Await.end(stopper);

      assertThat(flag).isTrue();
      rig.stop(1);
      assertThat(rig.snapshot().delivered()).isOne();
    }
  }

  @Test
  void aStopThatTakesTooLongCountsWhatItLeavesAndInterruptsNobody() {
    Gate listenerGate = new Gate();
    RecordingListener listener = new RecordingListener().before(listenerGate::pass);
    try (Rig rig =
        Rig.started(
            appender -> {
              appender.setMaxFlushTime(Rig.ms(100));
              appender.addListener(listener);
            })) {
      Gate gate = new Gate();
      AtomicBoolean interrupted = new AtomicBoolean(true);
      rig.delegate.before(
          event -> {
            gate.pass();
            interrupted.set(Thread.currentThread().isInterrupted()); // would close its file
          });
      rig.log(1);
      gate.awaitReached();
      rig.log(199);
      AtomicInteger flushed = new AtomicInteger();
      Thread flushing = Threads.start(() -> countFlush(rig, flushed));
      rig.appender.stop();

      assertThat(rig.snapshot().dropped(DropReason.ABANDONED)).isEqualTo(199);
      assertThat(rig.snapshot().inFlight()).as("the one in the delegate's hands").isOne();
      assertThat(rig.problems()).singleElement().asString().contains("<maxFlushTime>", "199");
      assertThat(rig.delegate.stops()).isZero();
      Threads.run(() -> countFlush(rig, flushed));
      Await.end(flushing);
      assertThat(flushed).as("flushes wait for nothing that was given up").hasValue(0);
      gate.open();
      listenerGate.open();
      Await.until("told of what was left", () -> listener.dropped() == 199);
      Await.until("the delegate is stopped", () -> rig.delegate.stops() == 1);
      assertThat(interrupted).isFalse();
      rig.stop(200);
      assertThat(rig.snapshot().delivered()).isOne();
    }
  }

  private static void countFlush(Rig rig, AtomicInteger flushed) {
    flushed.addAndGet(rig.appender.flush(HOUR) ? 1 : 0);
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
      Thread leftBehind = Threads.named("left-behind-flusher").get(0);
      rig.appender.stop();
      Rig.patient(rig.appender); // the next stop shall see the delegates stopped
      rig.appender.start();

      gate.open();
      Await.end(leftBehind);
      rig.log(10);
      rig.awaitDelivered(11);
      assertThat(rig.delegate.isStarted()).isTrue();
      rig.stop(11);
      assertThat(rig.delegate.isStarted()).isFalse();
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
    Threads.run(rig.appender::start);
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

  private static final String STOP = "stop";

  /**
   * Logback's sifting appender stops others inside a log call, which must not wait for that: see
   * SiftedStopTest.
   */
  private static Rig stoppable() {
    Rig rig = Rig.started(appender -> appender.setMaxFlushTime("1 hour"));
    rig.logger.addAppender(
        new RecordingAppender()
            .before(
                event -> {
                  if (event.getMessage().equals(STOP)) {
                    rig.appender.stop();
                  }
                }));
    return rig;
  }

  @Test
  void aLogCallDoesNotWaitForTheStopInsideItAndTheNextStartDoes() {
    try (Rig rig = stoppable()) {
      Gate gate = rig.blockFlusher();
      Threads.run(() -> rig.logger.info(STOP));

      assertThat(rig.appender.isStarted()).isFalse();
      assertThat(rig.delegate.stops()).as("the stop has not ended").isZero();
      assertThat(rig.snapshot().inFlight()).isEqualTo(2);
      rig.appender.doAppend(Events.info("late"));
      assertThat(rig.snapshot().dropped(DropReason.STOPPED)).isOne();

      gate.open();
      rig.appender.start();
      assertThat(rig.delegate.stops()).isOne();
      assertThat(rig.delegate.isStarted()).isTrue();
      rig.log(10);
      rig.stop(13);
      assertThat(rig.snapshot().dropped()).isOne();
      assertThat(rig.problems()).isEmpty();
    }
  }

  @Test
  void aJvmThatEndsDuringAStopInsideALogCallDrainsIt() throws Exception {
    assertThat(ChildJvm.run(StopsAndEnds.class)).hasLineCount(StopsAndEnds.EVENTS + 1);
  }

  static final class StopsAndEnds {

    static final int EVENTS = 200;

    private StopsAndEnds() {}

    public static void main(String[] args) {
      Rig rig = stoppable();
      rig.delegate.before(
          event -> {
            LockSupport.parkNanos(1_000_000);
            System.out.println("written");
          });
      rig.log(EVENTS);
      rig.logger.info(STOP);
    }
  }
}
