package dev.forebay.agent;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class ParkPolicyTest {

  private static final long MS = 1_000_000;
  private static final long MAX_NS = 10 * MS;
  private static final long IDLE_NS = 50 * MS;

  private final AdaptivePark park = new AdaptivePark(256, MAX_NS, IDLE_NS);
  private long nowNs = 5;

  @Test
  void parksAboutSoLongThat256EventsGather() {
    assertThat(steady(100)).as("100 events a millisecond").isBetween(5 * MS / 2, 26 * MS / 10);
    assertThat(steady(50)).isBetween(5 * MS, 52 * MS / 10);
  }

  @Test
  void doesNotParkWhereThereIsMoreOrAfterSoMuchWorkThatMoreMustBeWaiting() {
    assertThat(after(10, 256 * AdaptivePark.TOO_BUSY_TO_PARK)).isZero();
    assertThat(after(1, 256 * AdaptivePark.TOO_BUSY_TO_PARK - 1)).isGreaterThanOrEqualTo(MS);
    assertThat(after(1, Agent.MORE)).isZero();
  }

  @Test
  void doublesUpToTheIdleParkAfterASecondWithoutWork() {
    after(0, 0);
    after(10, 100);
    assertThat(after(900, 0)).isEqualTo(MAX_NS);
    assertThat(after(100, 0)).isEqualTo(2 * MAX_NS);
    assertThat(after(20, 0)).isEqualTo(4 * MAX_NS);
    assertThat(after(40, 0)).isEqualTo(IDLE_NS);
    assertThat(after(50, 0)).isEqualTo(IDLE_NS);
  }

  @Test
  void mayBeginASleepFiveSecondsAfterTheLastWork() {
    after(0, 0);
    after(10, 1);
    after(4999, 0);
    assertThat(park.maySleep(nowNs)).isFalse();
    after(1, 0);
    assertThat(park.maySleep(nowNs)).isTrue();
    after(1000, 0);
    assertThat(park.maySleep(nowNs)).as("a wake without work changes nothing").isTrue();
    after(1, 1);
    assertThat(park.maySleep(nowNs)).isFalse();
  }

  @Test
  void maySleepSoonBeforeTheFirstWork() {
    after(0, 0);
    after(99, 0);
    assertThat(park.maySleep(nowNs)).isFalse();
    after(1, 0);
    assertThat(park.maySleep(nowNs)).isTrue();
    after(1, 1);
    after(4999, 0);
    assertThat(park.maySleep(nowNs)).isFalse();
  }

  @Test
  void hasWorkedInAFirstTurnThatFoundMore() {
    after(0, Agent.MORE);
    after(4999, 0);
    assertThat(park.maySleep(nowNs)).isFalse();
  }

  private long steady(int eventsPerMs) {
    long parkNs = after(0, 0);
    for (int i = 0; i < 100; i++) {
      parkNs = after(10, 10 * eventsPerMs);
    }
    return parkNs;
  }

  private long after(long elapsedMs, int workDone) {
    nowNs += elapsedMs * MS;
    return park.parkNs(workDone, nowNs);
  }
}
