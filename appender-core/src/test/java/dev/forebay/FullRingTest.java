package dev.forebay;

import static org.assertj.core.api.Assertions.assertThat;

import ch.qos.logback.core.util.FileSize;
import dev.forebay.host.Await;
import dev.forebay.host.Gate;
import dev.forebay.observe.DropReason;
import dev.forebay.testkit.Conservation;
import dev.forebay.testkit.Events;
import dev.forebay.testkit.Rig;
import dev.forebay.testkit.Threads;
import java.lang.reflect.Method;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledForJreRange;
import org.junit.jupiter.api.condition.JRE;
import org.slf4j.event.Level;

class FullRingTest {

  private static final long LONG_MS = 60_000;

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
      rig.stop(42);

      assertThat(formatted).as("room again").hasValue(18);
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
      rig.stop(6);
    }
  }

  @Test
  void anInterruptEndsTheWaitIsCountedAndKeepsTheFlag() {
    try (Rig rig = Rig.started(appender -> waiting(appender, 4, LONG_MS))) {
      Gate gate = rig.blockFlusher();
      rig.log(4);
      AtomicBoolean flag = new AtomicBoolean();
      Thread caller =
          startWaiting(
              () -> {
                rig.logger.info("interrupted");
                flag.set(Thread.currentThread().isInterrupted());
              });
      caller.interrupt();
      Await.end(caller);

      assertThat(flag).isTrue();
      assertThat(rig.snapshot().dropped(DropReason.INTERRUPTED, Level.INFO)).isOne();
      gate.open();
      rig.stop(6);
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
      Thread caller = startWaiting(() -> rig.logger.info("waits"));

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
      rig.stop(1);
    }
  }

  private static void waiting(NonBlockingAppender appender, int slots, long timeoutMs) {
    appender.setRingBufferSize(slots);
    appender.setAppendTimeout(Rig.ms(timeoutMs));
  }

  private static Thread startWaiting(Runnable call) {
    Thread caller = Threads.start(call);
    Await.until("the caller waits", () -> caller.getState() == Thread.State.TIMED_WAITING);
    return caller;
  }

  /** Compiled for 17: virtual threads are reached by reflection. */
  @Test
  @EnabledForJreRange(min = JRE.JAVA_21)
  void virtualThreadsThatWaitDoNotHoldTheirCarriers() throws Exception {
    Method start = Thread.class.getMethod("startVirtualThread", Runnable.class);
    try (Rig rig = Rig.started(appender -> waiting(appender, 16, LONG_MS))) {
      Gate gate = rig.blockFlusher();
      rig.delegate.countingOnly();
      List<Thread> waiting = new ArrayList<>();
      for (int i = 0; i < 5000; i++) {
        Runnable call = () -> rig.log(1);
        waiting.add((Thread) start.invoke(null, call));
      }
      // More wait than there are carriers; this one still gets through.
      Runnable look = () -> assertThat(rig.snapshot().inFlight()).isPositive();
      Await.end((Thread) start.invoke(null, look));
      gate.open();
      waiting.forEach(Await::end);
      rig.stop(5001);

      assertThat(rig.snapshot().dropped()).isZero();
    }
  }
}
