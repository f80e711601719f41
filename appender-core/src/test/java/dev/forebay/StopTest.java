package dev.forebay;

import static org.assertj.core.api.Assertions.assertThat;

import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.AppenderBase;
import ch.qos.logback.core.Context;
import dev.forebay.host.Await;
import dev.forebay.host.Gate;
import dev.forebay.observe.FailureListener;
import dev.forebay.testkit.Conservation;
import dev.forebay.testkit.Events;
import dev.forebay.testkit.RecordingAppender;
import dev.forebay.testkit.Rig;
import java.lang.management.ManagementFactory;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.stream.IntStream;
import org.junit.jupiter.api.RepeatedTest;
import org.junit.jupiter.api.Test;

class StopTest {

  private static final long SECOND_NS = TimeUnit.SECONDS.toNanos(1);

  @Test
  void stopDeliversWhatIsInTheRing() {
    try (Rig rig = Rig.started(appender -> {})) {
      Gate gate = rig.blockFlusher();
      rig.log(1000);
      gate.open();

      rig.appender.stop();

      Conservation.assertSettled(rig.appender, 1001, rig.delegate);
      assertThat(rig.snapshot().delivered()).isEqualTo(1001);
      assertThat(rig.delegate.stops()).isEqualTo(1);
      assertThat(rig.problems()).isEmpty();
    }
  }

  @Test
  void anEmptyRingStops() {
    try (Rig rig = Rig.started(appender -> {})) {
      rig.appender.stop();

      assertThat(rig.appender.isStarted()).isFalse();
      assertThat(rig.delegate.isStarted()).isFalse();
      Conservation.assertSettled(rig.appender, 0, rig.delegate);
    }
  }

  @Test
  void stopIsIdempotentAndHarmlessBeforeStart() {
    Rig rig = Rig.unstarted(appender -> {});
    rig.appender.stop();
    rig.appender.start();
    rig.log(10);
    rig.appender.stop();
    rig.appender.stop();

    assertThat(rig.delegate.stops()).isEqualTo(1);
    Conservation.assertSettled(rig.appender, 10, rig.delegate);
  }

  @Test
  void startingTwiceStartsOnce() {
    try (Rig rig = Rig.started(appender -> appender.setThreadNameFormat("twice-%3$s"))) {
      rig.appender.start();

      assertThat(threads("twice-flusher")).hasSize(1);
      assertThat(rig.delegate.starts()).isEqualTo(1);
    }
    Await.until("threads end", () -> threads("twice-").isEmpty());
  }

  @Test
  void anInterruptedStopperWaitsWithoutBurningCpuAndStaysInterrupted() {
    try (Rig rig = Rig.started(appender -> appender.setMaxFlushTime(Rig.ms(400)))) {
      Gate gate = rig.blockFlusher();
      AtomicLong cpuNs = new AtomicLong(Long.MAX_VALUE);
      AtomicLong wallNs = new AtomicLong();
      CountDownLatch flagSeen = new CountDownLatch(1);
      Thread stopper =
          new Thread(
              () -> {
                Thread.currentThread().interrupt();
                long startNs = System.nanoTime();
                long cpuBefore = cpuTimeNs();
                rig.appender.stop();
                cpuNs.set(cpuTimeNs() - cpuBefore);
                wallNs.set(System.nanoTime() - startNs);
                if (Thread.currentThread().isInterrupted()) {
                  flagSeen.countDown();
                }
              });
      stopper.start();
      Await.end(stopper);
      gate.open();

      assertThat(flagSeen.getCount()).as("interrupt flag lost").isZero();
      assertThat(wallNs.get()).isGreaterThanOrEqualTo(TimeUnit.MILLISECONDS.toNanos(390));
      assertThat(cpuNs.get()).isLessThan(wallNs.get() / 3);
      Await.until("settled", () -> rig.snapshot().inFlight() == 0);
      Conservation.assertSettled(rig.appender, 1, rig.delegate);
    }
  }

  @Test
  void stopIsBoundedByMaxFlushTimeEvenWhenDelegateAndListenerHang() {
    Gate listenerGate = new Gate();
    try (Rig rig =
        Rig.started(
            appender -> {
              appender.setMaxFlushTime(Rig.ms(100));
              appender.addListener(
                  new FailureListener() {
                    @Override
                    public void onAppenderStarted(String name) {
                      listenerGate.pass();
                    }
                  });
            })) {
      Gate gate = rig.blockFlusher();
      long startNs = System.nanoTime();

      rig.appender.stop();

      assertThat(System.nanoTime() - startNs).isLessThan(5 * SECOND_NS);
      gate.open();
      listenerGate.open();
    }
  }

