package dev.forebay.pipeline;

import static org.assertj.core.api.Assertions.assertThat;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.spi.LoggingEvent;
import dev.forebay.agent.TimeLimit;
import dev.forebay.host.Await;
import dev.forebay.observe.DropReason;
import dev.forebay.testkit.Events;
import dev.forebay.testkit.Threads;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Log calls that help while the flusher falls behind: they encode their own events, and make room
 * or wait for it when they find the ring full.
 */
class HelpingCallsTest extends LogCalls {

  private static final long WAIT_NS = Admission.MAX_WAIT_NS;

  private final Parts parts = new Parts(true, null);

  HelpingCallsTest() {
    sink.readyForCalls = false;
  }

  /** Fills the ring; from then on each look at the clock takes so long. */
  private void fill(long stepNs) {
    parts.offer(0, SLOTS);
    step(stepNs);
  }

  private void drainAtTheNextLook() {
    tick =
        () -> {
          tick = () -> {};
          parts.flusher.doWork();
        };
  }

  private void assertWrittenInOrder(int events) {
    tick = () -> {};
    parts.flusher.doWork();
    assertThat(sink.written).isEqualTo(messages(0, events));
  }

  private void assertWaited() {
    assertThat(nowNs).isBetween(WAIT_NS, WAIT_NS * 3 / 2);
  }

  @ParameterizedTest
  @ValueSource(booleans = {true, false})
  void aCallThatFindsTheRingFullTakesTheFlushersTurn(boolean survivesKill) {
    sink.readyForCalls = true;
    sink.survivesKill = survivesKill;
    Parts all = encodingAll();
    all.offer(0, SLOTS + 1);
    assertThat(sink.written).as("nobody else did").isEqualTo(messages(0, SLOTS));
    assertThat(nowNs).isZero();
    all.flusher.doWork();
    assertThat(sink.written).isEqualTo(messages(0, SLOTS + 1));
  }

  private Parts encodingAll() {
    sink.callersEncodeAll = true;
    return new Parts(true, null);
  }

  @Test
  void aCallLeavesToTheFlusherWhatItsOwnCallHasNotEncoded() {
    sink.readyForCalls = true;
    fill(WAIT_NS / 20);
    tick =
        () -> {
          nowNs += WAIT_NS / 20;
          if (nowNs > WAIT_NS / 2) {
            tick = () -> {};
            assertThat(sink.written).as("the first are for the flusher to encode").isEmpty();
            parts.calls.doWork();
          }
        };
    parts.offer(SLOTS, SLOTS + 1);
    assertThat(nowNs).as("then there is room").isLessThan(WAIT_NS);
    assertThat(sink.written).isEqualTo(messages(0, SLOTS));
    parts.offer(SLOTS + 1, SLOTS + 2);
    assertWrittenInOrder(SLOTS + 2);
    assertThat(sink.encodedByCalls).contains("event " + HELP_FROM, "event " + SLOTS);
  }

  @Test
  void eachCallEncodesIfTheLineDependsOnItsThread() {
    Parts all = encodingAll();
    List<Thread> threads = new CopyOnWriteArrayList<>();
    sink.before = event -> threads.add(Thread.currentThread());
    Thread caller = Threads.start(() -> all.offer(0, SLOTS / 2));
    Await.end(caller);
    all.flusher.doWork();
    assertThat(sink.encodedByCalls).isEqualTo(messages(0, SLOTS / 2));
    assertThat(threads).hasSize(SLOTS / 2).containsOnly(caller);
    dropped = 1;
    all.offer(Events.text((int) (BYTES / 5))); // with its bytes it weighs more than half
    assertThat(ledger.snapshot().dropped(DropReason.BYTES_FULL)).as("and never later").isOne();
  }

  @Test
  void aCallThatMustNotEncodeMayWait() {
    sink.callersMayWait = true;
    Parts waiting = new Parts(false, null);
    waiting.offer(0, SLOTS);
    step(WAIT_NS / 20);
    waiting.offer(SLOTS, SLOTS + 1);
    assertWaited();
    tick = () -> {};
    waiting.flusher.doWork();
    assertThat(sink.encodedByCalls).isEmpty();
    assertThat(sink.written).isEqualTo(messages(0, SLOTS + 1));
  }

  @Test
  void callsDoNotKeepTheFlusherFromATurnThatMustBeItsOwn() {
    Parts all = encodingAll();
    all.offer(0, SLOTS);
    step(1_000_000);
    all.offer(SLOTS, SLOTS + 1);
    int looks = sink.looksOfCalls;
    all.offer(SLOTS, SLOTS + 1);
    assertThat(sink.looksOfCalls).isEqualTo(looks).isPositive();
    tick = () -> {};
    all.calls.doWork();
    sink.readyForCalls = true;
    all.offer(0, SLOTS + 1);
    assertThat(sink.looksOfCalls).isGreaterThan(looks);
    all.flusher.doWork();
  }

