package dev.forebay.observe;

import static org.assertj.core.api.Assertions.assertThat;

import ch.qos.logback.classic.Level;
import dev.forebay.testkit.Conservation;
import dev.forebay.testkit.Events;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.OptionalLong;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** The account without a pipeline around it: rings are numbers here. */
@Tag("once")
class LedgerTest {

  private static final int REMEMBERED_RINGS = 4;
  private static final int INFO = Levels.INFO;

  /**
   * A ring that has accepted so many events; {@code retired} is what it says of its last offers.
   */
  private static final class Ring implements Ledger.Intake {
    long accepted;
    long retired;
    int retireCalls;
    int settleCalls;

    Ring(long accepted, long retired) {
      this.accepted = accepted;
      this.retired = retired;
    }

    @Override
    public long accepted() {
      return accepted;
    }

    @Override
    public void settleStragglers() {
      settleCalls++;
    }

    @Override
    public long retire() {
      retireCalls++;
      return retired;
    }
  }

  private final Ledger ledger = new Ledger();

  private List<Ring> add(int count, long accepted) {
    List<Ring> rings = new ArrayList<>();
    for (int i = 0; i < count; i++) {
      Ring ring = new Ring(accepted, accepted);
      ledger.addIntake(ring);
      rings.add(ring);
    }
    return rings;
  }

  @Test
  void theNewestRingsAreWatchedAndOlderOnesBecomeANumber() {
    List<Ring> rings = add(REMEMBERED_RINGS, 10);
    assertThat(rings).allMatch(ring -> ring.retireCalls == 0);

    rings.addAll(add(1, 10));
    assertThat(rings.get(0).retireCalls).isOne();
    assertThat(rings.subList(1, rings.size())).allMatch(ring -> ring.retireCalls == 0);
    assertThat(ledger.snapshot().offered()).isEqualTo(50);
    assertThat(rings.get(0).settleCalls).as("is not watched").isZero();
    assertThat(rings.get(1).settleCalls).isOne();
  }

  @Test
  void aRingThatAcceptedNothingIsForgottenToo() {
    Ring first = add(REMEMBERED_RINGS + 1, 0).get(0);
    add(1, 0);

    assertThat(first.retireCalls).isOne();
  }

  @Test
  void aRingThatIsStillInUseIsWatchedUntilItIsSpent() {
    Ring busy = new Ring(7, -1);
    ledger.addIntake(busy);
    add(REMEMBERED_RINGS, 10);
    assertThat(ledger.snapshot().offered()).isEqualTo(47);

    busy.accepted = 8;
    assertThat(ledger.snapshot().offered()).isEqualTo(48);
    busy.retired = 8;
    add(1, 10);
    busy.accepted = 100;
    assertThat(ledger.snapshot().offered()).as("its last number counts").isEqualTo(58);
  }

  @Test
  void aSnapshotTellsWhereEachEventIs() {
    add(1, 20);
    ledger.addReport();
    ledger.deliver(5);
    ledger.drop(DropReason.RING_FULL, Events.event(Level.WARN, "refused"));
    ledger.drop(DropReason.ABANDONED, INFO, 3, 1000);
    ledger.drop(DropReason.ABANDONED, Events.event(Level.DEBUG, "abandoned"));

    LedgerSnapshot snapshot = ledger.snapshot();
    Conservation.assertHolds(snapshot);
    assertThat(snapshot.offered()).isEqualTo(22);
    assertThat(snapshot.delivered()).isEqualTo(5);
    assertThat(snapshot.dropped()).isEqualTo(5);
    assertThat(snapshot.inFlight()).isEqualTo(12);
    assertThat(snapshot.reports()).isOne();
    assertThat(snapshot.dropped(DropReason.ABANDONED)).isEqualTo(4);
    assertThat(snapshot.dropped(DropReason.ABANDONED, org.slf4j.event.Level.INFO)).isEqualTo(3);
    assertThat(snapshot.droppedByReasonAndLevel())
        .isEqualTo(
            Map.of("RING_FULL", Map.of("WARN", 1L), "ABANDONED", Map.of("INFO", 3L, "DEBUG", 1L)));
    assertThat(snapshot)
        .hasToString(
            "offered 22 = delivered 5 + dropped 5 {ABANDONED={DEBUG=1, INFO=3}, RING_FULL={WARN=1}}"
                + " + in flight 12");
    assertThat(snapshot.durableUpTo()).isEmpty();
    LedgerSnapshot durable = ledger.snapshot(OptionalLong.of(4));
    assertThat(durable.durableUpTo()).hasValue(4);
    assertThat(durable.offered()).isEqualTo(22);
  }

  @Test
  void noDropsHaveNoTime() {
    ledger.drop(DropReason.SPOOL_LOST, INFO, 1, 1000);
    ledger.drop(DropReason.SPOOL_LOST, INFO, 0, 5000);

    assertThat(ledger.dropsForListeners().advance())
        .singleElement()
        .satisfies(drop -> assertThat(drop.lastMs()).isEqualTo(1000));
  }

  @Test
  void skippingOneReasonHidesNoOther() {
    DropCursor cursor = ledger.dropsInLog();
    for (DropReason reason : DropReason.values()) {
      ledger.drop(reason, 0, 1, 1000);
      ledger.drop(reason, Levels.COUNT - 1, 1, 1000);
    }
    long all = cursor.pending();
    for (DropReason reason : DropReason.values()) {
      cursor.skip(reason);
      all -= 2;
      assertThat(cursor.pending()).as("after %s", reason).isEqualTo(all);
    }
    assertThat(cursor.advance()).isEmpty();
  }

  @Test
  void skippingOneDropHidesNoLaterOne() {
    DropCursor cursor = ledger.dropsInLog();
    ledger.drop(DropReason.RING_FULL, INFO, 2, 1000);
    cursor.skipOne(DropReason.RING_FULL, INFO);
    assertThat(cursor.pending()).isOne();
    cursor.skipOne(DropReason.RING_FULL, INFO);
    cursor.skipOne(DropReason.RING_FULL, INFO);
    assertThat(cursor.pending()).isZero();

    ledger.drop(DropReason.RING_FULL, INFO, 1, 2000);
    assertThat(cursor.advance())
        .singleElement()
        .satisfies(drop -> assertThat(drop.count()).isOne());
  }
}
