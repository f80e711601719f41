package dev.forebay.kafka;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.time.Instant;
import org.junit.jupiter.api.Test;

class RecordTimesTest {

  private static final long HOUR = Duration.ofHours(1).toMillis();
  private static final long DAY = 24 * HOUR;
  private static final long BROKERS = 1_000 * DAY;

  private long ours = BROKERS;
  private long elapsed;
  private final RecordTimes times =
      new RecordTimes(() -> Instant.ofEpochMilli(ours), () -> Duration.ofMillis(elapsed).toNanos());

  private long now() {
    return Duration.ofMillis(elapsed).toNanos();
  }

  @Test
  void aRecordHasTheTimeOfItsEvent() {
    assertThat(times.of(0)).isZero();
    assertThat(times.of(BROKERS + 9 * DAY)).isEqualTo(BROKERS + 9 * DAY);
    assertThat(times.of(-1)).isEqualTo(BROKERS);
  }

  @Test
  void whatComesFromAClockThatWasAheadGetsTheBrokersTimeAndTheRestKeepsItsOwn() {
    times.refused(BROKERS + DAY, BROKERS, now());

    assertThat(times.of(BROKERS + DAY + 1)).isEqualTo(BROKERS);
    assertThat(times.of(BROKERS + HOUR)).isEqualTo(BROKERS + HOUR);
    assertThat(times.of(BROKERS - 9 * DAY)).isEqualTo(BROKERS - 9 * DAY);
  }

  @Test
  void aTimeThatWasRefusedIsNotTriedAgainWhileTimeGoesOn() {
    times.refused(BROKERS + DAY, BROKERS, now());
    elapsed += HOUR;
    ours += HOUR;

    assertThat(times.of(BROKERS + DAY)).isEqualTo(BROKERS + HOUR);
  }

  @Test
  void whileOurClockIsAheadTheBrokersClockCounts() {
    ours = BROKERS + DAY;
    times.refused(ours, BROKERS, now());
    elapsed += HOUR;
    ours += HOUR;

    assertThat(times.of(ours)).isEqualTo(BROKERS + HOUR);
  }

  @Test
  void aClockThatIsSetRightLaterChangesNothing() {
    ours = BROKERS + DAY;
    times.refused(ours, BROKERS, now());
    ours = BROKERS + HOUR;
    elapsed = HOUR;

    assertThat(times.of(ours)).isEqualTo(ours);
    assertThat(times.of(BROKERS + 2 * DAY)).isEqualTo(ours);
  }

  @Test
  void afterASuspendAllTimesAreRightAgain() {
    times.refused(BROKERS + DAY, BROKERS, now());
    ours = BROKERS + 3 * DAY; // and the other clock stood still

    assertThat(times.of(ours)).isEqualTo(ours);
  }

  @Test
  void aClockThatIsSecondsAheadGetsTheBrokersTimeWhereATopicTakesFewer() {
    ours = BROKERS + 30_000;
    times.refused(ours, BROKERS, now());

    assertThat(times.of(ours)).isEqualTo(BROKERS);
  }

  @Test
  void whatTheBrokersSaidSomeTimeAgoHasGoneOnSince() {
    long began = now();
    elapsed += 20_000;
    ours += 20_000;
    times.refused(BROKERS + DAY, BROKERS, began);

    assertThat(times.of(BROKERS + DAY)).isEqualTo(BROKERS + 20_000);
  }

  @Test
  void whatIsTooOldForATopicGetsTheBrokersTime() {
    times.refused(BROKERS - 2 * DAY, BROKERS, now());

    assertThat(times.of(BROKERS - 2 * DAY)).isEqualTo(BROKERS);
    assertThat(times.of(BROKERS - DAY / 2)).isEqualTo(BROKERS - DAY / 2);
  }

  @Test
  void withoutTheBrokersTimeOursIsTrustedAndARefusalOfItTeachesNothing() {
    times.refused(BROKERS, -1, now());
    assertThat(times.of(BROKERS - 1)).isEqualTo(BROKERS - 1);

    times.refused(BROKERS + DAY, -1, now());
    assertThat(times.of(BROKERS + DAY)).isEqualTo(BROKERS);
  }
}