  @Test
  void aCallThatGetsNoTurnWaitsForALimitedTimeAndUsesTheReserveWhichIsAsLargeAsTheRing() {
    fill(WAIT_NS / 20);
    parts.offer(SLOTS, SLOTS + 1);
    assertWaited();
    parts.offer(SLOTS + 1, 2 * SLOTS);
    parts.offer("an event for which nobody makes room");
    dropped = 1;
    assertWrittenInOrder(2 * SLOTS);
    assertThat(ledger.snapshot().dropped(DropReason.RING_FULL)).isEqualTo(1);
  }

  @Test
  void aCallWaitsNoLongerWhileTheFlusherMovesButOthersTakeTheRoom() {
    fill(0);
    int[] others = {SLOTS};
    tick =
        () -> {
          nowNs += WAIT_NS / 50;
          Runnable again = tick;
          tick = () -> {};
          parts.flusher.doWork();
          for (int i = 0; i < SLOTS; i++) {
            var event = Events.event(Level.INFO, "event " + others[0]++);
            assertThat(parts.ring.offer(event, 0, SLOTS)).isTrue();
          }
          tick = again;
        };
    parts.offer("the event of a call that is always too late");
    assertWaited();
    tick = () -> {};
    parts.flusher.doWork();
    assertThat(sink.written)
        .hasSize(others[0] + 1)
        .last()
        .isEqualTo("the event of a call that is always too late");
  }

  @Test
  void aCallWaitsForBytesToo() {
    parts.offer(Level.ERROR, Events.text((int) (BYTES / 2 / 2) - 1));
    parts.offer(0, HELP_FROM);
    step(1_000_000);
    parts.offer(Level.ERROR, Events.text((int) (BYTES / 2 / 2 / 2)));
    assertWaited();
    tick = () -> {};
    dropped = 1;
    parts.flusher.doWork();
    assertThat(ledger.snapshot().dropped(DropReason.BYTES_FULL)).isEqualTo(1);
  }

  /** A thread without a processor comes back late, and finds the room of meanwhile taken again. */
  @Test
  void aPauseDoesNotUseUpTheWaitOfACall() {
    fill(0);
    nowNs += 1;
    tick =
        () -> {
          tick = this::drainAtTheNextLook;
          nowNs += 5 * WAIT_NS;
        };
    parts.offer(SLOTS, SLOTS + 1);
    assertWrittenInOrder(SLOTS + 1);
  }

  @Test
  void anInterruptNeitherShortensTheWaitNorIsLost() {
    fill(WAIT_NS / 100);
    Thread.currentThread().interrupt();
    parts.offer(SLOTS, SLOTS + 1);
    assertThat(Thread.interrupted()).isTrue();
    assertWaited();
    assertWrittenInOrder(SLOTS + 1);
  }

  private void standStill() {
    for (long ns = 0; ns < CallTurns.STILL_NS; ns += TimeLimit.MAX_GAP_NS) {
      nowNs += TimeLimit.MAX_GAP_NS;
      boolean unused = parts.calls.helps();
    }
    assertThat(parts.calls.helps()).isFalse();
  }

  /** As SIGSTOP, or a machine that was suspended, does. */
  @Test
  void timeThatTheProcessDidNotHaveIsNoStandstill() {
    fill(0);
    assertThat(parts.calls.helps()).isTrue();
    nowNs += 10 * CallTurns.STILL_NS;
    assertThat(parts.calls.helps()).isTrue();
    assertWrittenInOrder(SLOTS);
  }

  @Test
  void aCallDoesNotWaitForAFlusherThatStandsStill() {
    fill(WAIT_NS / 100);
    standStill();
    parts.offer(SLOTS, SLOTS + 1);
    assertThat(nowNs).isLessThan(2 * CallTurns.STILL_NS);
    dropped = 1;
    parts.flusher.doWork();
  }

  @Test
  void aCallDoesNotWaitForAFlusherThatWaitsForTheSpool() {
    fill(0);
    sink.ready = false;
    parts.flusher.doWork();
    step(1);
    parts.offer(SLOTS, SLOTS + 1);
    assertThat(nowNs).isLessThan(WAIT_NS);
    sink.ready = true;
    dropped = 1;
    parts.flusher.doWork();
  }

  @Test
  void aFifthOfTheRingAndOfTheReserveIsForWarnAndAbove() {
    step(WAIT_NS / 20);
    for (Level level : List.of(Level.DEBUG, Level.INFO)) {
      parts.offer(level, SLOTS * 4 / 5);
      long before = nowNs;
      parts.offer(Level.WARN, "important");
      parts.offer(Level.ERROR, "important");
      assertThat(nowNs - before).isLessThan(WAIT_NS / 2);
      parts.flusher.doWork();
    }
    assertThat(sink.written).filteredOn("important"::equals).hasSize(4);

    parts.offer(Level.INFO, SLOTS * 4 / 5 + SLOTS);
    parts.offer(Level.INFO, "one too many");
    parts.offer(Level.WARN, "important");
    parts.flusher.doWork();
    dropped = 1;
    assertThat(ledger.snapshot().dropped(DropReason.RING_FULL)).isEqualTo(1);
    assertThat(sink.written).endsWith("important").doesNotContain("one too many");
  }

