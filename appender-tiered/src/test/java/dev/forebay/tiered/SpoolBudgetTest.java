package dev.forebay.tiered;

import static org.assertj.core.api.Assertions.assertThat;

import dev.forebay.tiered.SpoolBudget.Reading;
import dev.forebay.tiered.spool.InstanceId;
import dev.forebay.tiered.spool.SpoolCap;
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

  private static final int SEGMENT = 10;

  private Reading next = new Reading(0, 100);
  private @Nullable IOException failure;
  private Set<InstanceId> lastOwn = Set.of();
  private int looks;
  private final AtomicInteger made = new AtomicInteger();
  private long nowNs = Long.MAX_VALUE - 3; // overflows on the way

  private final SpoolBudget budget = new SpoolBudget(this::read, () -> nowNs);

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
    final SpoolCap cap;
    final InstanceId id = new InstanceId(0, made.getAndIncrement());
    long usedBytes;

    User(SpoolCap cap) {
      this.cap = cap;
      cap.opened(id);
    }

    boolean grow() {
      boolean hadRoom = cap.hasRoom(usedBytes, SEGMENT);
      boolean isTaken = cap.take(usedBytes, SEGMENT);
      assertThat(isTaken).isEqualTo(hadRoom);
      usedBytes += isTaken ? SEGMENT : 0;
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
        assertThat(limit()).isGreaterThanOrEqualTo(usedBytes);
        grew = grow();
      }
      assertThat(limit()).isEqualTo(usedBytes);
      return this;
    }

    void shrink() {
      usedBytes -= SEGMENT;
      cap.giveBack(SEGMENT);
    }

    long limit() {
      return cap.bytes(usedBytes, SEGMENT);
    }

    void close() {
      cap.closed(id, usedBytes);
    }
  }

  private User user() {
    return new User(budget.share(SEGMENT));
  }

  @Test
  void oneAloneMayTakeAllOfIt() {
    User user = user();
    assertThat(user.limit()).isEqualTo(100);
    assertThat(user.fill().usedBytes).isEqualTo(100);
  }

  @Test
  void aBudgetThatIsNoMultipleOfASegmentIsRoundedDown() {
    next = new Reading(0, 99);
    assertThat(user().fill().usedBytes).isEqualTo(90);
  }

  @Test
  void whoComesLaterHasTheRestAndTwoSegmentsAtLeast() {
    User noisy = user().fill();
    User quiet = user();
    assertThat(quiet.limit()).isEqualTo(20);
    assertThat(quiet.fill().usedBytes).isEqualTo(20);
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
    List<SpoolCap> caps = new ArrayList<>();
    for (int i = 0; i < 100; i++) {
      int segment = budget.segmentBytes(4 << 20);
      segments.add(segment);
      caps.add(budget.share(segment));
      caps.get(i).opened(new InstanceId(0, i));
    }
    long all = 0;
    for (int i = 0; i < 100; i++) {
      long used = 0;
      while (caps.get(i).take(used, segments.get(i))) {
        used += segments.get(i);
      }
      assertThat(used).isGreaterThanOrEqualTo(2 * segments.get(i));
      all += used;
    }
    assertThat(segments.subList(0, 30)).containsOnly(4 << 20);
    assertThat(segments.subList(40, 100)).containsOnly(64 << 10);
    assertThat(all).isBetween(limit, limit + 100 * (128 << 10));
  }

  @Test
  void whatIsReservedIsFreeOnceTheSpoolIsClosed() {
    next = new Reading(0, 1 << 20);
    for (int i = 0; i < 100; i++) {
      assertThat(budget.segmentBytes(1 << 20)).isEqualTo(256 << 10);
      SpoolCap cap = budget.share(256 << 10);
      InstanceId id = new InstanceId(0, i);
      cap.opened(id);
      assertThat(cap.take(0, 256 << 10)).isTrue();
      cap.giveBack(256 << 10);
      cap.closed(id, 0);
    }
    assertThat(new User(budget.share(SEGMENT)).limit()).isGreaterThan((1 << 20) - SEGMENT);
  }

  @Test
  void whatOneGivesBackIsForAnyOfThemAtOnce() {
    User first = user().fill();
    User second = user().fill();
    for (int i = 0; i < 5; i++) {
      first.shrink();
    }
    assertThat(second.limit()).isEqualTo(50);
    assertThat(second.fill().usedBytes).isEqualTo(50);
    assertThat(first.limit()).isEqualTo(50);
  }

  @Test
  void whatOthersHoldLeavesLessAndComesBackWhenTheyHaveGone() {
    next = new Reading(75, 100);
    User user = user();
    assertThat(user.fill().usedBytes).isEqualTo(20);
    next = new Reading(500, 100);
    nowNs += SpoolBudget.LOOK_NS;
    assertThat(user.grow()).isFalse();
    assertThat(user.limit()).isEqualTo(20);
    next = new Reading(0, 100);
    nowNs += SpoolBudget.LOOK_NS;
    assertThat(user.fill().usedBytes).isEqualTo(100);
  }

  @Test
  void whatIsToBeSharedMayChange() {
    User user = user().fill();
    next = new Reading(0, 130);
    nowNs += SpoolBudget.LOOK_NS;
    assertThat(user.fill().usedBytes).isEqualTo(130);
    next = new Reading(0, 50);
    nowNs += SpoolBudget.LOOK_NS;
    assertThat(user.grow()).isFalse();
    assertThat(user.limit()).isEqualTo(130);
  }

  @Test
  void aSpoolThatIsClosedCountsUntilALookTellsWhatIsLeftOfIt() {
    User left = user().fill();
    User other = user().fill();
    left.close();
    next = new Reading(100, 100); // all of it
    assertThat(other.grow()).isFalse();
    assertThat(lastOwn).containsExactly(other.id);
    next = new Reading(0, 100);
    nowNs += SpoolBudget.LOOK_NS;
    assertThat(other.fill().usedBytes).isEqualTo(100);
  }

  @Test
  void aSpoolWithASizeOfItsOwnSharesNothingAndIsNobodyElses() {
    User apart = new User(budget.apart(500));
    assertThat(apart.fill().usedBytes).isEqualTo(500);
    User user = user();
    assertThat(lastOwn).containsExactlyInAnyOrder(apart.id, user.id);
    assertThat(user.fill().usedBytes).isEqualTo(100);
    apart.close();
    next = new Reading(500, 100); // what it left
    assertThat(user.grow()).isFalse();
    next = new Reading(0, 110);
    nowNs += SpoolBudget.LOOK_NS;
    assertThat(user.fill().usedBytes).isEqualTo(110);
  }

  @Test
  void aShareMayHaveAnEndOfItsOwn() {
    User user = new User(budget.share(35, SEGMENT));
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
    assertThat(user.fill().usedBytes).isEqualTo(100);
    assertThat(looks).isEqualTo(2);
  }

  @Test
  void theLimitFollowsWithoutAnybodyWhoGrows() {
    User user = user();
    next = new Reading(40, 100);
    nowNs += 10 * SpoolBudget.LOOK_NS - 1;
    user.cap.refresh();
    assertThat(user.limit()).isEqualTo(100);
    nowNs++;
    user.cap.refresh();
    assertThat(user.limit()).isEqualTo(60);
  }

  @Test
  void sparesStayWhileHalfIsFreeAndWithinTheMinimum() {
    User user = user();
    user.growBy(5);
    assertThat(user.cap.keepsSpares(user.usedBytes, SEGMENT)).isTrue();
    user.grow();
    assertThat(user.cap.keepsSpares(user.usedBytes, SEGMENT)).isFalse();
    assertThat(user.cap.keepsSpares(2 * SEGMENT, SEGMENT)).isTrue();
  }

  @Test
  void threadsThatTakeAtOnceTakeNoMoreThanThereIs() throws Exception {
    next = new Reading(0, 100_000L * SEGMENT);
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
                while (user.cap.take(user.usedBytes, SEGMENT)) {
                  user.usedBytes += SEGMENT;
                }
                return user;
              }));
    }
    long sum = 0;
    for (Future<User> user : users) {
      sum += user.get().usedBytes;
    }
    executor.shutdown();
    assertThat(sum).isBetween(next.limitBytes(), next.limitBytes() + threads * 2L * SEGMENT);
  }

  @Test
  void aLoopTakesWhatSpoolsLeaveAndGivesItBack() {
    User spool = user();
    spool.growBy(3);
    User loop = new User(budget.loop(80));
    loop.fill();
    assertThat(loop.usedBytes).as("what the spool leaves").isEqualTo(70);
    spool.growBy(4); // as if there were no loop
    assertThat(spool.limit()).isEqualTo(100);
    assertThat(loop.limit()).as("what is left now").isEqualTo(30);
    assertThat(loop.cap.keepsSpares(loop.usedBytes, SEGMENT)).isFalse();
    assertThat(loop.grow()).isFalse();
    spool.growBy(3);
    assertThat(loop.limit()).as("two segments in any case").isEqualTo(20);
  }

  @Test
  void aLoopHasItsOwnCapAndLeavesWhatOtherLoopsHave() {
    next = new Reading(0, 30, 100); // another process has a loop
    User first = new User(budget.loop(40));
    assertThat(first.fill().usedBytes).isEqualTo(40);
    User second = new User(budget.loop(80));
    assertThat(second.fill().usedBytes).isEqualTo(30);
    first.close();
    next = new Reading(0, 0, 100);
    nowNs += 11_000_000_000L;
    second.cap.refresh();
    assertThat(second.fill().usedBytes).isEqualTo(80);
    assertThat(user().limit()).as("of a spool").isEqualTo(100);
  }
}
