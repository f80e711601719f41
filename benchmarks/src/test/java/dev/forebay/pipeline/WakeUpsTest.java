package dev.forebay.pipeline;

import static org.assertj.core.api.Assertions.assertThat;

import dev.forebay.host.Await;
import java.time.Duration;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

class WakeUpsTest {

  /** A thread whose parks of a second last until someone wakes it. */
  private static final class UntilWoken implements Parking {

    private final CountDownLatch parked = new CountDownLatch(1);
    private final Semaphore wakes = new Semaphore(0);

    @Override
    public void park(Object blocker, long parkNs) {
      parked.countDown();
      if (parkNs < Duration.ofSeconds(1).toNanos()) {
        try {
          boolean unused = wakes.tryAcquire(parkNs, TimeUnit.NANOSECONDS);
        } catch (InterruptedException e) {
          Thread.currentThread().interrupt();
        }
      } else {
        wakes.acquireUninterruptibly();
      }
    }

    @Override
    public void unpark(Thread thread) {
      wakes.release();
    }
  }

  /** The line's own account would make it void. */
  @ParameterizedTest
  @EnumSource
  void aRowIsOfEventsThatAllArrived(WakeUpPolicy policy) throws Exception {
    String row = WakeUps.row(WakeUpLoad.paced(1, 1_000), policy, Duration.ofMillis(500).toNanos());

    assertThat(row).startsWith("| 1,000/s | " + policy.label() + " | ").endsWith(" | 0 |\n");
    assertThat(row.split("\\|", -1))
        .hasSameSizeAs(WakeUps.HEADER.split("\\n", -1)[0].split("\\|", -1));
  }

  @Test
  void theFirstEventsWaitUntilThirtyPercentOfTheRingAreThere() throws InterruptedException {
    UntilWoken parking = new UntilWoken();
    try (WakeUpLine line = new WakeUpLine(WakeUpPolicy.FILLED_TO_30_PERCENT, parking)) {
      line.start();
      parking.parked.await();
      int enough = WakeUpLine.SLOTS * 3 / 10;
      for (int i = 1; i < enough; i++) {
        line.call();
      }
      assertThat(line.delivered()).isZero();
      line.call();
      Await.until("all have arrived", () -> line.delivered() == enough);
    }
  }

  @Test
  void whereEachCallWakesNoEventWaits() throws InterruptedException {
    UntilWoken parking = new UntilWoken();
    try (WakeUpLine line = new WakeUpLine(WakeUpPolicy.EACH_CALL, parking)) {
      line.start();
      parking.parked.await();
      line.call();
      Await.until("it has arrived", () -> line.delivered() == 1);
    }
  }
}
