package dev.forebay.pipeline;

import ch.qos.logback.classic.spi.ILoggingEvent;
import dev.forebay.observe.DropReason;
import dev.forebay.observe.Ledger;
import dev.forebay.observe.LedgerSnapshot;
import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.Arbiter;
import org.openjdk.jcstress.annotations.Expect;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.Outcome;
import org.openjdk.jcstress.annotations.State;
import org.openjdk.jcstress.infra.results.IIII_Result;

/** A log call where the flusher skips a hole and replaces the queue under it. */
public final class ReplacementStress {

  private static final int SLOTS = 2;
  private static final long BYTES = 1024;

  private ReplacementStress() {}

  /** The real ring, whose flusher finds a hole. */
  static class Stage {
    final Ledger ledger = new Ledger();
    final ILoggingEvent event = StopStress.event();
    final EventRing ring = new EventRing(SLOTS, BYTES, ledger);

    Stage() {
      ledger.addIntake(ring);
    }

    void offer() {
      if (!ring.offer(event, 1, SLOTS)) {
        ledger.drop(DropReason.RING_FULL, event);
      }
    }

    void deliverAll() {
      while (ring.poll() != null) {
        ledger.deliver(1);
        ring.release();
      }
    }
  }

  /** The flusher skips what is empty at once. */
  @JCStressTest
  @State
  @Outcome(id = "1, 1, 0, 0", expect = Expect.ACCEPTABLE, desc = "In the old queue or the new one.")
  @Outcome(
      id = "1, 0, 1, 0",
      expect = Expect.ACCEPTABLE,
      desc = "Had its slot of the old queue and filled it too late: counted as lost.")
  @Outcome(expect = Expect.FORBIDDEN, desc = "Lost without a count, counted twice, or refused.")
  public static class OfferAgainstReplacement extends Stage {

    @Actor
    public void caller() {
      offer();
    }

    @Actor
    public void flusher() {
      ring.skipHole(0, Thread::onSpinWait);
      deliverAll();
    }

    @Arbiter
    public void account(IIII_Result result) {
      deliverAll();
      LedgerSnapshot snapshot = ledger.snapshot();
      boolean refused = snapshot.dropped(DropReason.RING_FULL) > 0;
      StopStress.account(snapshot, result);
      result.r1 += refused ? 100 : 0;
    }
  }

  /** A snapshot in the middle, while the free slots are filled with what are no events. */
  @JCStressTest
  @State
  @Outcome(id = "1, 0, 0, 1", expect = Expect.ACCEPTABLE, desc = "In the old queue, in flight.")
  @Outcome(id = "1, 1, 0, 0", expect = Expect.ACCEPTABLE, desc = "Delivered.")
  @Outcome(expect = Expect.FORBIDDEN, desc = "What fills the slots counts as events.")
  public static class SnapshotAgainstReplacement extends Stage {

    public SnapshotAgainstReplacement() {
      offer();
    }

    @Actor
    public void flusher() {
      ring.skipHole(0, Thread::onSpinWait);
      deliverAll();
    }

    @Actor
    public void observer(IIII_Result result) {
      StopStress.account(ledger.snapshot(), result);
    }
  }
}