  @Test
  void anAppenderCanBeStartedAgainAndAgain() {
    try (Rig rig = Rig.unstarted(appender -> appender.setThreadNameFormat("again-%3$s-%2$d"))) {
      for (int round = 1; round <= 20; round++) {
        rig.appender.start();
        rig.log(100);
        rig.appender.stop();
        Conservation.assertSettled(rig.appender, round * 100L, rig.delegate);
        assertThat(rig.snapshot().delivered()).isEqualTo(round * 100L);
      }
      Await.until("all threads end", () -> threads("again-").isEmpty());
      assertThat(rig.problems()).isEmpty();
    }
  }

  @RepeatedTest(20)
  void callersThatRaceWithStopAndStartLoseNothingUncounted() throws InterruptedException {
    try (Rig rig = Rig.started(appender -> appender.setRingBufferSize(64))) {
      rig.delegate.countingOnly();
      CountDownLatch running = new CountDownLatch(4);
      List<Thread> callers =
          IntStream.range(0, 4)
              .mapToObj(
                  i ->
                      new Thread(
                          () -> {
                            running.countDown();
                            rig.log(2000);
                          }))
              .toList();
      callers.forEach(Thread::start);
      assertThat(running.await(20, TimeUnit.SECONDS)).isTrue();
      for (int i = 0; i < 4; i++) {
        rig.appender.stop();
        Conservation.assertHolds(rig.snapshot());
        rig.appender.start();
      }
      callers.forEach(Await::end);
      rig.appender.stop();

      Conservation.assertSettled(rig.appender, 8000, rig.delegate);
    }
  }

  @Test
  void severalThreadsMayStopAtOnce() {
    try (Rig rig = Rig.started(appender -> {})) {
      rig.log(500);
      List<Thread> stoppers =
          IntStream.range(0, 4).mapToObj(i -> new Thread(rig.appender::stop)).toList();
      stoppers.forEach(Thread::start);
      stoppers.forEach(Await::end);

      assertThat(rig.delegate.stops()).isEqualTo(1);
      Conservation.assertSettled(rig.appender, 500, rig.delegate);
    }
  }

  @Test
  void aDelegateMayStopTheAppenderThatFeedsIt() {
    try (Rig rig = Rig.started(appender -> {})) {
      Gate gate = new Gate();
      rig.delegate.before(
          event -> {
            gate.pass();
            rig.appender.stop();
          });
      rig.log(1);
      gate.awaitReached();
      rig.log(50);
      gate.open();

      Await.until("stopped", () -> rig.delegate.stops() == 1);
      Await.until("settled", () -> rig.snapshot().inFlight() == 0);
      Conservation.assertSettled(rig.appender, 51, rig.delegate);
    }
  }

  @Test
  void aDelegateThatThrowsWhileStoppingDoesNotKeepTheOthersRunning() {
    RecordingAppender second = new RecordingAppender().named("SECOND");
    Rig rig = Rig.unstarted(appender -> {});
    rig.appender.detachAppender(rig.delegate);
    rig.appender.addAppender(new BadStop(Events.context("bad")));
    rig.appender.addAppender(second);
    rig.appender.start();
    rig.log(1);
    rig.appender.stop();

    assertThat(second.stops()).isEqualTo(1);
    Conservation.assertSettled(rig.appender, 1, second);
  }

  static List<Thread> threads(String prefix) {
    return Thread.getAllStackTraces().keySet().stream()
        .filter(thread -> thread.getName().startsWith(prefix))
        .toList();
  }

  private static long cpuTimeNs() {
    return ManagementFactory.getThreadMXBean().getCurrentThreadCpuTime();
  }

  /** Throws an Error in stop(). */
  private static final class BadStop extends AppenderBase<ILoggingEvent> {

    BadStop(Context context) {
      setContext(context);
    }

    @Override
    protected void append(ILoggingEvent event) {}

    @Override
    public void stop() {
      throw new AssertionError("cannot stop");
    }
  }
}
