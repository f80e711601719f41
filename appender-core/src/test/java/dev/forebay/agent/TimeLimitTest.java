package dev.forebay.agent;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.time.temporal.ChronoUnit;
import org.junit.jupiter.api.Test;

/** Waits whose process, or thread, does not run all the time. */
class TimeLimitTest {

  private static final long SECOND_NS = 1_000_000_000;

  private long nowNs = Long.MAX_VALUE - SECOND_NS; // it wraps

  private final NanoClock clock = () -> nowNs;

  @Test
  void isOverAfterItsTimeIfSomebodyLooks() {
    TimeLimit limit = new TimeLimit(clock, SECOND_NS);
    for (int look = 1; look < 20; look++) {
      nowNs += SECOND_NS / 20;
      assertThat(limit.leftNs()).isEqualTo(SECOND_NS - look * SECOND_NS / 20);
    }
    nowNs += SECOND_NS / 20;
    assertThat(limit.leftNs()).isZero();
  }

  @Test
  void aGapCountsAsLittle() {
    TimeLimit limit = new TimeLimit(clock, 60 * SECOND_NS);
    nowNs += 17 * SECOND_NS;
    assertThat(limit.leftNs()).isEqualTo(59 * SECOND_NS);
    TimeLimit shorter = new TimeLimit(clock, SECOND_NS);
    nowNs += 17 * SECOND_NS;
    assertThat(shorter.leftNs()).isEqualTo(SECOND_NS * 9 / 10);
  }

  @Test
  void whatIsWaitedForGetsItsTimeThough() {
    int[] looks = {0};
    boolean isSo =
        clock.await(
            () -> {
              nowNs += 17 * SECOND_NS;
              return ++looks[0] == 8;
            },
            SECOND_NS);
    assertThat(isSo).isTrue();
    assertThat(clock.await(() -> (nowNs += SECOND_NS) == 0, SECOND_NS)).isFalse();
  }

  @Test
  void anyDurationIsALimit() {
    assertThat(clock.limit(ChronoUnit.FOREVER.getDuration()).leftNs()).isEqualTo(Long.MAX_VALUE);
    assertThat(clock.limit(Duration.ofSeconds(Long.MIN_VALUE)).leftNs()).isZero();
    assertThat(clock.limit(Duration.ofMillis(5)).leftNs()).isEqualTo(5_000_000);
  }
}
