package dev.forebay.tiered.spool;

import static org.assertj.core.api.Assertions.assertThat;

import dev.forebay.tiered.spool.SpoolBudget.Reading;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

@Tag("once")
class SpoolBudgetTest {

  /** Of which all numbers here are multiples. */
  private static final int UNIT = 100;

  private static final int SEGMENT = 10;

  private Reading next = reading(0, 100);

  private @Nullable IOException failure;
  private Set<InstanceId> lastOwn = Set.of();
  private int looks;
  private final AtomicInteger made = new AtomicInteger();
  private long nowNs = Long.MAX_VALUE - 3; // overflows on the way

  private final SpoolBudget budget = new SpoolBudget(this::read, () -> nowNs);

  private static Reading reading(long others, long limit) {
    return new Reading(others * UNIT, limit * UNIT);
  }

  private Reading read(Set<InstanceId> own) throws IOException {
    looks++;
    lastOwn = Set.copyOf(own);
    if (failure != null) {
      throw failure;
    }
    return next;
  }

  /** A spool as far as its budget knows it. */
  private final class User {
    final InstanceId id = new InstanceId(0, made.getAndIncrement());
    final SpoolBudget.Share share;
    final int segmentBytes;

    User(SpoolLimits limits) {
      segmentBytes = limits.segmentBytes();
      share = limits.budget().new Share(limits, id);
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

    void shrink() {
      share.giveBack();
    }

    long limit() {
      return share.limitBytes() / UNIT;
    }

    long used() {
      return share.usedBytes() / UNIT;
    }

    void close() {
      share.close();
    }
  }

  private SpoolLimits share(long most) {
    return budget.share(most == Long.MAX_VALUE ? most : most * UNIT, SEGMENT * UNIT);
  }

  private User user() {
    return new User(share(Long.MAX_VALUE));
  }

  @Test
  void oneAloneMayTakeAllOfIt() {
    User user = user();
    assertThat(user.limit()).isEqualTo(100);
    assertThat(user.fill().used()).isEqualTo(100);
  }

  @Test
  void aBudgetThatIsNoMultipleOfASegmentIsRoundedDown() {
    next = reading(0, 99);
    assertThat(user().fill().used()).isEqualTo(90);
  }

  @Test
  void whoComesLaterHasTheRestAndTwoSegmentsAtLeast() {
    User noisy = user().fill();
    User quiet = user();
    assertThat(quiet.limit()).isEqualTo(20);
    assertThat(quiet.fill().used()).isEqualTo(20);
    noisy.shrink();
    assertThat(noisy.grow()).as("beyond the budget already").isFalse();
    assertThat(noisy.limit()).isEqualTo(90);
  }

  /** Their logs cannot be written, and each fills what it may have. */
  @Test
  void aHundredStayWithinTheBudgetButForTheSmallestSegments() {
    long limit = 256 << 20;
    next = new Reading(0, limit);
    List<Integer> segments = new ArrayList<>();
    List<SpoolBudget.Share> shares = new ArrayList<>();
    for (int i = 0; i < 100; i++) {
      User user = new User(budget.share(Long.MAX_VALUE, 4 << 20));
      segments.add(user.segmentBytes);
      shares.add(user.share);
    }
    long all = 0;
    for (int i = 0; i < 100; i++) {
      boolean grew = true;
      while (grew) {
        grew = shares.get(i).take();
      }
      assertThat(shares.get(i).usedBytes()).isGreaterThanOrEqualTo(2 * segments.get(i));
      all += shares.get(i).usedBytes();
    }
    assertThat(segments.subList(0, 30)).containsOnly(4 << 20);
    assertThat(segments.subList(40, 100)).containsOnly(64 << 10);
    assertThat(all).isBetween(limit, limit + 100 * (128 << 10));
  }

  @Test
  void whatIsReservedIsFreeOnceTheSpoolIsClosed() {
    next = new Reading(0, 1 << 20);
    for (int i = 0; i < 100; i++) {
      User user = new User(budget.share(Long.MAX_VALUE, 1 << 20));
      assertThat(user.segmentBytes).isEqualTo(256 << 10);
      assertThat(user.grow()).isTrue();
      user.shrink();
      user.close();
    }
    assertThat(user().share.limitBytes()).isGreaterThan((1 << 20) - SEGMENT * UNIT);
  }

  @Test
  void whatOneGivesBackIsForAnyOfThemAtOnce() {
    User first = user().fill();
    User second = user().fill();
    for (int i = 0; i < 5; i++) {
      first.shrink();
    }
    assertThat(second.limit()).isEqualTo(50);
    assertThat(second.fill().used()).isEqualTo(50);
    assertThat(first.limit()).isEqualTo(50);
  }

