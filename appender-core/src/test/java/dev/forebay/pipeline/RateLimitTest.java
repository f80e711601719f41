package dev.forebay.pipeline;

import static org.assertj.core.api.Assertions.assertThat;

import dev.forebay.host.Await;
import dev.forebay.testkit.Threads;
import java.util.Random;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class RateLimitTest {

  private static final long SECOND_NS = 1_000_000_000;
  private static final int THREADS = 4;

  private static RateLimit limit(int perSecond, int burst, long nowNs) {
    return new RateLimit(new LimitSettings("", perSecond, burst, 0, 0), nowNs, null);
  }

  private static long take(RateLimit from, long tries, long nowNs) {
    long taken = 0;
    for (long i = 0; i < tries; i++) {
      taken += from.take(nowNs) ? 1 : 0;
    }
    return taken;
  }

  /** The clock of the JVM may begin anywhere, and pass its largest number. */
  @ParameterizedTest
  @ValueSource(longs = {0, 12_345, -SECOND_NS, Long.MAX_VALUE - 1000, Long.MIN_VALUE})
  void aQuietTimeFillsTheBucketAndNoMore(long startNs) {
    RateLimit limit = limit(100, 500, startNs);
    assertThat(take(limit, 1000, startNs)).isEqualTo(500);
    assertThat(take(limit, 1000, startNs + SECOND_NS)).isEqualTo(100);
    assertThat(take(limit, 1000, startNs + 10_000 * SECOND_NS)).isEqualTo(500);
    assertThat(take(limit, 1, startNs + 10_000 * SECOND_NS + SECOND_NS / 100 - 1)).isZero();
    assertThat(take(limit, 9, startNs + 10_000 * SECOND_NS + SECOND_NS / 100)).isEqualTo(1);
  }

  /** The time that a thread has read when it was stopped. */
  @Test
  void anOldTimeBringsNothingAndTakesNothingAway() {
    RateLimit limit = limit(10, 10, 0);
    assertThat(take(limit, 100, 100 * SECOND_NS)).isEqualTo(10);
    assertThat(take(limit, 100, SECOND_NS)).isZero();
    assertThat(take(limit, 100, 101 * SECOND_NS)).isEqualTo(10);
  }

  /** A thread that is stopped between reading the clock and asking brings an old time. */
  @Test
  void withoutARateNoOldTimeIsRefused() {
    RateLimit limit = new RateLimit(new LimitSettings("", 0, 1, 5, 0), 0, null);
    assertThat(limit.refuse("a", "first", SECOND_NS)).isNull();
    assertThat(limit.refuse("a", "second", SECOND_NS - 1)).isNull();
  }

  /** Against a bucket that is counted out, in whole tokens of whole nanoseconds. */
  @ParameterizedTest
  @ValueSource(ints = {1, 2, 10, 1000, 100_000, 1_000_000})
  void noMoreAndNoFewerPassThanTheBucketHolds(int perSecond) {
    Random random = new Random(perSecond);
    long nsPerToken = SECOND_NS / perSecond;
    for (int burst = 1; burst < 50; burst++) {
      long nowNs = 7;
      RateLimit limit = limit(perSecond, burst, nowNs);
      long nsInBucket = burst * nsPerToken;
      for (int step = 0; step < 200; step++) {
        long stepNs = random.nextLong(3 * nsPerToken);
        nowNs += stepNs;
        nsInBucket = Math.min(burst * nsPerToken, nsInBucket + stepNs);
        int tries = 1 + random.nextInt(5);
        long expected = Math.min(tries, nsInBucket / nsPerToken);
        assertThat(take(limit, tries, nowNs)).isEqualTo(expected);
        nsInBucket -= expected * nsPerToken;
      }
    }
  }

  /** A rate whose tokens do not come in whole nanoseconds. */
  @ParameterizedTest
  @ValueSource(ints = {3, 7, 333, 300_007, 999_999})
  void anOddRateLetsAtMostItsNumberPassAndHardlyFewer(int perSecond) {
    RateLimit limit = limit(perSecond, 100, 0);
    assertThat(take(limit, 200, 0)).isEqualTo(100);
    long passed = 0;
    for (long nowNs = 500; nowNs <= SECOND_NS; nowNs += 500) {
      passed += take(limit, 2, nowNs);
    }
    assertThat(passed).isBetween((long) (perSecond * 0.999) - 1, (long) perSecond);
  }

  @Test
  void manyThreadsTakeExactlyWhatIsThere() {
    for (int round = 0; round < 200; round++) {
      RateLimit limit = limit(1, 5000, 0);
      AtomicLong taken = new AtomicLong();
      Threads.start(THREADS, i -> taken.addAndGet(take(limit, 3000, 0))).forEach(Await::end);
      assertThat(taken).hasValue(5000);
    }
  }
}
