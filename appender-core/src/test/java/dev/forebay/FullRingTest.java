package dev.forebay;

import static org.assertj.core.api.Assertions.assertThat;

import ch.qos.logback.core.util.FileSize;
import dev.forebay.host.Await;
import dev.forebay.host.Gate;
import dev.forebay.observe.DropReason;
import dev.forebay.testkit.Conservation;
import dev.forebay.testkit.Events;
import dev.forebay.testkit.Rig;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.slf4j.event.Level;

class FullRingTest {

  private static final long LONG_MS = 60_000;

  @Test
  void aFullRingDropsAtOnceAndCounts() {
    try (Rig rig = Rig.started(appender -> appender.setRingBufferSize(16))) {
      Gate gate = rig.blockFlusher();
      for (int i = 0; i < 40; i++) {
        rig.logger.warn("event {}", i);
      }

      assertThat(rig.snapshot().dropped(DropReason.RING_FULL, Level.WARN)).isEqualTo(24);
      Conservation.assertHolds(rig.appender, rig.delegate);
      assertThat(rig.problems()).as("no status on the caller's thread").isEmpty();
      gate.open();
      rig.appender.stop();
      Conservation.assertSettled(rig.appender, 41, rig.delegate);
    }
  }

  @Test
  void whileTheRingIsFullMessagesAreNotEvenFormatted() {
    try (Rig rig = Rig.started(appender -> appender.setRingBufferSize(16))) {
      Gate gate = rig.blockFlusher();
      AtomicInteger formatted = new AtomicInteger();
      Object argument =
          new Object() {
            @Override
            public String toString() {
              return "event " + formatted.incrementAndGet();
            }
          };
      for (int i = 0; i < 40; i++) {
        rig.logger.warn("{}", argument);
      }

      assertThat(formatted).as("16 taken, 1 refused").hasValue(17);
      assertThat(rig.snapshot().dropped(DropReason.RING_FULL, Level.WARN)).isEqualTo(24);
      gate.open();
      rig.awaitDelivered(17);
      rig.logger.warn("{}", argument);
      rig.appender.stop();

      assertThat(formatted).as("room again").hasValue(18);
      Conservation.assertSettled(rig.appender, 42, rig.delegate);
    }
  }

  @Test
  void nothingIsLostAtTwiceTheCapacityWhenCallersMayWait() {
    try (Rig rig = Rig.started(appender -> waiting(appender, 16, LONG_MS))) {
      Gate gate = rig.blockFlusher();
      Thread caller = new Thread(() -> rig.log(32));
      caller.start();
      awaitWaiting(caller);
      gate.open();
      Await.end(caller);
      rig.appender.stop();

      assertThat(rig.snapshot().dropped()).isZero();
      Conservation.assertSettled(rig.appender, 33, rig.delegate);
    }
  }

  @Test
  void aCallerGivesUpAfterTheTimeout() {
    try (Rig rig = Rig.started(appender -> waiting(appender, 4, 30))) {
      Gate gate = rig.blockFlusher();
      rig.log(4);
      long startNs = System.nanoTime();
      rig.logger.info("too late");

      assertThat(System.nanoTime() - startNs)
          .isGreaterThanOrEqualTo(TimeUnit.MILLISECONDS.toNanos(30));
      assertThat(rig.snapshot().dropped(DropReason.TIMEOUT, Level.INFO)).isOne();
      gate.open();
      rig.appender.stop();
      Conservation.assertSettled(rig.appender, 6, rig.delegate);
    }
  }

  @Test
  void anInterruptEndsTheWaitIsCountedAndKeepsTheFlag() {
    try (Rig rig = Rig.started(appender -> waiting(appender, 4, LONG_MS))) {
      Gate gate = rig.blockFlusher();
      rig.log(4);
      AtomicBoolean flag = new AtomicBoolean();
      Thread caller =
          new Thread(
              () -> {
                rig.logger.info("interrupted");
                flag.set(Thread.currentThread().isInterrupted());
              });
      caller.start();
      awaitWaiting(caller);
      caller.interrupt();
      Await.end(caller);

      assertThat(flag).isTrue();
      assertThat(rig.snapshot().dropped(DropReason.INTERRUPTED, Level.INFO)).isOne();
      gate.open();
      rig.appender.stop();
      Conservation.assertSettled(rig.appender, 6, rig.delegate);
    }
  }

