package dev.forebay.pipeline;

import static org.assertj.core.api.Assertions.assertThat;

import ch.qos.logback.classic.spi.ILoggingEvent;
import dev.forebay.host.Await;
import dev.forebay.observe.DropReason;
import dev.forebay.observe.Ledger;
import dev.forebay.testkit.Conservation;
import dev.forebay.testkit.Events;
import dev.forebay.testkit.Holes;
import dev.forebay.testkit.RecordingSink;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.slf4j.event.Level;

/** A slot that stays empty, under a flusher whose turns and clock the test drives. */
class ReplaceableRingTest {

  private static final int SLOTS = PipelineRig.SLOTS;

  private final PipelineRig rig = new PipelineRig(this::now);
  private final Ledger ledger = rig.ledger;
  private final List<String> warnings = rig.warnings;
  private final RecordingSink sink = new RecordingSink(ledger);
  private final PipelineRig.Parts parts = rig.parts(sink);
  private final ReplaceableRing rings = parts.rings;
  private final Flusher flusher = parts.flusher;
  private long nowNs;
  private int offered;

  private long now() {
    return nowNs;
  }

  @AfterEach
  void theLawHolds() {
    Conservation.assertHolds(ledger.snapshot());
    assertThat(ledger.snapshot().delivered()).isEqualTo(sink.messages().size());
  }

  @Test
  void aSlotThatStaysEmptyIsReportedAndAllOthersAreDelivered() {
    offer(3);
    Holes.tear(rings.current());
    offer(5);

    turnsUntilLost();
    offer(2);
    turn();

    assertThat(events()).containsExactlyElementsOf(names(10));
    assertThat(ledger.snapshot().dropped(DropReason.OFFER_FAILED, Level.ERROR)).isOne();
    assertThat(ledger.snapshot().inFlight()).isZero();
    assertThat(ledger.snapshot().offered() - ledger.snapshot().reports()).isEqualTo(11);
    assertThat(warnings)
        .singleElement()
        .asString()
        .contains("1 log call did not", "Error", "750 ms");
    assertThat(sink.reports()).singleElement().asString().contains("OFFER_FAILED 1 (ERROR 1)");
    assertThat(flusher.flushed()).as("what flush waits for").isEqualTo(rings.accepted());
  }

  @Test
  void aCallWaitsForAtLeastAllThatWasAcceptedBeforeIt() {
    offer(3);
    assertThat(rings.acceptedForCall()).isEqualTo(3);
    Holes.tear(rings.current());
    turnsUntilReplaced();
    offer(2);
    assertThat(rings.acceptedForCall()).isEqualTo(rings.accepted());
    turnsUntilLost();
    turn();
    offer(1);
    turn();
    assertThat(rings.acceptedForCall()).isEqualTo(flusher.handled());
  }

  @Test
  void theFlusherSleepsOnlyWhenTheReplacementIsOver() {
    assertThat(rings.isEmpty()).isTrue();
    Holes.tear(rings.current());
    assertThat(rings.isEmpty()).isFalse();
    turnsUntilReplaced();
    assertThat(rings.isEmpty()).isFalse();
    turnsUntilLost();
    offer(1);
    assertThat(rings.isEmpty()).isFalse();
    turn();
    turn();

    assertThat(rings.isEmpty()).isTrue();
  }

  @Test
  void theLawHoldsAtEveryMomentOfTheReplacement() {
    offer(3);
    Holes.tear(rings.current());
    long offeredBefore = 0;
    for (int i = 0; i < 100; i++) {
      offer(i % 2);
      turn();
      Conservation.assertHolds(ledger.snapshot());
      assertThat(ledger.snapshot().offered()).isGreaterThanOrEqualTo(offeredBefore);
      offeredBefore = ledger.snapshot().offered();
    }

    assertThat(events()).containsExactlyElementsOf(names(53));
    assertThat(ledger.snapshot().inFlight()).isZero();
  }

