package dev.forebay.pipeline;

import static org.assertj.core.api.Assertions.assertThat;

import ch.qos.logback.classic.Level;
import dev.forebay.observe.DropReason;
import dev.forebay.testkit.Events;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Log calls that find the ring full, and help; nothing runs but them. */
class FullRingCallsTest extends HelpingCalls {

  @Test
  void aCallThatFindsTheRingFullTakesTheFlushersTurn() {
    readyForCalls = true;
    offer(0, SLOTS + 1);

    assertThat(delivered).as("nobody else did").isEqualTo(messages(0, SLOTS));
    assertThat(nowNs).isZero();
    flusher.doWork();
    assertThat(delivered).as("in order").isEqualTo(messages(0, SLOTS + 1));
  }

  @Test
  void soItIsWhileTheSpoolIsInTheHeap() {
    readyForCalls = true;
    survivesKill = false;
    offer(0, SLOTS + 1);
    flusher.doWork();

    assertThat(delivered).isEqualTo(messages(0, SLOTS + 1));
  }

  @Test
  void aCallLeavesToTheFlusherWhatACallMustNotDo() {
    offer(0, SLOTS);
    tick = this::drainAtTheNextLook;
    offer(SLOTS, SLOTS + 1);
    assertThat(nowNs).isLessThan(Admission.MAX_WAIT_NS);
    flusher.doWork();

    assertThat(delivered).isEqualTo(messages(0, SLOTS + 1));
  }

  @Test
  void callsDoNotKeepTheFlusherFromATurnThatMustBeItsOwn() {
    offer(0, SLOTS);
    tick = () -> nowNs += 1_000_000;
    offer(SLOTS, SLOTS + 1);
    int looks = looksOfCalls;
    offer(SLOTS, SLOTS + 1);
    assertThat(looksOfCalls).isEqualTo(looks).isPositive();
    tick = () -> {};
    parts.calls().doWork();
    readyForCalls = true;
    offer(0, SLOTS + 1);
    assertThat(looksOfCalls).isGreaterThan(looks);
    flusher.doWork();
  }

  private void drainAtTheNextLook() {
    tick =
        () -> {
          tick = () -> {};
          flusher.doWork();
        };
  }

  @Test
  void aCallThatGetsNoTurnWaitsForALimitedTimeAndUsesTheReserve() {
    offer(0, SLOTS);
    tick = () -> nowNs += 1_000_000;
    offer(SLOTS, SLOTS + 1);
    assertThat(nowNs).isBetween(Admission.MAX_WAIT_NS, Admission.MAX_WAIT_NS * 3 / 2);
    tick = () -> {};
    flusher.doWork();

    assertThat(delivered).as("in order").isEqualTo(messages(0, SLOTS + 1));
  }

  @Test
  void theReserveIsAsLargeAsTheRing() {
    offer(0, SLOTS);
    tick = () -> nowNs += Admission.MAX_WAIT_NS / 20;
    offer(SLOTS, 2 * SLOTS);
    offer("an event for which nobody makes room");
    dropped = 1;
    tick = () -> {};
    flusher.doWork();

    assertThat(delivered).isEqualTo(messages(0, 2 * SLOTS));
    assertThat(ledger.snapshot().dropped(DropReason.RING_FULL)).isEqualTo(1);
  }

  @Test
  void theReserveIsNotForCallsThatDoNotHelp() {
    offer(0, SLOTS);
    tick = () -> nowNs += CallTurns.STILL_NS / 20;
    for (int i = 0; i < SLOTS; i++) {
      offer("an event of a call that nobody will help");
    }
    tick = () -> {};
    flusher.doWork();
    dropped = SLOTS + SLOTS - delivered.size();

    assertThat(dropped).isGreaterThan(SLOTS / 2);
    assertThat(ledger.snapshot().dropped(DropReason.RING_FULL)).isEqualTo(dropped);
  }

  @Test
  void soItIsWhileTheFlusherMovesButOthersTakeTheRoom() {
    offer(0, SLOTS);
    int[] others = {SLOTS};
    tick =
        () -> {
          nowNs += Admission.MAX_WAIT_NS / 50;
          Runnable again = tick;
          tick = () -> {};
          flusher.doWork();
          for (int i = 0; i < SLOTS; i++) {
            takeTheRoom("event " + others[0]++);
          }
          tick = again;
        };
    offer("the event of a call that is always too late");
    assertThat(nowNs).isBetween(Admission.MAX_WAIT_NS, Admission.MAX_WAIT_NS * 3 / 2);
    tick = () -> {};
    flusher.doWork();

    assertThat(delivered)
        .hasSize(others[0] + 1)
        .last()
        .isEqualTo("the event of a call that is always too late");
  }