  @Test
  void aCallerInterruptedBeforehandStillGetsItsEventInWhenThereIsRoom() {
    try (Rig rig = Rig.started(appender -> waiting(appender, 4, LONG_MS))) {
      Thread.currentThread().interrupt();
      rig.logger.info("event");

      assertThat(Thread.interrupted()).isTrue();
      rig.appender.stop();
      assertThat(rig.snapshot().delivered()).isOne();
      Conservation.assertSettled(rig.appender, 1, rig.delegate);
    }
  }

  @Test
  void stopReleasesACallerThatWaits() {
    try (Rig rig =
        Rig.started(
            appender -> {
              waiting(appender, 4, LONG_MS);
              appender.setMaxFlushTime(Rig.ms(30));
            })) {
      Gate gate = rig.blockFlusher();
      rig.log(4);
      Thread caller = new Thread(() -> rig.logger.info("waits"));
      caller.start();
      awaitWaiting(caller);

      rig.appender.stop();

      Await.end(caller);
      assertThat(rig.snapshot().dropped(DropReason.STOPPED)).isOne();
      gate.open();
      Await.until("settled", () -> rig.snapshot().inFlight() == 0);
      Conservation.assertSettled(rig.appender, 6, rig.delegate);
    }
  }

  @Test
  void anEventThatCanNeverFitDoesNotWait() {
    try (Rig rig =
        Rig.started(
            appender -> {
              waiting(appender, 64, LONG_MS);
              appender.setRingBufferBytes(new FileSize(64 * 1024));
            })) {
      rig.logger.error(Events.text(40_000));

      assertThat(rig.snapshot().dropped(DropReason.BYTES_FULL, Level.ERROR)).isOne();
      rig.appender.stop();
      Conservation.assertSettled(rig.appender, 1, rig.delegate);
    }
  }

  @Test
  void shedEventsAreDroppedAtOnceEvenWhenCallersMayWaitForAFullRing() {
    try (Rig rig =
        Rig.started(
            appender -> {
              waiting(appender, 64, LONG_MS);
              appender.setDiscardingThreshold(32);
            })) {
      Gate gate = rig.blockFlusher();
      rig.log(40);

      assertThat(rig.snapshot().dropped(DropReason.SHED, Level.INFO)).isEqualTo(7);
      gate.open();
      rig.appender.stop();
      Conservation.assertSettled(rig.appender, 41, rig.delegate);
    }
  }

  @Test
  void withoutAThresholdWaitingReplacesShedding() {
    try (Rig rig = Rig.started(appender -> waiting(appender, 64, LONG_MS))) {
      Gate gate = rig.blockFlusher();
      for (int i = 0; i < 64; i++) {
        rig.logger.trace("event");
      }
      assertThat(rig.snapshot().dropped()).isZero();
      gate.open();
      rig.appender.stop();
      Conservation.assertSettled(rig.appender, 65, rig.delegate);
    }
  }

  private static void waiting(NonBlockingAppender appender, int slots, long timeoutMs) {
    appender.setRingBufferSize(slots);
    appender.setAppendTimeout(Rig.ms(timeoutMs));
  }

  private static void awaitWaiting(Thread caller) {
    Await.until("the caller waits", () -> caller.getState() == Thread.State.TIMED_WAITING);
  }

  @Test
  void aSlotIsFreeAgainBeforeItsBatchEnds() {
    try (Rig rig =
        Rig.started(
            appender -> {
              Rig.patient(appender);
              appender.setRingBufferSize(4);
            })) {
      Gate gate = rig.blockFlusher();
      Semaphore steps = new Semaphore(0);
      for (int i = 0; i < 4; i++) {
        rig.logger.warn("first");
      }
      rig.delegate.before(event -> steps.acquireUninterruptibly());
      gate.open();
      steps.release(2);
      rig.awaitDelivered(3);
      Await.until("the third is in the delegate's hands", steps::hasQueuedThreads);
      rig.logger.warn("second");
      rig.logger.warn("second");
      assertThat(rig.snapshot().dropped()).isZero();
      steps.release(10); // more than are left
      rig.appender.stop();
      Conservation.assertSettled(rig.appender, 7, rig.delegate);
    }
  }

  @Test
  void aSizeThatIsNoPowerOfTwoIsRoundedUp() {
    try (Rig rig =
        Rig.started(
            appender -> {
              Rig.patient(appender);
              appender.setRingBufferSize(1000);
            })) {
      Gate gate = rig.blockFlusher();
      for (int i = 0; i < 2000; i++) {
        rig.logger.warn("event");
      }
      assertThat(rig.snapshot().dropped(DropReason.RING_FULL)).isEqualTo(2000 - 1024);
      gate.open();
      rig.appender.stop();
      Conservation.assertSettled(rig.appender, 2001, rig.delegate);
    }
  }
}
