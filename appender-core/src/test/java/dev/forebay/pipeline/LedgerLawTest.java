package dev.forebay.pipeline;

import static org.assertj.core.api.Assertions.assertThat;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.spi.ILoggingEvent;
import dev.forebay.host.Await;
import dev.forebay.observe.DropReason;
import dev.forebay.observe.Ledger;
import dev.forebay.observe.LedgerSnapshot;
import dev.forebay.testkit.Conservation;
import dev.forebay.testkit.Events;
import dev.forebay.testkit.Threads;
import java.util.List;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.Test;

/** The law under load: in every snapshot, not only in the last. */
class LedgerLawTest {

  private static final int CALLERS = 4;
  private static final int EVENTS = 50_000;
  private static final int SLOTS = 256;

  private final Ledger ledger = new Ledger();
  private final EventRing ring = new EventRing(SLOTS, 1 << 20, ledger);
  private final ILoggingEvent event = Events.event(Level.WARN, "event");

  @Test
  void holdsInEverySnapshotWhileFourThreadsOfferAndOneDelivers() {
    ledger.addIntake(ring);
    AtomicBoolean stop = new AtomicBoolean();
    Thread flusher = Threads.start(() -> deliverUntil(stop));
    List<Thread> callers = Threads.start(CALLERS, i -> offerAll());

    long offeredBefore = 0;
    long deliveredBefore = 0;
    boolean isBusy;
    do {
      isBusy = callers.stream().anyMatch(Thread::isAlive);
      LedgerSnapshot snapshot = ledger.snapshot();
      Conservation.assertHolds(snapshot);
      assertThat(snapshot.inFlight()).isLessThanOrEqualTo((long) CALLERS * EVENTS);
      assertThat(snapshot.offered()).isGreaterThanOrEqualTo(offeredBefore);
      assertThat(snapshot.delivered()).isGreaterThanOrEqualTo(deliveredBefore);
      offeredBefore = snapshot.offered();
      deliveredBefore = snapshot.delivered();
    } while (isBusy);
    callers.forEach(Await::end);
    stop.set(true);
    Await.end(flusher);
    ring.abandon();

    LedgerSnapshot last = ledger.snapshot();
    Conservation.assertHolds(last);
    assertThat(last.offered()).isEqualTo((long) CALLERS * EVENTS);
    assertThat(last.inFlight()).isZero();
    assertThat(last.delivered()).isPositive();
    assertThat(last.dropped(DropReason.DELIVERY_FAILED)).isPositive();
  }

  private void offerAll() {
    for (int i = 0; i < EVENTS; i++) {
      long weightBytes = i % 10 == 0 ? 5000 : 10;
      if (!ring.offer(event, weightBytes, SLOTS)) {
        ledger.drop(DropReason.RING_FULL, event);
      }
    }
  }

  private void deliverUntil(AtomicBoolean stop) {
    long polled = 0;
    while (!stop.get() || ring.fill() > 0) { // it may have had no processor before
      if (ring.poll() != null) {
        if (polled++ % 100 == 0) {
          ledger.drop(DropReason.DELIVERY_FAILED, event);
        } else {
          ledger.deliver(1);
        }
        ring.release();
      }
    }
  }
}
