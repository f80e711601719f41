package dev.forebay.tiered;

import static org.assertj.core.api.Assertions.assertThat;

import dev.forebay.tiered.disk.NioDisk;
import java.nio.file.Path;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.Random;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

/** How long an event waits to be in the log is never understated. */
class LongestWaitTest {

  private long nowNs = TimeUnit.HOURS.toNanos(1);
  private final ShippingMetrics account =
      Starts.of(Path.of("app.log"), Path.of("/shm"), new NioDisk(), () -> nowNs, text -> {})
          .account;

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
