package dev.forebay.tiered.spool;

import static org.assertj.core.api.Assertions.assertThat;

import dev.forebay.tiered.identity.InstanceId;
import dev.forebay.tiered.spool.SpoolBudget.Reading;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.OptionalLong;
import java.util.concurrent.Callable;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

@Tag("once")
class SpoolBudgetTest {
  private static final long MB = 1L << 20;
  private static final int SEGMENT_BYTES = 1000;

  private Reading next = new Reading(0, 0);
  private final AtomicInteger made = new AtomicInteger();
  private final SpoolBudget budget = new SpoolBudget(own -> next, () -> 0);

  private SpoolBudget.Share open(SpoolLimits limits) {
    SpoolBudget.Share share = limits.share();
    share.join(new InstanceId(0, made.getAndIncrement()));
    return share;
  }

  /** What it has once it has taken all it may have. */
  private static long fill(SpoolBudget.Share share) {
    boolean grew = true;
    while (grew) {
      grew = share.take();
    }
    return share.usedBytes();
  }

  /** Their logs cannot be written, and each fills what it may have. */
  @Test
  void aHundredStayWithinTheBudgetButForTheSmallestSegments() {
    long limit = 256 << 20;
    next = new Reading(0, limit);
    List<Integer> segments = new ArrayList<>();
    List<SpoolBudget.Share> shares = new ArrayList<>();
    for (int i = 0; i < 100; i++) {
      SpoolLimits limits = budget.share(Long.MAX_VALUE, 4 << 20);
      segments.add(limits.segmentBytes());
      shares.add(open(limits));
    }
    long all = 0;
    for (int i = 0; i < 100; i++) {
      long used = fill(shares.get(i));
      assertThat(used).isGreaterThanOrEqualTo(2L * segments.get(i));
      all += used;
    }
    assertThat(segments.subList(0, 30)).containsOnly(4 << 20);
    assertThat(segments.subList(40, 100)).containsOnly(64 << 10);
    assertThat(all).isBetween(limit, limit + 100 * (128 << 10));
  }

  @Test
  void threadsThatTakeAtOnceTakeNoMoreThanThereIs() throws Exception {
    long limit = 100_000L * SEGMENT_BYTES;
    next = new Reading(0, limit);
    int threads = 4;
    CyclicBarrier begin = new CyclicBarrier(threads);
    ExecutorService executor = Executors.newFixedThreadPool(threads);
    Callable<Long> takes =
        () -> {
          SpoolLimits limits = budget.share(Long.MAX_VALUE, SEGMENT_BYTES);
          SpoolBudget.Share share = open(limits);
          begin.await();
          return fill(share);
        };

    long sum = 0;
    for (Future<Long> used : executor.invokeAll(Collections.nCopies(threads, takes))) {
      sum += used.get();
    }

    executor.shutdown();
    assertThat(sum).isBetween(limit, limit + threads * 2L * SEGMENT_BYTES);
  }

  /** One that others follow, and that is moved elsewhere: a quarter of a cap of 16 GB. */
  @Test
  void whatALargeSpoolLeavesIsFree() {
    int segmentBytes = SpoolLimits.MAX_SEGMENT_BYTES;
    SpoolBudget.Share share = open(budget.apart(16L * segmentBytes, segmentBytes));
    InstanceId first = new InstanceId(0, 0);
    fill(share);
    share.join(new InstanceId(0, 1));
    share.leave(first, 4);

    assertThat(share.usedBytes()).isEqualTo(12L * segmentBytes);
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
