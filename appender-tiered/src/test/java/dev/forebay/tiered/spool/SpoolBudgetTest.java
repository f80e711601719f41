package dev.forebay.tiered.spool;

import static org.assertj.core.api.Assertions.assertThat;

import dev.forebay.tiered.spool.SpoolBudget.Reading;
import java.util.Collections;
import java.util.List;
import java.util.OptionalLong;
import java.util.concurrent.Callable;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

@Tag("once")
class SpoolBudgetTest {
  private static final long MB = 1L << 20;

  /** Of which all numbers here are multiples. */
  private static final int UNIT = 100;

  private static final int SEGMENT = 10;

  private Reading next = reading(0, 100);

  private int looks;
  private final AtomicInteger made = new AtomicInteger();
  private long nowNs = Long.MAX_VALUE - 3; // overflows on the way

  private final SpoolBudget budget = new SpoolBudget(own -> look(), () -> nowNs);

  private static Reading reading(long others, long limit) {
    return new Reading(others * UNIT, limit * UNIT);
  }

  private Reading look() {
    looks++;
    return next;
  }

  /** A spool as far as its budget knows it. */
  private final class User {
    final SpoolBudget.Share share;
    final int segmentBytes;

    User(SpoolLimits limits) {
      segmentBytes = limits.segmentBytes();
      share = limits.budget().new Share(limits, new InstanceId(0, made.getAndIncrement()));
      share.open();
    }

    boolean grow() {
      boolean hadRoom = share.hasRoom();
      boolean isTaken = share.take();
      assertThat(isTaken).isEqualTo(hadRoom);
      return isTaken;
    }

    void growBy(int segments) {
      for (int i = 0; i < segments; i++) {
        assertThat(grow()).isTrue();
      }
    }

    User fill() {
      boolean grew = true;
      while (grew) {
        assertThat(limit()).isGreaterThanOrEqualTo(used());
        grew = grow();
      }
      assertThat(limit()).isEqualTo(used());
      return this;
    }

    void takeAll() {
      boolean grew = true;
      while (grew) {
        grew = share.take();
      }
    }

    long limit() {
      return share.limitBytes() / UNIT;
    }

    long used() {
      return share.usedBytes() / UNIT;
    }
  }

  private User user() {
    return new User(budget.share(Long.MAX_VALUE, SEGMENT * UNIT));
  }

  /** Their logs cannot be written, and each fills what it may have. */
  @Test
  void aHundredStayWithinTheBudgetButForTheSmallestSegments() {
    long limit = 256 << 20;
    next = new Reading(0, limit);
    List<User> users =
        Stream.generate(() -> new User(budget.share(Long.MAX_VALUE, 4 << 20))).limit(100).toList();
    long all = 0;
    for (User user : users) {
      user.takeAll();
      assertThat(user.share.usedBytes()).isGreaterThanOrEqualTo(2L * user.segmentBytes);
      all += user.share.usedBytes();
    }
    List<Integer> segments = users.stream().map(user -> user.segmentBytes).toList();
    assertThat(segments.subList(0, 30)).containsOnly(4 << 20);
    assertThat(segments.subList(40, 100)).containsOnly(64 << 10);
    assertThat(all).isBetween(limit, limit + 100 * (128 << 10));
  }

  @Test
  void nobodyLooksForTheMinimumOrMoreThanOnceASecond() {
    User user = user();
    assertThat(looks).isEqualTo(1);
    nowNs += SpoolBudget.LOOK_NS;
    user.growBy(2);
    assertThat(looks).isEqualTo(1);
    user.fill();
    user().fill();
    assertThat(looks).isEqualTo(2);
  }

  @Test
  void threadsThatTakeAtOnceTakeNoMoreThanThereIs() throws Exception {
    next = reading(0, 100_000L * SEGMENT);
    int threads = 4;
    CyclicBarrier begin = new CyclicBarrier(threads);
    ExecutorService executor = Executors.newFixedThreadPool(threads);
    Callable<Long> takes =
        () -> {
          User user = user();
          begin.await();
          user.takeAll();
          return user.used();
        };

    long sum = 0;
    for (Future<Long> used : executor.invokeAll(Collections.nCopies(threads, takes))) {
      sum += used.get();
    }

    executor.shutdown();
    assertThat(sum).isBetween(100_000L * SEGMENT, 100_000L * SEGMENT + threads * 2L * SEGMENT);
  }

  /** Of room and of the container's limit. */
  @ParameterizedTest
  @CsvSource({"8192,, 256", "8192, 4096, 256", "64,, 16", "8192, 512, 64"})
  void theDefaultIsAQuarterOfTheRoomAndAnEighthOfTheLimit(
      long roomMb, @Nullable Long limitMb, long sharedMb) {
    // What directories and locks take costs no segment.
    for (long tooFew : new long[] {0, 12 * 1024}) {
      assertThat(SpoolBudgets.sharedSpoolBytes(roomMb * MB - tooFew, mb(limitMb)))
          .isEqualTo(sharedMb * MB);
    }
  }

  private static OptionalLong mb(@Nullable Long mb) {
    return mb == null ? OptionalLong.empty() : OptionalLong.of(mb * MB);
  }

  @ParameterizedTest
  @CsvSource({
    "256, 0, 512, false",
    "257, 0, 512, true",
    "64, 448, 512, false",
    "64, 449, 512, true",
    "1, 1000000, 512, true",
    "1000000, 1,, false"
  })
  void moreThanHalfOfTheLimitOrThanTheHeapLeavesIsTooLarge(
      long spoolMb, long heapMb, @Nullable Long limitMb, boolean isTooLarge) {
    assertThat(SpoolBudgets.isTooLarge(spoolMb * MB, heapMb * MB, mb(limitMb)))
        .isEqualTo(isTooLarge);
  }
}
