package dev.forebay.pipeline;

import static org.assertj.core.api.Assertions.assertThat;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.spi.LoggingEvent;
import dev.forebay.agent.Agent;
import dev.forebay.host.Await;
import dev.forebay.host.Gate;
import dev.forebay.observe.DropReason;
import dev.forebay.observe.Levels;
import dev.forebay.testkit.Events;
import dev.forebay.testkit.Threads;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import org.junit.jupiter.api.Test;
import org.slf4j.Marker;
import org.slf4j.MarkerFactory;

/**
 * Log calls that return when their event is written. The flusher's thread does not run; a test
 * takes its turns with {@code calls.doWork()}.
 */
class DurableCallsTest extends LogCalls {

  private final Parts all = new Parts(true, new CallDurability(0, null, TIMEOUT_NS));

  @Test
  void aTurnOfACallLeavesTheRestOfTheBatchToTheFlusher() {
    all.calls.doWork();
    assertThat(all.calls.sleepNs(0)).isEqualTo(Agent.UNTIL_WOKEN);
    all.offer("event");
    assertThat(all.calls.sleepNs(0)).as("the shipper is not woken yet").isZero();
    assertThat(all.flusher.flushed()).isZero();
    all.calls.doWork();
    assertThat(sink.turnsWithEvents).as("then it looks whether the spool is there").isOne();
    assertThat(all.calls.sleepNs(0)).isEqualTo(Agent.UNTIL_WOKEN);
  }

  @Test
  void onlyEventsWithTheMarkerAreWrittenAtOnce() {
    Parts parts = new Parts(true, new CallDurability(Levels.COUNT, "AUDIT", TIMEOUT_NS));
    parts.offer(Level.ERROR, "event 0");
    assertThat(sink.written).isEmpty();
    parts.calls.doWork(); // for only the flusher encodes that one
    LoggingEvent marked = Events.event(Level.TRACE, "event 1");
    marked.addMarker(MarkerFactory.getDetachedMarker("OTHER"));
    marked.addMarker(MarkerFactory.getDetachedMarker("AUDIT"));
    parts.offer(marked);
    Marker outer = MarkerFactory.getDetachedMarker("SECURITY");
    outer.add(MarkerFactory.getDetachedMarker("AUDIT"));
    LoggingEvent refersToIt = Events.event(Level.TRACE, "event 2");
    refersToIt.addMarker(outer);
    assertThat(sink.written).isEqualTo(messages(0, 2));
    parts.offer(refersToIt);
    assertThat(sink.written).isEqualTo(messages(0, 3));
  }

  @Test
  void aCallThatMustNotEncodeIsCountedWhenItsTimeIsOver() {
    Parts parts = new Parts(false, new CallDurability(0, null, TIMEOUT_NS));
    step(TIMEOUT_NS / 100);
    parts.offer("event 0");

    assertThat(sink.encoded).isEmpty();
    assertThat(unconfirmed()).isOne();
    assertThat(nowNs).isBetween(TIMEOUT_NS, 2 * TIMEOUT_NS);
    parts.calls.doWork();
    assertThat(sink.written).as("it was in the ring").containsExactly("event 0");
    assertThat(warnings).hasSize(1).first().asString().contains("1 ms").contains("1 so far");
    parts.calls.doWork();
    assertThat(warnings).as("once").hasSize(1);
  }

  @Test
  void aCallThatIsHeldInTheEncoderHoldsUpNoOther() {
    Gate gate = holdInTheEncoder("event 0");
    Thread held = Threads.start(() -> all.offer("event 0"));
    gate.awaitReached();
    all.offer("event 1");
    assertThat(sink.written).containsExactly("event 1");
    gate.open();
    Await.end(held);

    assertThat(unconfirmed()).isZero();
    assertThat(sink.written).containsExactly("event 1", "event 0");
    assertThat(sink.encoded).as("once each").hasSize(2);
  }

  @Test
  void aFlusherThatIsHeldInTheEncoderHoldsUpACallForItsTime() {
    all.ring.offer(Events.info("event 0"), 0, PipelineRig.SLOTS);
    Gate gate = holdInTheEncoder("event 0");
    Thread held = Threads.start(all.calls::doWork);
    gate.awaitReached();
    step(TIMEOUT_NS / 10);
    all.offer("event 1");
    assertThat(unconfirmed()).isOne();
    assertThat(sink.written).isEmpty();
    gate.open();
    Await.end(held);
    all.calls.doWork();

    assertThat(sink.written).isEqualTo(messages(0, 2));
  }

  private Gate holdInTheEncoder(String message) {
    Gate gate = new Gate();
    sink.before =
        event -> {
          if (event.getMessage().equals(message)) {
            gate.pass();
          }
        };
    return gate;
  }

  /** Only that thread knows what the bytes depend on. */
  @Test
  void aCallNeverEncodesTheEventOfAnotherThread() {
    List<String> threads = new CopyOnWriteArrayList<>();
    Thread logs = Thread.currentThread();
    sink.before =
        event -> {
          if (Thread.currentThread() == logs) {
            throw new IllegalStateException("not on this thread");
          }
          threads.add(event.getMessage() + " on " + Thread.currentThread().getName());
        };
    Parts parts = new Parts(true, new CallDurability(Levels.COUNT, "AUDIT", TIMEOUT_NS));
    LoggingEvent marked = Events.event(Level.INFO, "event 1");
    marked.addMarker(MarkerFactory.getDetachedMarker("AUDIT"));
    parts.offer("event 0");
    Thread caller = new Thread(() -> parts.offer(marked), "caller");
    tick = // the flusher's turn comes while the call waits for it
        () -> {
          if (Thread.currentThread() == caller && threads.size() == 1) {
            tick = () -> {};
            Await.end(Threads.start(parts.calls::doWork));
          }
        };
    caller.start();
    Await.end(caller);

    assertThat(unconfirmed()).isZero();
    assertThat(sink.written).isEqualTo(messages(0, 2));
    assertThat(threads).hasSize(2).first().isEqualTo("event 1 on caller");
    assertThat(threads.get(1)).startsWith("event 0 on ").doesNotEndWith("caller");
  }

