package dev.forebay.pipeline;

import static org.assertj.core.api.Assertions.assertThat;

import ch.qos.logback.classic.spi.ILoggingEvent;
import dev.forebay.host.Await;
import dev.forebay.observe.DropReason;
import dev.forebay.observe.Ledger;
import dev.forebay.testkit.Conservation;
import dev.forebay.testkit.Events;
import dev.forebay.testkit.Holes;
import dev.forebay.testkit.Threads;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

class EventRingTest {

  private static final int SLOTS = 8;

  /** Half of it gives each slot a share of 100; the other half can be reserved. */
  private static final long BUDGET = 1600;

  private static final long SMALL = 100;
  private static final long HEAVY = 300;
  private static final long RESERVABLE = BUDGET / 2;

  private final Ledger ledger = new Ledger();
  private final EventRing ring = new EventRing(SLOTS, BUDGET, ledger);
  private final ILoggingEvent event = Events.info("event");

  EventRingTest() {
    ledger.addIntake(ring);
  }

  @Test
  void theReserveHasAsManySlotsButNoBytesOfItsOwn() {
    for (int i = 0; i < SLOTS; i++) {
      assertThat(ring.offer(event, SMALL, SLOTS)).isTrue();
    }
    assertThat(ring.offer(event, SMALL, SLOTS)).isFalse();
    int more = 0;
    while (ring.offerToReserve(event, null, SMALL, SLOTS)) {
      more++;
    }
    assertThat(more).isEqualTo(Math.min(SLOTS, (int) (RESERVABLE / SMALL)));
    while (ring.poll() != null) {
      ring.release();
    }
    assertThat(ring.offer(event, RESERVABLE, SLOTS)).as("all is back").isTrue();
  }

  /** It was only without a processor, and does not know. */
  @Test
  void whatALostCallHadReservedIsFreeAgain() throws Exception {
    Holes.tear(ring, HEAVY);
    assertThat(ring.offer(event, HEAVY, SLOTS)).isTrue();
    assertThat(ring.skipHole(0, () -> {})).isOne();
    assertThat(ring.offer(event, 500, SLOTS)).as("beside what was rescued").isTrue();
    assertThat(ring.offer(event, HEAVY, SLOTS)).as("more than the budget").isFalse();
    for (int i = 0; i < 2; i++) {
      assertThat(ring.poll()).isNotNull();
      ledger.deliver(1);
      ring.release();
    }

    assertThat(ring.offer(event, RESERVABLE, SLOTS)).as("all is back").isTrue();
    Conservation.assertHolds(ledger.snapshot());
    assertThat(ledger.snapshot().dropped(DropReason.OFFER_FAILED)).isOne();
  }

  /** Others were only between taking a slot and filling it. */
  @Test
  void callsThatFillTheirSlotMeanwhileAreNotLostWithTheHole() {
    Holes.tear(ring);
    CountDownLatch fills = new CountDownLatch(1);
    Thread late = Holes.fillLate(ring, event, fills);
    assertThat(ring.offer(event, SMALL, SLOTS)).isTrue();
    int lost =
        ring.skipHole(
            0,
            () -> {
              fills.countDown();
              Await.end(late);
            });

    assertThat(lost).isOne();
    assertThat(ring.fill()).isEqualTo(2);
    Conservation.assertHolds(ledger.snapshot());
  }

  @Test
  void anEventHeavierThanTheShareOfItsLevelEntersAloneOnly() {
    assertThat(ring.offer(event, 700, SLOTS / 2)).isTrue();
    assertThat(ring.poll()).isSameAs(event);
    ring.release();
    assertThat(ring.offer(event, HEAVY, SLOTS)).isTrue();
    assertThat(ring.offer(event, 450, SLOTS / 2)).isFalse();
  }

  @Test
  void manyCallersNeverReserveMoreThanThereIs() {
    AtomicInteger taken = new AtomicInteger();
    Threads.run(8, i -> taken.addAndGet(ring.offer(event, HEAVY, SLOTS) ? 1 : 0));

    assertThat(taken).hasValue(2);
  }

  @Test
  void anOfferAfterAbandonIsCountedByTheNextSnapshot() {
    ring.abandon();
    assertThat(ring.offer(event, SMALL, SLOTS)).isTrue();

    assertThat(ledger.snapshot().offered()).isOne();
    assertThat(ledger.snapshot().dropped(DropReason.ABANDONED)).isOne();
    assertThat(ledger.snapshot().inFlight()).isZero();
  }

  @Test
  void anOfferToARingSeveralStartsAgoIsCountedOnce() {
    assertThat(ring.offer(event, SMALL, SLOTS)).isTrue();
    assertThat(ring.poll()).isSameAs(event);
    ledger.deliver(1);
    ring.abandon();
    for (int start = 0; start < 10; start++) {
      EventRing next = new EventRing(SLOTS, BUDGET, ledger);
      ledger.addIntake(next);
      next.abandon();
    }
    assertThat(ring.offer(event, SMALL, SLOTS)).isTrue();
    ring.settleStragglers();

    assertThat(ledger.snapshot().offered()).isEqualTo(2);
    assertThat(ledger.snapshot().delivered()).isOne();
    assertThat(ledger.snapshot().dropped(DropReason.STOPPED)).isOne();
    Conservation.assertHolds(ledger.snapshot());
    assertThat(ledger.snapshot().inFlight()).isZero();
  }
}