  @Test
  void aCallAboveTheHighWaterMarkEncodesItsOwnEventAndItIsNotEncodedAgain() {
    parts.offer(0, SLOTS);
    assertThat(sink.encoded).isEqualTo(messages(HELP_FROM, SLOTS));
    parts.flusher.doWork();

    assertThat(sink.encodedByCalls).isEqualTo(messages(HELP_FROM, SLOTS));
    assertThat(sink.written).as("in order").isEqualTo(messages(0, SLOTS));
    assertThat(sink.encoded).hasSize(SLOTS);
  }

  @Test
  void callsStopEncodingWhileTheFlusherStandsStill() {
    parts.offer(0, HELP_FROM + 1);
    standStill();
    parts.offer(HELP_FROM + 1, HELP_FROM + 2);
    parts.flusher.doWork();
    assertThat(sink.encodedByCalls).isEqualTo(messages(HELP_FROM, HELP_FROM + 1));

    parts.offer(0, HELP_FROM + 1);
    parts.flusher.doWork();
    assertThat(sink.encodedByCalls).as("it has moved").hasSize(2);
  }

  @Test
  void whatLeavesTheRingWithoutReachingTheSpoolIsNoProgress() {
    parts.offer(0, HELP_FROM + 1);
    parts.ring.poll(); // by an encoder that takes its time
    standStill();
    parts.offer(HELP_FROM + 1, HELP_FROM + 3);
    dropped = 1;
    ledger.drop(DropReason.ENCODE_FAILED, Events.info("event 0"));
    parts.flusher.doWork();
    assertThat(sink.encodedByCalls).isEqualTo(messages(HELP_FROM, HELP_FROM + 1));
  }

  @Test
  void aCallThatGivesUpAsksOnceMoreWhetherItIsDone() {
    int[] asked = {0};
    assertThat(parts.calls.work(() -> asked[0]++ > 0, () -> true, WAIT_NS)).isTrue();
  }

  @Test
  void whatAnEncoderThrowsInACallIsLeftToTheFlusher() {
    parts.offer(0, HELP_FROM);
    sink.fails(new StackOverflowError("as if"));
    parts.offer(HELP_FROM, HELP_FROM + 1);
    sink.works();
    parts.flusher.doWork();

    assertThat(sink.encodedByCalls).isEmpty();
    assertThat(sink.written).isEqualTo(messages(0, HELP_FROM + 1));
    assertThat(warnings).as("a full stack is no fault of the encoder").isEmpty();
  }

  @Test
  void aCallLeavesItsEventAsItWasForOtherAppenders() {
    parts.offer(0, HELP_FROM);
    String self = getClass().getName(); // on the stack, so that a caller is found
    Logger logger = rig.context.getLogger("test");
    LoggingEvent event = new LoggingEvent(self, logger, Level.WARN, "event", null, null);
    parts.offer(event);
    parts.flusher.doWork();

    assertThat(sink.encodedByCalls).containsExactly("event");
    assertThat(event.hasCallerData()).as("whoever asks next, determines it").isFalse();
    assertThat(event.getCallerData()).isNotEmpty();
  }

  @Test
  void lessIsShedWhileCallsHelpThanWhileTheFlusherWaitsForTheSpool() {
    parts.offer(Level.TRACE, SLOTS * 4 / 5);
    parts.flusher.doWork();
    assertThat(sink.written).hasSize(SLOTS * 4 / 5);

    parts.offer(Level.TRACE, HELP_FROM);
    sink.ready = false;
    parts.flusher.doWork();
    parts.offer(Level.TRACE, SLOTS - HELP_FROM);
    sink.ready = true;
    parts.flusher.doWork();
    dropped = SLOTS / 2;
    assertThat(sink.written).hasSize(SLOTS * 4 / 5 + HELP_FROM);
    assertThat(ledger.snapshot().dropped(DropReason.SHED)).isEqualTo(SLOTS / 2);
  }

  @Test
  void theBytesOfACallCountAgainstTheBudgetAndComeBack() {
    String half = Events.text((int) (BYTES / 2 / 2 / 2)); // two bytes a character, of one half
    parts.offer(0, HELP_FROM);
    parts.offer(half);
    assertThat(parts.ring.lacksBytes(BYTES / 2 / 4 + 1)).as("one and a half").isTrue();
    assertThat(parts.ring.lacksBytes(BYTES / 2 / 4)).isFalse();
    parts.flusher.doWork();

    assertThat(sink.encodedByCalls).containsExactly(half);
    assertThat(parts.ring.lacksBytes(BYTES / 2)).isFalse();
  }
}