  @Test
  void aCallWaitsNotForASpoolThatIsFull() {
    sink.ready = false;
    sink.readyForCalls = false;
    step(TIMEOUT_NS / 100);
    all.ring.offer(Events.info("event 0"), 0, PipelineRig.SLOTS);
    all.calls.doWork();
    all.offer("event 1");

    assertThat(nowNs).isLessThan(TIMEOUT_NS);
    assertThat(unconfirmed()).isOne();
    sink.ready = true;
    all.calls.doWork();
    assertThat(sink.written).isEqualTo(messages(0, 2));
  }

  @Test
  void aCallWaitsForASpoolThatIsBeingOpened() {
    sink.ready = false;
    sink.readyForCalls = false;
    sink.opening = true;
    all.ring.offer(Events.info("event 0"), 0, PipelineRig.SLOTS);
    all.calls.doWork();
    int[] looks = {0};
    tick =
        () -> {
          looks[0]++;
          sink.opening &= looks[0] < 10;
          if (looks[0] == 20) { // the flusher's turn comes later
            sink.ready = true;
            all.calls.doWork();
          }
        };
    all.offer("event 1");

    assertThat(unconfirmed()).isZero();
    assertThat(sink.written).isEqualTo(messages(0, 2));
  }

  @Test
  void whatIsNotWrittenIsNotConfirmed() {
    sink.writes = false;
    step(TIMEOUT_NS / 10);
    all.offer("event 0");
    assertThat(unconfirmed()).isOne();
    all.calls.doWork();
    sink.writes = true;
    all.offer("event 1");
    assertThat(sink.written).isEqualTo(messages(0, 2));
    assertThat(unconfirmed()).isOne();
  }

  @Test
  void aRefusedEventIsADropAndNotUnconfirmed() {
    dropped = 1;
    all.offer(Events.text((int) PipelineRig.BYTES));

    assertThat(ledger.snapshot().dropped(DropReason.BYTES_FULL)).isOne();
    assertThat(unconfirmed()).isZero();
  }

  @Test
  void whatAnEncoderThrowsInACallIsLeftToTheFlusherInOrder() {
    sink.fails(new StackOverflowError("as if"));
    step(TIMEOUT_NS / 10);
    all.offer("event 0");
    sink.works();
    all.offer("event 1");
    assertThat(sink.written).isEmpty();
    assertThat(unconfirmed()).isEqualTo(2);
    assertThat(all.calls.sleepNs(0)).isZero();
    all.calls.doWork();
    assertThat(sink.written).isEqualTo(messages(0, 2));
    assertThat(warnings).as("of the timeout only").hasSize(1);
  }

  @Test
  void whatTheFlusherCannotEncodeEitherIsADrop() {
    sink.fails(new IllegalStateException("broken"));
    step(TIMEOUT_NS / 10);
    all.offer("event 0");
    dropped = 1;
    all.calls.doWork();
    assertThat(ledger.snapshot().dropped(DropReason.ENCODE_FAILED)).isOne();
  }

  @Test
  void whatIsLeftToTheFlusherIsCountedIfItCanTakeItNoMore() {
    sink.fails(new StackOverflowError("as if"));
    step(TIMEOUT_NS / 10);
    all.offer("event 0");
    sink.ready = false;
    assertThat(all.calls.finish()).as("the spool may have room in time").isFalse();
    all.flusher.cancel();
    assertThat(all.calls.finish()).isTrue();
    dropped = 1;
    all.calls.onClose();
    all.ring.abandon();

    assertThat(ledger.snapshot().dropped(DropReason.ABANDONED)).isOne();
  }

  @Test
  void anErrorInATurnEndsNeitherTheCallNorTheTurnsOfOthers() {
    sink.onWrite =
        () -> {
          throw new OutOfMemoryError("as if");
        };
    all.offer("event 0");
    assertThat(unconfirmed()).isOne();
    sink.onWrite = () -> {};
    Thread other = Threads.start(() -> all.offer("event 1"));
    Await.end(other);

    assertThat(sink.written).isEqualTo(messages(0, 2));
    assertThat(unconfirmed()).isOne();
  }

  @Test
  void aCallOvertakenByTheEndTakesNoTurnAndDoesNotWait() {
    step(1);
    all.calls.onClose();
    all.offer("event 0");

    assertThat(nowNs).isLessThan(TIMEOUT_NS);
    assertThat(unconfirmed()).isOne();
    assertThat(sink.messages).isEmpty();
    all.ring.abandon();
    dropped = 1;
    assertThat(ledger.snapshot().dropped(DropReason.ABANDONED)).isOne();
  }

  @Test
  void aCallThatWaitsWhenTheEndComesReturns() {
    sink.readyForCalls = false;
    Thread waiting = Threads.start(() -> all.offer("event 0"));
    Await.until("offered", () -> all.ring.size() == 1);
    all.flusher.cancel(); // as stop() does if the flusher hangs
    Await.end(waiting);

    assertThat(unconfirmed()).isOne();
    all.ring.abandon();
    dropped = 1;
  }
}
