package dev.forebay.pipeline;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.classic.spi.LoggingEvent;
import dev.forebay.observe.DropReason;
import dev.forebay.observe.Ledger;
import dev.forebay.observe.LedgerSnapshot;
import org.jspecify.annotations.Nullable;
import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.Arbiter;
import org.openjdk.jcstress.annotations.Expect;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.Outcome;
import org.openjdk.jcstress.annotations.State;
import org.openjdk.jcstress.infra.results.IIII_Result;
import org.openjdk.jcstress.infra.results.III_Result;

/**
 * The real ring and ledger where a log call meets stop() or a snapshot. Two actors each: a test
 * with more than there are processors is passed over in silence.
 */
public final class StopStress {

  private static final int SLOTS = 4;
  private static final long BYTES = 1024;
  private static final long LIGHT = 1;
  private static final long HEAVY = 300;

  private StopStress() {}

  static ILoggingEvent event() {
    LoggingEvent event = new LoggingEvent();
    event.setLevel(Level.INFO);
    return event;
  }

  /** A ring and the two sides of it, as the pipeline uses them. */
  static class Stage {
    final Ledger ledger = new Ledger();
    final EventRing ring = new EventRing(SLOTS, BYTES, ledger);
    final ILoggingEvent event = event();
    volatile boolean closed;

    Stage() {
      ledger.addIntake(ring);
    }

    void offer(long weightBytes) {
      if (closed) {
        ledger.drop(DropReason.STOPPED, event);
        return;
      }
      if (!ring.offer(event, weightBytes, SLOTS)) {
        ledger.drop(DropReason.RING_FULL, event);
      }
      if (closed) {
        ring.settleStragglers();
      }
    }

    /** As the flusher does with one event; whether there was one. */
    boolean deliver() {
      @Nullable ILoggingEvent polled = ring.poll();
      if (polled == null) {
        return false;
      }
      ledger.deliver(1);
      ring.release();
      return true;
    }
  }

  static void account(LedgerSnapshot snapshot, IIII_Result result) {
    result.r1 = (int) snapshot.offered();
    result.r2 = (int) snapshot.delivered();
    result.r3 = (int) snapshot.dropped();
    result.r4 = (int) snapshot.inFlight();
  }

  /** One log call against a stop() that drains and then abandons. */
  @JCStressTest
  @State
  @Outcome(id = "1, 1, 0, 0", expect = Expect.ACCEPTABLE, desc = "In before the drain: delivered.")
  @Outcome(
      id = "1, 0, 1, 0",
      expect = Expect.ACCEPTABLE,
      desc = "Refused at the gate, or in after the drain and counted as abandoned.")
  @Outcome(expect = Expect.FORBIDDEN, desc = "Lost without a count, or counted twice.")
  public static class OfferAgainstStop extends Stage {

    @Actor
    public void caller() {
      offer(HEAVY);
    }

    @Actor
    public void stopper() {
      closed = true;
      while (deliver()) {}
      ring.abandon();
    }

    @Arbiter
    public void account(IIII_Result result) {
      StopStress.account(ledger.snapshot(), result);
    }
  }

  /** A flusher at work against a stop() that has waited long enough for it. */
  @JCStressTest
  @State
  @Outcome(id = "1, 1, 0, 0", expect = Expect.ACCEPTABLE, desc = "The flusher was faster.")
  @Outcome(
      id = "1, 0, 1, 0",
      expect = Expect.ACCEPTABLE,
      desc = "Abandoned before the flusher came to it.")
  @Outcome(expect = Expect.FORBIDDEN, desc = "Lost without a count, or counted twice.")
  public static class FlusherAgainstStop extends Stage {

    public FlusherAgainstStop() {
      offer(LIGHT);
    }

    @Actor
    public void flusher() {
      deliver();
    }

    @Actor
    public void stopper() {
      closed = true;
      ring.abandon();
    }

    @Arbiter
    public void account(IIII_Result result) {
      StopStress.account(ledger.snapshot(), result);
    }
  }

  /** A log call so slow that its ring is dismissed from the ledger meanwhile. */
  @JCStressTest
  @State
  @Outcome(
      id = "1, 0, 1, 0",
      expect = Expect.ACCEPTABLE,
      desc = "Refused at the gate, abandoned, or refused by a ring that counts no more.")
  @Outcome(expect = Expect.FORBIDDEN, desc = "Lost without a count, or counted twice.")
  public static class OfferAgainstManyRestarts extends Stage {

    @Actor
    public void caller() {
      offer(HEAVY);
    }

    @Actor
    public void restarter() {
      closed = true;
      ring.abandon();
      for (int start = 0; start < 4; start++) {
        ledger.addIntake(new EventRing(1, BYTES, ledger));
      }
    }

    @Arbiter
    public void account(IIII_Result result) {
      StopStress.account(ledger.snapshot(), result);
    }
  }

  /** A snapshot while an event goes in and out. */
  @JCStressTest
  @State
  @Outcome(id = "0, 0, 0", expect = Expect.ACCEPTABLE, desc = "Before the offer.")
  @Outcome(id = "1, 0, 1", expect = Expect.ACCEPTABLE, desc = "In the ring, or in hand.")
  @Outcome(id = "1, 1, 0", expect = Expect.ACCEPTABLE, desc = "Delivered.")
  @Outcome(
      expect = Expect.FORBIDDEN,
      desc = "The sum is wrong: for example delivered before it was offered.")
  public static class SnapshotAgainstDelivery extends Stage {

    @Actor
    public void callerAndFlusher() {
      offer(LIGHT);
      deliver();
    }

    @Actor
    public void observer(III_Result result) {
      LedgerSnapshot snapshot = ledger.snapshot();
      result.r1 = (int) snapshot.offered();
      result.r2 = (int) snapshot.delivered();
      result.r3 = (int) snapshot.inFlight();
    }
  }

  /** Two heavy log calls where the bytes suffice for one. */
  @JCStressTest
  @State
  @Outcome(
      id = "2, 0, 1, 1",
      expect = Expect.ACCEPTABLE,
      desc = "One is in the ring and one is dropped.")
  @Outcome(expect = Expect.FORBIDDEN, desc = "More bytes than there are, or both refused.")
  public static class TwoHeavyOffers extends Stage {

    @Actor
    public void first() {
      offer(HEAVY);
    }

    @Actor
    public void second() {
      offer(HEAVY);
    }

    @Arbiter
    public void account(IIII_Result result) {
      StopStress.account(ledger.snapshot(), result);
    }
  }
}
