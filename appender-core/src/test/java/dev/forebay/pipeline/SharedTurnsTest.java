package dev.forebay.pipeline;

import static org.assertj.core.api.Assertions.assertThat;

import dev.forebay.host.Await;
import dev.forebay.host.Gate;
import dev.forebay.observe.DropReason;
import dev.forebay.testkit.Events;
import org.junit.jupiter.api.Test;

/**
 * Log calls that return when their event is written. The flusher's thread does not run; a test
 * takes its turns with {@code calls.doWork()}.
 */
class SharedTurnsTest extends LogCalls {

  private final Parts all = new Parts(true, CallDurability.ofAll(TIMEOUT_NS));

  @Test
  void aTurnWritesWhatCameMeanwhileToo() {
    sink.before =
        event -> {
          sink.works();
          all.ring.offer(Events.info("event 1"), 0, PipelineRig.SLOTS);
        };
    all.offer("event 0");
    assertThat(sink.written).isEqualTo(messages(0, 2));
  }

  @Test
  void aCallThatWaitsForATurnFindsItsEventWritten() {
    Gate gate = new Gate();
    sink.before = event -> gate.pass();
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
    step(1);
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
