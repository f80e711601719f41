package dev.forebay.pipeline;

import static org.assertj.core.api.Assertions.assertThat;

import dev.forebay.agent.Agent;
import dev.forebay.agent.ParkPolicy;
import dev.forebay.host.Await;
import java.time.Duration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

class WakeUpsTest {

  /** A park of a second lasts until someone wakes the thread. */
  private static ParkPolicy untilWoken(ParkPolicy policy) {
    return (workDone, nowNs) -> {
      long parkNs = policy.parkNs(workDone, nowNs);
      return parkNs < Duration.ofSeconds(1).toNanos() ? parkNs : Agent.UNTIL_WOKEN;
    };
  }

  private static void awaitParked() {
    Await.until(
        "parked",
        () ->
            Thread.getAllStackTraces().keySet().stream()
                .anyMatch(
                    thread ->
                        thread.getName().equals(WakeUpLine.THREAD)
                            && thread.getState() == Thread.State.WAITING));
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
  void theFirstEventsWaitUntilThirtyPercentOfTheRingAreThere() {
    try (WakeUpLine line =
        new WakeUpLine(WakeUpPolicy.FILLED_TO_30_PERCENT, WakeUpsTest::untilWoken)) {
      line.start();
      awaitParked();
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
  void whereEachCallWakesNoEventWaits() {
    try (WakeUpLine line = new WakeUpLine(WakeUpPolicy.EACH_CALL, WakeUpsTest::untilWoken)) {
      line.start();
      awaitParked();
      line.call();
      Await.until("it has arrived", () -> line.delivered() == 1);
    }
  }
}
