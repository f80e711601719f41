package dev.forebay.it.demo;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class CalibrationTest {

  private static final long MS = 1_000_000;

  /** A machine that answers so many requests a second, in steps of a second. */
  private static final class Machine {

    private final Calibration calibration = new Calibration();
    private final List<Integer> rates = new ArrayList<>();
    private double backlog;

    void step(int capacity) {
      int rate = calibration.rate();
      rates.add(rate);
      backlog = Math.max(0, backlog + rate - capacity);
      calibration.step((long) (3 * MS + backlog / capacity * 1_000 * MS), (long) backlog);
    }

    int settle(int capacity) {
      while (!calibration.isSettled()) {
        step(capacity);
      }
      return calibration.rate();
    }
  }

  @Test
  void anIdleMachineGetsTheWholeLoadAfterAsLongAWarmUpAsEver() {
    Machine machine = new Machine();

    assertThat(machine.settle(10_000)).isEqualTo(Calibration.MOST);
    assertThat(machine.rates).startsWith(30, 45, 67).hasSize(9).isSorted();
  }

  @ParameterizedTest
  @ValueSource(ints = {15, 25, 40, 60, 90, 120, 130})
  void aBusyMachineGetsWhatItCanAnswerAndNotMuchLess(int capacity) {
    Machine machine = new Machine();

    assertThat(machine.settle(capacity)).isBetween(Math.max(10, capacity * 3 / 10), capacity);
    assertThat(machine.rates).hasSizeLessThanOrEqualTo(20);
    assertThat(machine.backlog).as("requests that wait when it begins").isZero();
  }

  @Test
  void whatIsSlowWhileItCompilesIsNotSlowForEver() {
    Machine machine = new Machine();
    for (int second = 0; second < 3; second++) {
      machine.step(12);
    }

    assertThat(machine.settle(10_000)).isGreaterThan(50);
  }

  @Test
  void aMachineThatAnswersNothingGetsTheLeastLoadAndNoEndlessWarmUp() {
    Calibration calibration = new Calibration();
    int steps = 0;
    while (!calibration.isSettled()) {
      // No request was answered, so there is no median; they wait.
      calibration.step(0, 1_000);
      steps++;
    }

    assertThat(calibration.rate()).isEqualTo(Calibration.LEAST);
    assertThat(steps).isEqualTo(20);
  }

  @Test
  void theDiskStaysAwayUntilTheQueueOfTheOtherIsFull() {
    assertThat(Plan.stallSeconds(Calibration.MOST)).isEqualTo(5);
    assertThat(Plan.stallSeconds(20)).isBetween(9.0, 10.0);
    assertThat(Plan.stallSeconds(Calibration.LEAST)).isEqualTo(12);
    assertThat(Plan.load(20)).contains("20 requests/s", "9.4 s");
  }
}
