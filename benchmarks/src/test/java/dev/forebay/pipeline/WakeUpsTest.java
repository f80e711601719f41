package dev.forebay.pipeline;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

class WakeUpsTest {

  /** The line's own account would make it void. */
  @ParameterizedTest
  @EnumSource
  void aRowIsOfEventsThatAllArrived(WakeUpPolicy policy) throws Exception {
    String row = WakeUps.row(WakeUpLoad.paced(1, 1_000), policy, Duration.ofMillis(500).toNanos());

    assertThat(row).startsWith("| 1,000/s | " + policy.label() + " | ").endsWith(" | 0 |\n");
    assertThat(row.split("\\|", -1))
        .hasSameSizeAs(WakeUps.HEADER.split("\\n", -1)[0].split("\\|", -1));
  }
}
