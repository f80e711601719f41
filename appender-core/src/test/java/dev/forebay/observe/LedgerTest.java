package dev.forebay.observe;

import static org.assertj.core.api.Assertions.assertThat;

import ch.qos.logback.classic.Level;
import dev.forebay.testkit.Conservation;
import dev.forebay.testkit.Events;
import java.util.Map;
import java.util.OptionalLong;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** The account without a pipeline around it: rings are numbers here. */
@Tag("once")
class LedgerTest {

  /** A ring that has accepted 20 events. */
  private static final class Ring implements Ledger.Intake {

    @Override
    public long accepted() {
      return 20;
    }

    @Override
    public void settleStragglers() {}

    @Override
    public long retire() {
      return 20;
    }
  }

  private final Ledger ledger = new Ledger();

  @Test
  void aSnapshotTellsWhereEachEventIs() {
    ledger.addIntake(new Ring());
    ledger.addReport();
    ledger.deliver(5);
    ledger.drop(DropReason.RING_FULL, Events.event(Level.WARN, "refused"));
    ledger.drop(DropReason.ABANDONED, Levels.INFO, 3, 1000);
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
}
