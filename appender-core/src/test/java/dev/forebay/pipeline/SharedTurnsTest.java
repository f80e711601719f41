package dev.forebay.pipeline;

import static org.assertj.core.api.Assertions.assertThat;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.spi.LoggingEvent;
import dev.forebay.host.Await;
import dev.forebay.host.Gate;
import dev.forebay.observe.DropReason;
import dev.forebay.observe.Ledger;
import dev.forebay.testkit.Conservation;
import dev.forebay.testkit.Events;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/**
 * Log calls that return when their event is written. The flusher's thread does not run; a test
 * takes its turns with {@code calls.doWork()}.
 */
class SharedTurnsTest {

  private static final long TIMEOUT_NS = 1_000_000;

  private final PipelineRig rig = new PipelineRig(this::now);
  private final Ledger ledger = rig.ledger;
  private final CallSink sink = new CallSink(ledger);
  private final ThreadLocal<int[]> callers = ThreadLocal.withInitial(AppendGate::newCaller);
  private int dropped;
  private volatile long nowNs;
  private volatile long stepNs;

  /** Takes log calls; the flusher's thread does not run. */
  private final class Parts {
    final EventRing ring;
    final Flusher flusher;
    final CallTurns calls;
    final Admission admission;

    Parts(boolean callersEncode, CallDurability durability) {
      sink.callersEncode = callersEncode;
      sink.durability = durability;
      rig.reportIntervalNs = Long.MAX_VALUE / 2;
      rig.fillLimits = FillLimits.byLevel(PipelineRig.SLOTS);
      PipelineRig.Parts parts = rig.parts(sink);
      ring = parts.ring;
      flusher = parts.flusher;
      calls = parts.calls();
      admission = parts.admission();
    }

    void offer(LoggingEvent event) {
      admission.offer(event, callers.get());
    }

    void offer(Level level, String message) {
      offer(Events.event(level, message));
    }

    void offer(String message) {
      offer(Level.INFO, message);
    }
  }

  private final Parts all = new Parts(true, CallDurability.ofAll(TIMEOUT_NS));

  private long now() {
    long seen = nowNs;
    nowNs = seen + stepNs;
    return seen;
  }

  private static List<String> messages(int from, int to) {
    return IntStream.range(from, to).mapToObj(i -> "event " + i).toList();
  }

  private long unconfirmed() {
    return ledger.snapshot().unconfirmed();
  }

  @AfterEach
  void theLawHoldsAndNothingWasDoubled() {
    Conservation.assertHolds(ledger.snapshot());
    assertThat(ledger.snapshot().inFlight()).isZero();
    assertThat(ledger.snapshot().dropped()).isEqualTo(dropped);
    assertThat(sink.written).doesNotHaveDuplicates().hasSize((int) ledger.snapshot().delivered());
  }

  @Test
  void aTurnWritesWhatCameMeanwhileToo() {
    sink.onEncode =
        () -> {
          sink.onEncode = () -> {};
          all.ring.offer(Events.info("event 1"), 0, PipelineRig.SLOTS);
        };
    all.offer("event 0");
    assertThat(sink.written).isEqualTo(messages(0, 2));
  }

  @Test
  void aCallThatWaitsForATurnFindsItsEventWritten() {
    Gate gate = new Gate();
    sink.onEncode = gate::pass;
    Thread first = new Thread(() -> all.offer("event 0"));
    first.start();
    gate.awaitReached();
    Thread second = new Thread(() -> all.offer("event 1"));
    second.start();
    Await.until("offered", () -> all.ring.size() == 1);
    gate.open();
    Await.end(first);
    Await.end(second);

    assertThat(unconfirmed()).isZero();
    assertThat(sink.written).isEqualTo(messages(0, 2));
  }

  @Test
  void aCallOvertakenByTheEndTakesNoTurnAndDoesNotWait() {
    stepNs = 1;
    all.calls.onClose();
    all.offer("event 0");

    assertThat(nowNs).isLessThan(TIMEOUT_NS);
    assertThat(unconfirmed()).isOne();
    assertThat(sink.encoded).isEmpty();
    all.ring.abandon();
    dropped = 1;
    assertThat(ledger.snapshot().dropped(DropReason.ABANDONED)).isOne();
  }

  @Test
  void aCallThatWaitsWhenTheEndComesReturns() {
    sink.readyForCalls = false;
    Thread waiting = new Thread(() -> all.offer("event 0"));
    waiting.start();
    Await.until("offered", () -> all.ring.size() == 1);
    all.flusher.cancel(); // as stop() does if the flusher hangs
    Await.end(waiting);

    assertThat(unconfirmed()).isOne();
    all.ring.abandon();
    dropped = 1;
  }
}
