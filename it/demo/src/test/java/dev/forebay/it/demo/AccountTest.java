package dev.forebay.it.demo;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class AccountTest {

  private static final String KEPT =
      "counted=100 offered=103 reports=3 delivered=90 dropped=8 inFlight=5"
          + " dropped.RING_FULL.TRACE=6 dropped.RING_FULL.DEBUG=1 dropped.ENCODE_FAILED.INFO=1";

  private static Account account(String figures, long lines) {
    return new Account(MadeSides.figures(figures), new LogFiles(1, lines, 0, ""));
  }

  @Test
  void agreesWhenEveryEventIsDeliveredDroppedOrInFlight() {
    Account account = account(KEPT, 90);

    assertThat(account.disagreements()).isEmpty();
    assertThat(account.missing()).isZero();
    assertThat(account.dropped())
        .isEqualTo(Map.of("RING_FULL.TRACE", 6L, "RING_FULL.DEBUG", 1L, "ENCODE_FAILED.INFO", 1L));
  }

  @ParameterizedTest
  @CsvSource({
    "reports=3, reports=3, 89, delivered 90 is not lines in the files 89",
    "counted=100, counted=101, 90,"
        + " offered 103 is not counted before the appender + its own reports 104",
    "inFlight=5, inFlight=4, 90, offered 103 is not delivered + dropped + in flight 102",
    "dropped.ENCODE_FAILED.INFO=1, '', 90, dropped 8 is not dropped by reason and level 7"
  })
  void tellsWhatDoesNotAgree(String figure, String changed, long lines, String disagreement) {
    assertThat(account(KEPT.replace(figure, changed), lines).disagreements())
        .containsExactly(disagreement);
  }
}
