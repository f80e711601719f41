package dev.forebay.pipeline;

import static org.assertj.core.api.Assertions.assertThat;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.spi.LoggingEvent;
import dev.forebay.observe.DropReason;
import dev.forebay.testkit.Events;
import org.junit.jupiter.api.Test;

/** Log calls that encode their own events while the flusher falls behind. */
class CallerEncodingTest extends LogCalls {

  private final Parts parts = new Parts(true, null);

  CallerEncodingTest() {
    sink.readyForCalls = false;
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
    nowNs += CallTurns.STILL_NS;
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
    nowNs += CallTurns.STILL_NS;
    parts.offer(HELP_FROM + 1, HELP_FROM + 3);
    dropped = 1;
    ledger.drop(DropReason.ENCODE_FAILED, Events.info("event 0"));
    parts.flusher.doWork();
    assertThat(sink.encodedByCalls).isEqualTo(messages(HELP_FROM, HELP_FROM + 1));
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

  /** While it encodes, it hides the caller from the encoder. */
  @Test
  void aCallLeavesItsEventAsItWasForOtherAppenders() {
    parts.offer(0, HELP_FROM);
    LoggingEvent event = Events.event(Level.WARN, "event");
    sink.asksForCaller = true;
    parts.offer(event);
    sink.asksForCaller = false;
    parts.flusher.doWork();

    assertThat(sink.encodedByCalls).containsExactly("event");
    assertThat(sink.written).last().isEqualTo("event");
    assertThat(event.hasCallerData()).as("whoever asks next, determines it").isFalse();
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
  void aDiscardingThresholdShedsAsItSays() {
    Parts thresholded = new Parts(true, null, FillLimits.discardingBelow(SLOTS / 2 + 1, SLOTS));
    tick =
        () -> {
          nowNs += 10_000;
          assertThat(nowNs).as("no call has yielded").isLessThan(Admission.MAX_WAIT_NS);
        };
    thresholded.offer(Level.INFO, SLOTS);
    thresholded.flusher.doWork();
    dropped = SLOTS / 2;
    assertThat(sink.written).hasSize(SLOTS / 2);
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

  @Test
  void anEventThatFitsOnlyWithoutItsBytesIsEncodedByTheFlusher() {
    String most = Events.text((int) (BYTES / 2 / 2) - 1);
    parts.offer(0, HELP_FROM);
    parts.offer(most);
    parts.flusher.doWork();

    assertThat(sink.encodedByCalls).isEmpty();
    assertThat(sink.written).hasSize(HELP_FROM + 1).last().isEqualTo(most);
  }
}