  @Test
  void whatOthersHoldLeavesLessAndComesBackWhenTheyHaveGone() {
    next = reading(75, 100);
    User user = user();
    assertThat(user.fill().used()).isEqualTo(20);
    next = reading(500, 100);
    nowNs += SpoolBudget.LOOK_NS;
    assertThat(user.grow()).isFalse();
    assertThat(user.limit()).isEqualTo(20);
    next = reading(0, 100);
    nowNs += SpoolBudget.LOOK_NS;
    assertThat(user.fill().used()).isEqualTo(100);
  }

  @Test
  void whatIsToBeSharedMayChange() {
    User user = user().fill();
    next = reading(0, 130);
    nowNs += SpoolBudget.LOOK_NS;
    assertThat(user.fill().used()).isEqualTo(130);
    next = reading(0, 50);
    nowNs += SpoolBudget.LOOK_NS;
    assertThat(user.grow()).isFalse();
    assertThat(user.limit()).isEqualTo(130);
  }

  @Test
  void aSpoolThatIsClosedCountsUntilALookTellsWhatIsLeftOfIt() {
    User left = user().fill();
    User other = user().fill();
    left.close();
    next = reading(100, 100); // all of it
    assertThat(other.grow()).isFalse();
    assertThat(lastOwn).containsExactly(other.id);
    next = reading(0, 100);
    nowNs += SpoolBudget.LOOK_NS;
    assertThat(other.fill().used()).isEqualTo(100);
  }

  @Test
  void aSpoolWithASizeOfItsOwnSharesNothingAndIsNobodyElses() {
    User apart = new User(budget.apart(500 * UNIT, SEGMENT * UNIT));
    assertThat(apart.fill().used()).isEqualTo(500);
    User user = user();
    assertThat(lastOwn).containsExactly(apart.id);
    assertThat(user.fill().used()).isEqualTo(100);
    apart.close();
    next = reading(500, 100); // what it left
    assertThat(user.grow()).isFalse();
    next = reading(0, 110);
    nowNs += SpoolBudget.LOOK_NS;
    assertThat(user.fill().used()).isEqualTo(110);
  }

  @Test
  void aShareMayHaveAnEndOfItsOwn() {
    User user = new User(share(35));
    assertThat(user.limit()).isEqualTo(35);
    user.growBy(3);
    assertThat(user.grow()).isFalse();
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
  void aLookThatFailsLeavesWhatWasSeen() {
    User user = user();
    failure = new IOException("gone");
    nowNs += SpoolBudget.LOOK_NS;
    assertThat(user.fill().used()).isEqualTo(100);
    assertThat(looks).isEqualTo(2);
  }

  @Test
  void theLimitFollowsWithoutAnybodyWhoGrows() {
    User user = user();
    next = reading(40, 100);
    nowNs += 10 * SpoolBudget.LOOK_NS - 1;
    user.share.refresh();
    assertThat(user.limit()).isEqualTo(100);
    nowNs++;
    user.share.refresh();
    assertThat(user.limit()).isEqualTo(60);
  }

  @Test
  void sparesStayWhileHalfIsFreeAndWithinTheMinimum() {
    User user = user();
    user.growBy(5);
    assertThat(user.share.keepsSpares()).isTrue();
    user.grow();
    assertThat(user.share.keepsSpares()).isFalse();
    User other = user();
    for (int i = 0; i < 4; i++) {
      user.shrink();
    }
    other.growBy(7);
    assertThat(user.share.keepsSpares()).as("of two segments").isTrue();
  }

  @Test
  void threadsThatTakeAtOnceTakeNoMoreThanThereIs() throws Exception {
    next = reading(0, 100_000L * SEGMENT);
    int threads = 4;
    ExecutorService executor = Executors.newFixedThreadPool(threads);
    CountDownLatch begin = new CountDownLatch(threads);
    List<Future<User>> users = new ArrayList<>();
    for (int i = 0; i < threads; i++) {
      users.add(
          executor.submit(
              () -> {
                User user = user();
                begin.countDown();
                begin.await();
                boolean grew = true;
                while (grew) {
                  grew = user.share.take();
                }
                return user;
              }));
    }
    long sum = 0;
    for (Future<User> user : users) {
      sum += user.get().used();
    }
    executor.shutdown();
    assertThat(sum).isBetween(100_000L * SEGMENT, 100_000L * SEGMENT + threads * 2L * SEGMENT);
  }
}
