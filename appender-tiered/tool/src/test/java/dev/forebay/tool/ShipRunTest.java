package dev.forebay.tool;

import static dev.forebay.tool.ShipRig.log;
import static org.assertj.core.api.Assertions.assertThat;

import dev.forebay.tiered.apart.ShippedLog.State;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** When {@code ship} ends, and what it says then. */
@Timeout(value = 60, unit = TimeUnit.SECONDS)
class ShipRunTest {

  private final ShipRig rig = new ShipRig();

  private int run(ShipRun.Until until) throws InterruptedException {
    int exitCode = rig.run(until, false);
    assertThat(rig.isStarted).isTrue();
    assertThat(rig.isClosed).isTrue();
    return exitCode;
  }

  @Test
  void withoutWorkItEndsAtTheRequest() throws Exception {
    rig.stopAtMs = 3_600_000;
    assertThat(run(ShipRun.Until.STOPPED)).isEqualTo(Main.OK);
    assertThat(rig.nowMs()).isEqualTo(3_600_000);
    assertThat(rig.said).isEmpty();
  }

  @Test
  void whatWaitsAtTheRequestIsShippedAndWhatComesLaterNotWaitedFor() throws Exception {
    rig.set(log("a", 10, 100));
    rig.stopAtMs = 1000;
    rig.passes =
        ms -> { // a live application adds as fast as it is shipped
          if (ms > 1000) {
            rig.set(log("a", 10 + (ms - 1000) / 10, 100));
          }
        };
    assertThat(run(ShipRun.Until.STOPPED)).isEqualTo(Main.OK);
    assertThat(rig.nowMs()).isEqualTo(2000);
    assertThat(rig.said).isEmpty();
  }

  @Test
  void whatIsLeftAtTheEndOfTheGraceTimeIsCountedAndSaid() throws Exception {
    rig.set(log("a", 10, 2000), log("b", 5, 0), log("c", 0, 7, State.REFUSED));
    rig.stopAtMs = 1000;
    rig.passes =
        ms -> {
          if (ms > 1000) {
            rig.logs.set(0, log("a", 1010, 1000));
          }
        };
    assertThat(run(ShipRun.Until.STOPPED)).isEqualTo(Main.FINDINGS);
    assertThat(rig.nowMs()).isEqualTo(9000); // the rest of 10 s is for the last commit
    assertThat(rig.said)
        .containsExactly(
            "WARN 1,000 lines of /var/log/a are left in /dev/shm/forebay-7/a; the next start of its application or of forebay ship writes them",
            "WARN 7 lines of /var/log/c are left in /dev/shm/forebay-7/c, since no description; the next start of its application or of forebay ship writes them");
  }

  @Test
  void ofManyLogsNotEachIsNamed() throws Exception {
    for (int i = 0; i < 100; i++) {
      rig.logs.add(log("l" + i, 0, 3, State.REFUSED));
    }
    rig.stopAtMs = 0;
    assertThat(run(ShipRun.Until.STOPPED)).isEqualTo(Main.FINDINGS);
    assertThat(rig.nowMs()).as("nothing to wait for").isZero();
    assertThat(rig.said).hasSize(11).last().asString().contains("270 lines of 90 more logs");
  }

  @Test
  void whatAnotherProcessShipsIsLeftToIt() throws Exception {
    rig.set(log("a", 0, 7, State.WAITING));
    rig.stopAtMs = 1000;
    assertThat(run(ShipRun.Until.STOPPED)).isEqualTo(Main.OK);
    assertThat(rig.nowMs()).isEqualTo(1000);
  }

  @Test
  void aChildEndsAtOnceAndLeavesTheReportToItsParent() throws Exception {
    rig.set(log("a", 0, 7));
    rig.stopAtMs = 1000;
    assertThat(rig.run(ShipRun.Until.STOPPED, true)).isEqualTo(Main.FINDINGS);
    assertThat(rig.nowMs()).isEqualTo(1000);
    assertThat(rig.said).isEmpty();
  }

  @Test
  void onceEndsWhenWhatWasThereAtTheStartIsShipped() throws Exception {
    rig.hasLooked = false;
    rig.passes =
        ms -> {
          rig.hasLooked = ms >= 500;
          rig.set(log("a", Math.max(0, ms - 500), 1000));
        };
    assertThat(run(ShipRun.Until.ONCE)).isEqualTo(Main.OK);
    assertThat(rig.nowMs()).isEqualTo(1500);
  }

  @Test
  void onceGivesUpWhatMakesNoProgress() throws Exception {
    rig.set(log("a", 0, 7));
    rig.passes =
        ms -> {
          if (ms == 5000) {
            rig.set(log("a", 1, 6));
          }
        };
    assertThat(run(ShipRun.Until.ONCE)).isEqualTo(Main.FINDINGS);
    assertThat(rig.nowMs()).isEqualTo(15_000);
    assertThat(rig.said).hasSize(1).first().asString().startsWith("WARN 6 lines of /var/log/a");
  }

  @Test
  void onceAwaitsTheLockOfALogForAMomentOnly() throws Exception {
    rig.set(log("a", 0, 7, State.WAITING), log("b", 0, 9, State.WAITING));
    rig.passes =
        ms -> {
          if (ms >= 1000) {
            rig.set(log("a", 0, 7, State.WAITING), log("b", Math.min(9, (ms - 1000) / 1000), 9));
          }
        };
    assertThat(run(ShipRun.Until.ONCE)).isEqualTo(Main.OK);
    assertThat(rig.nowMs()).isEqualTo(10_000);
  }

  @Test
  void onceWithNothingThereEndsAtOnce() throws Exception {
    assertThat(run(ShipRun.Until.ONCE)).isEqualTo(Main.OK);
    assertThat(rig.nowMs()).isZero();
  }

  @Test
  void untilDrainedGoesOnWhileAProcessLives() throws Exception {
    rig.set(log("a", 0, 0));
    rig.passes = ms -> rig.isDrained = ms >= 7000;
    assertThat(run(ShipRun.Until.DRAINED)).isEqualTo(Main.OK);
    assertThat(rig.nowMs()).isEqualTo(7000);
  }

  @Test
  void aUserWithoutAProcessIsAFinding() throws Exception {
    rig.missing = 1;
    rig.stopAtMs = 0;
    assertThat(run(ShipRun.Until.STOPPED)).isEqualTo(Main.FINDINGS);
  }
}