  @Test
  void aRingThatIsFullBehindTheHoleTakesEventsAgain() {
    Holes.tear(rings.current());
    offer(SLOTS - 1);
    assertThat(tryOffer(rings.current())).isFalse();

    turnsUntilReplaced();

    assertThat(tryOffer(rings.current())).isTrue();
    turnsUntilLost();
    turn();
    assertThat(events()).hasSize(SLOTS);
  }

  @Test
  void aCallerThatIsOnlySlowLosesNothingAndIsNotReported() {
    CountDownLatch store = new CountDownLatch(1);
    offer(1);
    Thread late = Holes.fillLate(rings.current(), Events.info("late"), store);
    offer(1);
    turnsUntilReplaced();
    offer(1);
    turns(ReplaceableRing.MIN_LOOKS - 1);
    store.countDown();
    Await.end(late);
    turns(3);

    assertThat(events()).containsExactly("event 0", "late", "event 1", "event 2");
    assertThat(warnings).isEmpty();
    assertThat(ledger.snapshot().dropped()).isZero();
    assertThat(ledger.snapshot().inFlight()).isZero();
  }

  @Test
  void anEventThatArrivesAfterItWasCountedAsLostIsNotDelivered() {
    CountDownLatch store = new CountDownLatch(1);
    Thread late = Holes.fillLate(rings.current(), Events.info("late"), store);
    offer(1);
    turnsUntilLost();
    store.countDown();
    Await.end(late);
    offer(1);
    turns(3);

    assertThat(events()).containsExactly("event 0", "event 1");
    assertThat(ledger.snapshot().dropped(DropReason.OFFER_FAILED)).isOne();
    assertThat(ledger.snapshot().inFlight()).isZero();
  }

  @Test
  void aCallerWithoutAProcessorForHalfASecondLosesNothing() {
    CountDownLatch store = new CountDownLatch(1);
    Thread late = Holes.fillLate(rings.current(), Events.info("late"), store);
    offer(1);
    turnsUntilReplaced();
    turns(50);
    store.countDown();
    Await.end(late);
    turns(3);

    assertThat(events()).containsExactly("late", "event 0");
    assertThat(warnings).isEmpty();
  }

  @Test
  void aCallerThatLostTheProcessorForAMomentCostsNoRing() {
    EventRing first = rings.current();
    CountDownLatch store = new CountDownLatch(1);
    Thread late = Holes.fillLate(first, Events.info("late"), store);
    nowNs += ReplaceableRing.HOLE_NS * 10; // as after a suspend: much time and few looks
    turns(2);
    store.countDown();
    Await.end(late);
    turns(20);

    assertThat(rings.current()).isSameAs(first);
    assertThat(events()).containsExactly("late");
  }

  @Test
  void aClosedRingTakesNobodyInAnyMore() {
    EventRing first = rings.current();
    Holes.tear(first);
    turnsUntilReplaced();

    assertThat(tryOffer(first)).isFalse();
    assertThat(first.offer(Events.info("heavy"), 100_000, SLOTS)).isFalse();
    assertThat(ledger.snapshot().inFlight()).isOne();
  }

  @Test
  void whatWaitsInAClosedRingIsInTheRingsAndTheSlotsThatNobodyFilledAreNot() {
    offer(1);
    turn();
    Holes.tear(rings.current());
    offer(5);
    turnsUntilReplaced();
    assertThat(rings.fill()).as("the hole may still be filled").isEqualTo(6);

    turnsUntilLost();
    turn();
    assertThat(rings.fill()).isZero();
  }

  /** The lock of a ring is free again after each of the flusher's steps. */
  @Test
  void othersCountWhatIsInTheRingsWhateverTheFlusherDoesWithThem() {
    Holes.tear(rings.current());
    offer(2);
    turnsUntilReplaced();
    countByAnother();
    turnsUntilLost();
    countByAnother();
  }

