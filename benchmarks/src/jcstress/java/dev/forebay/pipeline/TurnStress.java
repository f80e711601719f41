package dev.forebay.pipeline;

import ch.qos.logback.classic.LoggerContext;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.encoder.Encoder;
import ch.qos.logback.core.encoder.EncoderBase;
import dev.forebay.agent.NanoClock;
import dev.forebay.observe.DropReason;
import dev.forebay.observe.Ledger;
import org.jspecify.annotations.Nullable;
import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.Arbiter;
import org.openjdk.jcstress.annotations.Expect;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.Outcome;
import org.openjdk.jcstress.annotations.State;
import org.openjdk.jcstress.infra.results.III_Result;
import org.openjdk.jcstress.infra.results.II_Result;

/** The real turns of flusher and log calls where a durable call meets the end of the pipeline. */
public final class TurnStress {

  private static final int SLOTS = 4;
  private static final long BYTES = 1024;

  private TurnStress() {}

  private static final class Constant extends EncoderBase<ILoggingEvent> {
    @Override
    public byte[] headerBytes() {
      return new byte[0];
    }

    @Override
    public byte[] encode(ILoggingEvent event) {
      return new byte[] {1};
    }

    @Override
    public byte[] footerBytes() {
      return new byte[0];
    }
  }

  /** A spool of plain fields: only the turn's lock guards it. */
  private static final class Spool implements EventSink {
    private final Ledger ledger;
    private final Encoder<ILoggingEvent> encoder = new Constant();
    private int staged;
    private int written;
    private int writtenAfterClose;
    private boolean closed;

    Spool(Ledger ledger) {
      this.ledger = ledger;
    }

    @Override
    public String name() {
      return "the spool";
    }

    @Override
    public boolean makeReady() {
      return true;
    }

    @Override
    public Encoder<ILoggingEvent> callerEncoder() {
      return encoder;
    }

    @Override
    public CallDurability durability() {
      return new CallDurability(0, null, 1_000_000_000);
    }

    @Override
    public boolean isReadyForCall(int bytes) {
      return true;
    }

    @Override
    public boolean accept(ILoggingEvent event, byte @Nullable [] encoded) {
      staged++;
      ledger.deliver(1);
      return true;
    }

    @Override
    public boolean writeForCall() {
      endOfBatch();
      return true;
    }

    @Override
    public boolean isSettled() {
      return staged == 0;
    }

    @Override
    public DropReason failureReason() {
      return DropReason.ENCODE_FAILED;
    }

    @Override
    public void endOfBatch() {
      written += closed ? 0 : staged;
      writtenAfterClose += closed ? staged : 0;
      staged = 0;
    }

    @Override
    public void close() {
      closed = true;
    }
  }

  /** Of a pipeline whose ring is empty. */
  static CallTurns turns(NanoClock clock) {
    Ledger ledger = new Ledger();
    return turns(new EventRing(SLOTS, BYTES, ledger), new Spool(ledger), ledger, clock);
  }

  /** The parts of a pipeline. */
  private static CallTurns turns(EventRing ring, EventSink sink, Ledger ledger, NanoClock clock) {
    PipelineContext context =
        new PipelineContext(new LoggerContext(), clock, () -> 0, TurnStress::ignore);
    Flusher flusher =
        new Flusher(
            ring,
            new HoleWatch(ring, context),
            sink,
            ledger,
            new DropReporter(ledger, context, Long.MAX_VALUE / 2, DropReason.ENCODE_FAILED));
    ledger.addIntake(ring);
    return new CallTurns(ring, flusher, sink, ledger, context, flusher, "never started");
  }

  private static void ignore(String text) {}

  /** A durable call against a flusher that drains the ring and closes the spool. */
  @JCStressTest
  @State
  @Outcome(id = "1, 1, 0", expect = Expect.ACCEPTABLE, desc = "Written in time, and confirmed.")
  @Outcome(id = "0, 0, 0", expect = Expect.ACCEPTABLE, desc = "Too late: neither.")
  @Outcome(
      expect = Expect.FORBIDDEN,
      desc = "Confirmed and lost, written after the end, or not confirmed although written.")
  public static class CallAgainstTheEnd {
    private final Ledger ledger = new Ledger();
    private final Spool spool = new Spool(ledger);
    private final EventRing ring = new EventRing(SLOTS, BYTES, ledger);
    private final CallTurns turns = turns(ring, spool, ledger, NanoClock.SYSTEM);

    @Actor
    public void caller(III_Result result) {
      ring.offer(StopStress.event(), new byte[] {1}, 2, SLOTS);
      turns.confirm();
      result.r1 = ledger.unconfirmed() == 0 ? 1 : 0;
    }

    @Actor
    public void flusher() {
      turns.finish();
      turns.onClose();
    }

    @Arbiter
    public void account(III_Result result) {
      result.r2 = spool.written;
      result.r3 = spool.writtenAfterClose;
    }
  }

  /** Two calls that look for progress, after a time in which nobody did. */
  @JCStressTest
  @State
  @Outcome(id = "1, 1", expect = Expect.ACCEPTABLE, desc = "Both take it for new.")
  @Outcome(expect = Expect.FORBIDDEN, desc = "One gives up at once.")
  public static class TwoLooksAfterAnIdleTime {
    private final CallTurns turns = turns(() -> CallTurns.STILL_NS);

    @Actor
    public void first(II_Result result) {
      result.r1 = turns.lookForMoves(0) ? 1 : 0;
    }

    @Actor
    public void second(II_Result result) {
      result.r2 = turns.lookForMoves(0) ? 1 : 0;
    }
  }
}
