package dev.forebay.pipeline;

import static org.assertj.core.api.Assertions.assertThat;

import dev.forebay.agent.Agent;
import dev.forebay.agent.TimeLimit;
import dev.forebay.host.Await;
import dev.forebay.observe.DropReason;
import dev.forebay.observe.Ledger;
import dev.forebay.observe.LedgerSnapshot;
import dev.forebay.testkit.Conservation;
import dev.forebay.testkit.Events;
import dev.forebay.testkit.Holes;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.function.BooleanSupplier;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.slf4j.event.Level;

/** A slot that stays empty, under a flusher whose turns and clock the test drives. */
class HoleWatchTest {

  private static final int SLOTS = PipelineRig.SLOTS;

  private final PipelineRig rig = new PipelineRig(this::now);
  private final Ledger ledger = rig.ledger;
  private final List<String> warnings = rig.warnings;
  private final TestSink sink = new TestSink(ledger);
  private final PipelineRig.Parts parts = rig.parts(sink);
  private final EventRing ring = parts.ring;
  private final Flusher flusher = parts.flusher;
  private long nowNs;
  private int offered;

  private long now() {
    return nowNs;
  }

  @AfterEach
  void theLawHolds() {
    Conservation.assertHolds(ledger.snapshot());
    assertThat(ledger.snapshot().delivered()).isEqualTo(sink.messages.size());
  }

  @Test
  void aSlotThatStaysEmptyIsReportedAndAllOthersAreDelivered() {
    offer(3);
    Holes.tear(ring);
    offer(5);

    turnsUntilLost();
    offer(2);
    turn();

    assertThat(sink.events()).containsExactlyElementsOf(LogCalls.messages(0, 10));
    assertThat(ledger.snapshot().dropped(DropReason.OFFER_FAILED, Level.ERROR)).isOne();
    assertThat(ledger.snapshot().inFlight()).isZero();
    LedgerSnapshot account = ledger.snapshot();
    assertThat(account.offered() - account.reports()).isEqualTo(11);
    assertThat(warnings)
        .singleElement()
        .asString()
        .contains("1 log call did not", "Error", "750 ms");
    assertThat(sink.reports()).singleElement().asString().contains("OFFER_FAILED 1 (ERROR 1)");
    assertThat(flusher.flushed()).as("what flush waits for").isEqualTo(ring.accepted());
  }

  @Test
  void theFlusherSleepsOnlyWhenWhatStandsPastTheHoleIsTaken() {
    turn();
    assertThat(flusher.sleepNs(nowNs)).isEqualTo(Agent.UNTIL_WOKEN);
    Holes.tear(ring);
    offer(1);
    turn();
    assertThat(flusher.sleepNs(nowNs)).isZero();
    turnsUntilLost();
    assertThat(flusher.sleepNs(nowNs)).isZero();
    turns(20);

    assertThat(flusher.sleepNs(nowNs)).isEqualTo(Agent.UNTIL_WOKEN);
  }

  @Test
  void anEventThatArrivesAfterItWasCountedAsLostIsNotDelivered() {
    CountDownLatch store = new CountDownLatch(1);
    Thread late = Holes.fillLate(ring, Events.info("late"), store);
    offer(1);
    turnsUntilLost();
    store.countDown();
    Await.end(late);
    offer(1);
    turns(3);

    assertThat(sink.events()).containsExactly("event 0", "event 1");
    assertThat(ledger.snapshot().dropped(DropReason.OFFER_FAILED)).isOne();
    assertThat(ledger.snapshot().inFlight()).isZero();
  }

  @Test
  void aCallerWithoutAProcessorForHalfASecondLosesNothing() {
    CountDownLatch store = new CountDownLatch(1);
    offer(1);
    Thread late = Holes.fillLate(ring, Events.info("late"), store);
    offer(1);
    turns(50);
    store.countDown();
    Await.end(late);
    offer(1);
    turns(3);

    assertThat(sink.events()).containsExactly("event 0", "late", "event 1", "event 2");
    assertThat(warnings).isEmpty();
    assertThat(ledger.snapshot().dropped()).isZero();
    assertThat(ledger.snapshot().inFlight()).isZero();
  }

  @Test
  void muchTimeWithFewLooksIsNoHole() {
    CountDownLatch store = new CountDownLatch(1);
    Thread late = Holes.fillLate(ring, Events.info("late"), store);
    turn();
    nowNs += HoleWatch.LOST_NS * 10; // as after a suspend
    turns(TimeLimit.LOOKS / 2);
    store.countDown();
    Await.end(late);
    turns(20);

    assertThat(sink.events()).containsExactly("late");
    assertThat(warnings).isEmpty();
  }

  @Test
  void whoComesLateFindsNoRoomInTheOldQueue() {
    BooleanSupplier late = Holes.lateOffer(ring);
    Holes.tear(ring);
    turnsUntilLost();

    assertThat(late.getAsBoolean()).isFalse();
  }

  @Test
  void oneHoleAfterTheOtherIsRepaired() {
    for (int i = 0; i < 20; i++) {
      offer(2);
      Holes.tear(ring);
      Holes.tear(ring);
      offer(1);
      turnsUntilLost();
      turn();
    }

    assertThat(sink.events()).containsExactlyElementsOf(LogCalls.messages(0, 60));
    assertThat(ledger.snapshot().dropped(DropReason.OFFER_FAILED)).isEqualTo(40);
    assertThat(ledger.snapshot().inFlight()).isZero();
  }

  @Test
  void aStopCountsWhatWasFoundPastAHole() {
    Holes.tear(ring);
    offer(2);
    turnsUntilLost();
    offer(3);

    ring.abandon();
    parts.holes.writeOff();
    turns(20);

    assertThat(ledger.snapshot().dropped(DropReason.ABANDONED)).isEqualTo(5);
    assertThat(ledger.snapshot().dropped(DropReason.OFFER_FAILED)).isOne();
    assertThat(ledger.snapshot().inFlight()).isZero();
  }

  private void offer(int events) {
    for (int i = 0; i < events; i++) {
      assertThat(ring.offer(Events.info("event " + offered++), 20, SLOTS)).isTrue();
    }
  }

  private void turn() {
    nowNs += HoleWatch.LOST_NS / 75;
    flusher.doWork();
    Conservation.assertHolds(ledger.snapshot());
  }

  private void turns(int count) {
    for (int i = 0; i < count; i++) {
      turn();
    }
  }

  private void turnsUntilLost() {
    long before = ledger.snapshot().dropped(DropReason.OFFER_FAILED);
    for (int i = 0; i < 90 && ledger.snapshot().dropped(DropReason.OFFER_FAILED) == before; i++) {
      turn();
    }
    assertThat(ledger.snapshot().dropped(DropReason.OFFER_FAILED)).isGreaterThan(before);
  }
}
