package dev.forebay.pipeline;

import static org.assertj.core.api.Assertions.assertThat;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.spi.LoggingEvent;
import dev.forebay.observe.DropReason;
import dev.forebay.testkit.Events;
import org.junit.jupiter.api.Test;

/** Log calls that encode their own events while the flusher falls behind; nothing runs but them. */
class CallerEncodingTest extends HelpingCalls {

  @Test
  void aCallAboveTheHighWaterMarkEncodesItsOwnEvent() {
    offer(0, SLOTS);
    flusher.doWork();

    assertThat(encodedByCalls).isEqualTo(messages(HELP_FROM, SLOTS));
    assertThat(delivered).as("in order").isEqualTo(messages(0, SLOTS));
  }

  @Test
  void callsStopEncodingWhileTheFlusherStandsStill() {
    offer(0, HELP_FROM + 1);
    nowNs += CallTurns.STILL_NS;
    offer(HELP_FROM + 1, HELP_FROM + 2);
    flusher.doWork();
    assertThat(encodedByCalls).isEqualTo(messages(HELP_FROM, HELP_FROM + 1));

    offer(0, HELP_FROM + 1);
    flusher.doWork();
    assertThat(encodedByCalls).as("it has moved").hasSize(2);
  }

  @Test
  void whatAnEncoderThrowsInACallIsLeftToTheFlusher() {
    error = new StackOverflowError("as if");
    offer(0, HELP_FROM + 1);
    flusher.doWork();

    assertThat(encodedByCalls).isEmpty();
    assertThat(delivered).isEqualTo(messages(0, HELP_FROM + 1));
    assertThat(warnings).as("a full stack is no fault of the encoder").isEmpty();
  }

  /** While it encodes, it hides the caller from the encoder. */
  @Test
  void aCallLeavesItsEventAsItWasForOtherAppenders() {
    offer(0, HELP_FROM);
    LoggingEvent event = Events.event(Level.WARN, "event");
    admission.offer(event, AppendGate.newCaller());
    flusher.doWork();

    assertThat(encodedByCalls).containsExactly("event");
    assertThat(event.hasCallerData()).as("whoever asks next, determines it").isFalse();
  }

  @Test
  void whatLeavesTheRingWithoutReachingTheSpoolIsNoProgress() {
    offer(0, HELP_FROM + 1);
    ring.poll(); // by an encoder that takes its time
    nowNs += CallTurns.STILL_NS;
    offer(HELP_FROM + 1, HELP_FROM + 3);
    dropped = 1;
    ledger.drop(DropReason.ENCODE_FAILED, Events.info("event 0"));
    flusher.doWork();
    assertThat(encodedByCalls).isEqualTo(messages(HELP_FROM, HELP_FROM + 1));
  }

  @Test
  void lessIsShedWhileCallsHelpThanWhileTheFlusherWaitsForTheSpool() {
    offerAll(Level.TRACE, SLOTS * 4 / 5);
    flusher.doWork();
    assertThat(delivered).hasSize(SLOTS * 4 / 5);

    offerAll(Level.TRACE, HELP_FROM);
    ready = false;
    flusher.doWork();
    offerAll(Level.TRACE, SLOTS - HELP_FROM);
    ready = true;
    flusher.doWork();
    dropped = SLOTS / 2;
    assertThat(delivered).hasSize(SLOTS * 4 / 5 + HELP_FROM);
    assertThat(ledger.snapshot().dropped(DropReason.SHED)).isEqualTo(SLOTS / 2);
  }

  @Test
  void aDiscardingThresholdShedsAsItSays() {
    Admission thresholded = admission(FillLimits.discardingBelow(SLOTS / 2 + 1, SLOTS));
    tick =
        () -> {
          nowNs += 10_000;
          assertThat(nowNs).as("no call has yielded").isLessThan(Admission.MAX_WAIT_NS);
        };
    for (int i = 0; i < SLOTS; i++) {
      thresholded.offer(Events.event(Level.INFO, "event " + i), AppendGate.newCaller());
    }
    flusher.doWork();
    dropped = SLOTS / 2;
    assertThat(delivered).hasSize(SLOTS / 2);
  }

  private void offerAll(Level level, int count) {
    for (int i = 0; i < count; i++) {
      admission.offer(Events.event(level, "event " + i), AppendGate.newCaller());
    }
  }

  @Test
  void theBytesOfACallCountAgainstTheBudgetAndComeBack() {
    String half = Events.text((int) (BYTES / 2 / 2 / 2)); // two bytes a character, of one half
    offer(0, HELP_FROM);
    offer(half);
    assertThat(ring.lacksBytes(BYTES / 2 / 4 + 1)).as("one and a half").isTrue();
    assertThat(ring.lacksBytes(BYTES / 2 / 4)).isFalse();
    flusher.doWork();

    assertThat(encodedByCalls).containsExactly(half);
    assertThat(ring.lacksBytes(BYTES / 2)).isFalse();
  }

  @Test
  void anEventThatFitsOnlyWithoutItsBytesIsEncodedByTheFlusher() {
    String most = Events.text((int) (BYTES / 2 / 2) - 1);
    offer(0, HELP_FROM);
    offer(most);
    flusher.doWork();

    assertThat(encodedByCalls).isEmpty();
    assertThat(delivered).hasSize(HELP_FROM + 1).last().isEqualTo(most);
  }
}
