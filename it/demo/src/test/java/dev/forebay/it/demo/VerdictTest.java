package dev.forebay.it.demo;

import static org.assertj.core.api.Assertions.assertThat;

import dev.forebay.it.demo.Report.Side;
import dev.forebay.it.demo.app.Longest.Slots;
import java.util.Map;
import org.junit.jupiter.api.Test;

class VerdictTest {

  @Test
  void saysThatOursWasBetter() {
    Verdict verdict =
        Verdict.of(MadeSides.forebay(4, 60, 0, ""), MadeSides.async(2_400, 2_600, 3), 5.04);

    assertThat(verdict.outcome()).isEqualTo("met");
    assertThat(verdict.sentence())
        .isEqualTo(
            "While the disk did not answer for 5.0 s, Forebay was better than AsyncAppender in the"
                + " longest log call (4.00 ms against 2.40 s), the longest request (60.0 ms against"
                + " 2.60 s) and events not in the log (0 against 3), no better and no worse in"
                + " failed requests (0 against 0).");
  }

  @Test
  void saysThatOursWasWorse() {
    Verdict verdict = Verdict.of(MadeSides.forebay(900, 950, 7, ""), MadeSides.async(2, 30, 0), 5);

    assertThat(verdict.outcome()).isEqualTo("missed");
    assertThat(verdict.sentence())
        .startsWith(
            "While the disk did not answer for 5.0 s, Forebay was worse than AsyncAppender in the"
                + " longest log call (900 ms against 2.00 ms), the longest request (950 ms against"
                + " 30.0 ms) and events not in the log (7 against 0), no better")
        .doesNotContain(" better than");
  }

  @Test
  void saysWhereEachWasBetter() {
    Verdict verdict = Verdict.of(MadeSides.forebay(2, 60, 7, ""), MadeSides.async(900, 70, 0), 5);

    assertThat(verdict.outcome()).isEqualTo("");
    assertThat(verdict.sentence())
        .contains(
            "better than AsyncAppender in the longest log call (2.00 ms against 900 ms), worse than"
                + " AsyncAppender in events not in the log (7 against 0), no better and no worse in"
                + " the longest request (60.0 ms against 70.0 ms) and failed");
  }

  @Test
  void findsNoDifferenceInWhatNobodyNotices() {
    Verdict verdict = Verdict.of(MadeSides.forebay(0, 60, 0, ""), MadeSides.async(1, 61, 0), 5);

    assertThat(verdict.outcome()).isEqualTo("");
    assertThat(verdict.sentence())
        .contains("Forebay was no better and no worse in the longest log");
  }

  @Test
  void anAccountThatDoesNotAgreeIsWorseThanAll() {
    Account account =
        new Account(MadeSides.figures("offered=9 delivered=9"), new LogFiles(1, 9, 0, ""));
    Side unsound = new Side("Forebay", Map.of(), Map.of(), 0, account, "", Slots.NONE, Slots.NONE);

    Verdict verdict = Verdict.of(unsound, MadeSides.async(1, 1, 0), 5);

    assertThat(verdict.outcome()).isEqualTo("missed");
    assertThat(verdict.sentence())
        .contains("the longest log call (not measured)")
        .endsWith("; its account does NOT agree with its files.");
  }
}
