package dev.forebay.it.demo;

import static org.assertj.core.api.Assertions.assertThat;

import dev.forebay.it.demo.app.Figures;
import java.util.Map;
import org.junit.jupiter.api.Test;

class AccountTest {

  private static final String KEPT =
      "counted=100 offered=103 reports=3 delivered=90 dropped=8 inFlight=5"
          + " dropped.RING_FULL.TRACE=6 dropped.RING_FULL.DEBUG=1 dropped.ENCODE_FAILED.INFO=1";

  private static Account account(String figures, long lines) {
    return new Account(Figures.parse(figures), new LogFiles(1, lines, 0, ""));
  }

  @Test
  void agreesWhenEveryEventIsDeliveredDroppedOrInFlight() {
    Account account = account(KEPT, 90);

    assertThat(account.disagreements()).isEmpty();
    assertThat(account.missing()).isZero();
    assertThat(account.dropped())
        .isEqualTo(
            Map.of(
                "RING_FULL",
                Map.of("TRACE", 6L, "DEBUG", 1L),
                "ENCODE_FAILED",
                Map.of("INFO", 1L)));
  }

  @Test
  void tellsThatAnEventWasLostBehindTheAppendersBack() {
    assertThat(account(KEPT, 89).disagreements())
        .containsExactly("delivered 90 is not lines in the files 89");
    assertThat(account(KEPT, 89).missing()).isEqualTo(1);
  }

  @Test
  void tellsThatTheAppenderWasOfferedMoreOrFewerEventsThanItSays() {
    assertThat(account(KEPT.replace("counted=100", "counted=101"), 90).disagreements())
        .containsExactly("offered 103 is not counted before the appender + its own reports 104");
  }

  @Test
  void tellsThatTheAppendersOwnSumIsWrong() {
    assertThat(account(KEPT.replace("inFlight=5", "inFlight=4"), 90).disagreements())
        .containsExactly("offered 103 is not delivered + dropped + in flight 102");
  }

  @Test
  void tellsThatADropHasNoReason() {
    assertThat(account(KEPT.replace("dropped.ENCODE_FAILED.INFO=1", ""), 90).disagreements())
        .containsExactly("dropped 8 is not dropped by reason and level 7");
  }

  @Test
  void tellsThatALineIsNotJson() {
    Account account = new Account(Figures.parse(KEPT), new LogFiles(1, 90, 2, "a.json line 7: x"));

    assertThat(account.disagreements())
        .containsExactly("2 lines are not valid JSON, first a.json line 7: x");
  }

  @Test
  void comparesLinesWithItsOwnCountWhereTheAppenderKeepsNone() {
    assertThat(account("counted=100 queued=0", 100).disagreements()).isEmpty();
    assertThat(account("counted=100 queued=0", 60).disagreements())
        .containsExactly("offered 100 is not lines in the files 60");
    assertThat(account("counted=100 queued=0", 60).missing()).isEqualTo(40);
  }
}
