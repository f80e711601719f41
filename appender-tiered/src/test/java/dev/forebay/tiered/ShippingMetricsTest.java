package dev.forebay.tiered;

import static org.assertj.core.api.Assertions.assertThat;

import dev.forebay.tiered.disk.NioDisk;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.Test;

class ShippingMetricsTest {

  private final List<String> warnings = new ArrayList<>();
  private final ShippingMetrics account =
      Starts.of(Path.of("app.log"), Path.of("/shm"), new NioDisk(), () -> 0, warnings::add).account;

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
}