  private void countByAnother() {
    Thread other = new Thread(rings::accepted);
    other.setDaemon(true);
    other.start();
    Await.end(other);
  }

  @Test
  void oneHoleAfterTheOtherIsRepaired() {
    for (int i = 0; i < 20; i++) {
      offer(2);
      Holes.tear(rings.current());
      Holes.tear(rings.current());
      offer(1);
      turnsUntilLost();
      turn();
    }

    assertThat(events()).containsExactlyElementsOf(names(60));
    assertThat(ledger.snapshot().dropped(DropReason.OFFER_FAILED)).isEqualTo(40);
    assertThat(ledger.snapshot().inFlight()).isZero();
  }

  @Test
  void bytesReservedInTheClosedRingAreNotMissing() {
    Holes.tear(rings.current());
    assertThat(rings.current().offer(Events.info("event " + offered++), 1 << 19, SLOTS)).isTrue();
    turnsUntilLost();
    turn();

    assertThat(rings.current().offer(Events.info("event " + offered++), 1 << 19, SLOTS)).isTrue();
    turn();
    assertThat(rings.current().offer(Events.info("event " + offered++), 1 << 19, SLOTS)).isTrue();
    turn();
    assertThat(events()).containsExactlyElementsOf(names(3));
  }

  @Test
  void aStopCountsWhatStandsPastTheHoleAndTheHole() {
    offer(1);
    Holes.tear(rings.current());
    offer(2);

    rings.abandon();
    rings.writeOff();
    turns(20);

    assertThat(ledger.snapshot().dropped(DropReason.ABANDONED)).isEqualTo(3);
    assertThat(ledger.snapshot().dropped(DropReason.OFFER_FAILED)).isOne();
    assertThat(ledger.snapshot().inFlight()).isZero();
    assertThat(events()).isEmpty();
  }

  @Test
  void aStopInTheMiddleOfAReplacementCountsBothRings() {
    Holes.tear(rings.current());
    offer(2);
    turnsUntilReplaced();
    offer(3);

    rings.abandon();
    rings.writeOff();
    turns(20);

    assertThat(ledger.snapshot().dropped(DropReason.ABANDONED)).isEqualTo(5);
    assertThat(ledger.snapshot().dropped(DropReason.OFFER_FAILED)).isOne();
    assertThat(ledger.snapshot().inFlight()).isZero();
  }

  private void offer(int events) {
    for (int i = 0; i < events; i++) {
      assertThat(tryOffer(rings.current())).isTrue();
    }
  }

  private boolean tryOffer(EventRing ring) {
    ILoggingEvent event = Events.info("event " + offered);
    boolean taken = ring.offer(event, EventWeight.of(event), SLOTS);
    offered += taken ? 1 : 0;
    return taken;
  }

  private void turn() {
    nowNs += ReplaceableRing.HOLE_NS / 10;
    flusher.doWork();
  }

  private void turns(int count) {
    for (int i = 0; i < count; i++) {
      turn();
    }
  }

  private void turnsUntilReplaced() {
    EventRing before = rings.current();
    for (int i = 0; i < 20 && rings.current() == before; i++) {
      turn();
    }
    assertThat(rings.current()).isNotSameAs(before);
  }

  private void turnsUntilLost() {
    long before = ledger.snapshot().dropped(DropReason.OFFER_FAILED);
    for (int i = 0; i < 90 && ledger.snapshot().dropped(DropReason.OFFER_FAILED) == before; i++) {
      turn();
    }
    assertThat(ledger.snapshot().dropped(DropReason.OFFER_FAILED)).isGreaterThan(before);
  }

  private List<String> events() {
    return sink.messages().stream().filter(text -> !text.startsWith("Forebay")).toList();
  }

  private static List<String> names(int count) {
    List<String> names = new ArrayList<>();
    for (int i = 0; i < count; i++) {
      names.add("event " + i);
    }
    return names;
  }
}