  private void takeTheRoom(String message) {
    assertThat(ring.offer(Events.event(Level.INFO, message), 0, SLOTS)).isTrue();
  }

  @Test
  void soItIsForBytes() {
    offer(Level.ERROR, Events.text((int) (BYTES / 2 / 2) - 1));
    offer(0, HELP_FROM);
    tick = () -> nowNs += 1_000_000;
    offer(Level.ERROR, Events.text((int) (BYTES / 2 / 2 / 2)));
    assertThat(nowNs).isBetween(Admission.MAX_WAIT_NS, Admission.MAX_WAIT_NS * 3 / 2);
    tick = () -> {};
    dropped = 1;
    flusher.doWork();
    assertThat(ledger.snapshot().dropped(DropReason.BYTES_FULL)).isEqualTo(1);
  }

  /** A thread without a processor comes back late, and finds the room of meanwhile taken again. */
  @Test
  void aPauseDoesNotUseUpTheWaitOfACall() {
    offer(0, SLOTS);
    nowNs += 1;
    tick =
        () -> {
          tick = this::drainAtTheNextLook;
          nowNs += 5 * Admission.MAX_WAIT_NS;
        };
    offer(SLOTS, SLOTS + 1);
    flusher.doWork();

    assertThat(delivered).isEqualTo(messages(0, SLOTS + 1));
  }

  @Test
  void aCallDoesNotWaitForAFlusherThatStandsStill() {
    offer(0, SLOTS);
    nowNs += CallTurns.STILL_NS;
    tick = () -> nowNs += Admission.MAX_WAIT_NS / 100;
    offer(SLOTS, SLOTS + 1);
    assertThat(nowNs).isLessThan(CallTurns.STILL_NS + Admission.MAX_WAIT_NS / 2);
    dropped = 1;
    flusher.doWork();
  }

  @Test
  void anInterruptNeitherShortensTheWaitNorIsLost() {
    offer(0, SLOTS);
    Thread.currentThread().interrupt();
    tick = () -> nowNs += Admission.MAX_WAIT_NS / 100;
    offer(SLOTS, SLOTS + 1);
    assertThat(Thread.interrupted()).isTrue();
    assertThat(nowNs).isGreaterThanOrEqualTo(Admission.MAX_WAIT_NS);
    flusher.doWork();
  }

  @Test
  void aFifthOfTheRingIsForWarnAndAbove() {
    tick = () -> nowNs += 1_000_000;
    for (Level level : List.of(Level.DEBUG, Level.INFO)) {
      offerAll(level, SLOTS * 4 / 5);
      assertImportantOnesDoNotWait();
      flusher.doWork();
    }
    assertThat(delivered).filteredOn("important"::equals).hasSize(4);
  }

  @Test
  void aFifthOfTheReserveIsToo() {
    tick = () -> nowNs += Admission.MAX_WAIT_NS / 20;
    offerAll(Level.INFO, SLOTS * 4 / 5 + SLOTS);
    offer(Level.INFO, "one too many");
    offer(Level.WARN, "important");
    flusher.doWork();
    dropped = 1;
    assertThat(ledger.snapshot().dropped(DropReason.RING_FULL)).isEqualTo(1);
    assertThat(delivered).contains("important").doesNotContain("one too many");
  }

  private void assertImportantOnesDoNotWait() {
    long before = nowNs;
    offer(Level.WARN, "important");
    offer(Level.ERROR, "important");
    assertThat(nowNs - before).isLessThan(Admission.MAX_WAIT_NS / 2);
  }

  @Test
  void aCallThatMeetsTheLimitOfItsLevelTakesTheTurnToo() {
    readyForCalls = true;
    offerAll(Level.DEBUG, SLOTS);
    flusher.doWork();
    assertThat(delivered).hasSize(SLOTS);
  }

  @Test
  void aCallYieldsNotToAFlusherThatWaitsForTheSpool() {
    offer(0, SLOTS);
    ready = false;
    flusher.doWork();
    tick = () -> nowNs += 1;
    offer(SLOTS, SLOTS + 1);
    assertThat(nowNs).isLessThan(Admission.MAX_WAIT_NS);
    ready = true;
    dropped = 1;
    flusher.doWork();
  }

  private void offerAll(Level level, int count) {
    for (int i = 0; i < count; i++) {
      offer(level, "event " + i);
    }
  }
}
