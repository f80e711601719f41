package dev.forebay;

import static org.assertj.core.api.Assertions.assertThat;

import dev.forebay.host.Gate;
import dev.forebay.observe.DropReason;
import dev.forebay.testkit.Rig;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledForJreRange;
import org.junit.jupiter.api.condition.JRE;

/** Compiled for 17; virtual threads are reached by reflection. */
@EnabledForJreRange(min = JRE.JAVA_21)
class VirtualThreadsTest {

  private static final int THREADS = 5000;

  @Test
  void virtualThreadsThatWaitForAFullRingDoNotHoldTheirCarriers() throws Exception {
    try (Rig rig =
        Rig.started(
            appender -> {
              appender.setRingBufferSize(16);
              appender.setAppendTimeout(Rig.ms(60_000));
            })) {
      Gate gate = rig.blockFlusher();
      rig.delegate.countingOnly();
      List<Thread> waiting = startAll(() -> rig.log(1));
      // More wait than there are carriers; this one still gets through.
      join(List.of(start(() -> assertThat(rig.snapshot().inFlight()).isPositive())));
      gate.open();
      join(waiting);
      rig.stop(THREADS + 1L);

      assertThat(rig.snapshot().dropped(DropReason.TIMEOUT)).isZero();
      assertThat(rig.snapshot().delivered()).isEqualTo(THREADS + 1L);
    }
  }

  private static List<Thread> startAll(Runnable work) throws ReflectiveOperationException {
    List<Thread> threads = new ArrayList<>();
    for (int i = 0; i < THREADS; i++) {
      threads.add(start(work));
    }
    return threads;
  }

  private static Thread start(Runnable work) throws ReflectiveOperationException {
    return (Thread) Thread.class.getMethod("startVirtualThread", Runnable.class).invoke(null, work);
  }

  private static void join(List<Thread> threads) throws InterruptedException {
    for (Thread thread : threads) {
      thread.join(TimeUnit.SECONDS.toMillis(60));
      assertThat(thread.isAlive()).as("hangs").isFalse();
    }
  }
}
