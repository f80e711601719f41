package dev.forebay.tiered;

import static org.assertj.core.api.Assertions.assertThat;

import dev.forebay.tiered.disk.NioDisk;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.Random;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.Test;

class ShippingMetricsTest {

  private final List<String> warnings = new ArrayList<>();
  private long nowNs = TimeUnit.HOURS.toNanos(1);
  private final ShippingMetrics account =
      StartRig.of(Path.of("app.log"), Path.of("/shm"), new NioDisk(), () -> nowNs, warnings::add)
          .account();

  @Test
  void aSpoolThatCannotBeReadIsNoFailureOfTheLog() {
    account.unreadable(new IOException("cannot read the spool s-1: EIO"));
    account.unreadable(new IOException("cannot read the spool s-1: EIO"));

    assertThat(warnings).containsExactly("cannot read the spool s-1: EIO; retrying");
    assertThat(account.log.isFailing()).isFalse();
    assertThat(account.reading.isFailing()).isTrue();
    account.worked();
    assertThat(account.reading.isFailing()).isFalse();
  }

  /** A flush returns as soon as the fate of its events is known; what it promised stands then. */
  @Test
  void whoWaitsForTheFateOfARecordFindsTheWatermarkThere() throws InterruptedException {
    int records = 3_000_000;
    AtomicReference<String> early = new AtomicReference<>();
    CountDownLatch begun = new CountDownLatch(1);
    Thread waits =
        new Thread(
            () -> {
              begun.countDown();
              while (account.handled() < records) {
                long known = account.handled();
                if (account.durableUpTo() < known) {
                  early.set(known + " settled before the watermark");
                }
              }
            });
    waits.start();
    begun.await();
    for (int i = 1; i <= records; i++) {
      account.settled(1, 0, i);
    }
    waits.join();

    assertThat(early).hasNullValue();
  }

  @Test
  void nothingWaitsBeforeTheFirstEventAndAfterTheLast() {
    assertThat(account.longestWaitNs()).isZero();
    account.passedOn(3, nowNs);
    nowNs += 5;
    account.settled(2, 0, 2);
    assertThat(account.longestWaitNs()).isEqualTo(5);
    account.lost(1);
    assertThat(account.longestWaitNs()).isZero();
  }

  @Test
  void anHourWithoutEventsIsNoWait() {
    account.passedOn(1, nowNs);
    account.settled(1, 0, 1);
    nowNs += TimeUnit.HOURS.toNanos(1);
    account.passedOn(2, nowNs);
    nowNs += 7;
    assertThat(account.longestWaitNs()).isEqualTo(7);
  }

  @Test
  void itGrowsWhileTheDiskIsFrozenAndEndsWithIt() {
    account.passedOn(10, nowNs);
    nowNs += 100;
    account.passedOn(20, nowNs);
    nowNs += 100;
    assertThat(account.longestWaitNs()).isEqualTo(200);
    account.settled(20, 0, 20);
    assertThat(account.longestWaitNs()).isZero();
  }

  @Test
  void underSteadyLoadItIsAtMostTheTimeOfTwoCommits() {
    account.passedOn(1, nowNs);
    for (int commit = 1; commit < 100; commit++) {
      nowNs += 10;
      account.passedOn(commit + 1, nowNs);
      account.settled(1, 0, commit);
      nowNs += 10;
      assertThat(account.longestWaitNs()).isBetween(10L, 40L);
    }
  }

  /** Against the times of all events. */
  @Test
  void itIsAtLeastTheAgeOfTheOldestEvent() {
    Random random = new Random(1);
    Deque<Long> waiting = new ArrayDeque<>();
    long passedOn = 0;
    for (int step = 0; step < 10_000; step++) {
      nowNs += random.nextInt(100);
      if (random.nextInt(3) > 0) {
        passedOn++;
        account.passedOn(passedOn, nowNs);
        waiting.add(nowNs);
      } else if (!waiting.isEmpty()) {
        int settled = 1 + random.nextInt(waiting.size());
        account.settled(settled, 0, passedOn);
        for (int i = 0; i < settled; i++) {
          waiting.remove();
        }
      }
      Long oldest = waiting.peek();
      if (oldest == null) {
        assertThat(account.longestWaitNs()).isZero();
      } else {
        assertThat(account.longestWaitNs()).isGreaterThanOrEqualTo(nowNs - oldest);
      }
    }
  }
}
