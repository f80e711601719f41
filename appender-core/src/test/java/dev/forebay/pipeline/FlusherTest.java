package dev.forebay.pipeline;

import static org.assertj.core.api.Assertions.assertThat;

import dev.forebay.agent.Agent;
import dev.forebay.observe.DropReason;
import dev.forebay.observe.Ledger;
import dev.forebay.testkit.Conservation;
import dev.forebay.testkit.Events;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** The flusher without a thread: each turn is one call. */
class FlusherTest {

  private static final long INTERVAL_NS = 1000;

  private long nowNs;
  private final PipelineRig rig = new PipelineRig(() -> nowNs);
  private final Ledger ledger = rig.ledger;
  private final TestSink sink = new TestSink(ledger);
  private final PipelineRig.Parts parts;
  private final Flusher flusher;

  FlusherTest() {
    rig.reportIntervalNs = INTERVAL_NS;
    parts = rig.parts(sink);
    flusher = parts.flusher;
  }

  @AfterEach
  void theLawHolds() {
    Conservation.assertHolds(ledger.snapshot());
    assertThat(ledger.snapshot().delivered()).isEqualTo(sink.messages.size());
  }

  @Test
  void aTurnIsBoundedSoThatTheBatchEndsEvenUnderLastingPressure() {
    sink.before = event -> offer(1);
    offer(1);

    assertThat(flusher.doWork()).isEqualTo(EventSink.MAX_TURN);
    assertThat(flusher.flushed()).isEqualTo(EventSink.MAX_TURN);
    sink.works();
    assertThat(flusher.doWork()).isOne();
  }

  @Test
  void whatTheSinkThrowsCostsOneEvent() {
    AtomicInteger calls = new AtomicInteger();
    sink.before =
        event -> {
          switch (calls.incrementAndGet()) {
            case 2 -> throw new IllegalStateException("exception");
            case 3 -> throw new StackOverflowError("stack");
            case 4 -> throw new OutOfMemoryError("heap");
            default -> {}
          }
        };
    offer(5);
    flusher.doWork();

    assertThat(ledger.snapshot().dropped(DropReason.ENCODE_FAILED)).isEqualTo(3);
    assertThat(sink.events()).hasSize(2);
    assertThat(flusher.health.lastError()).contains("OutOfMemoryError");
    assertThat(flusher.flushed()).isEqualTo(5);
  }

  @Test
  void finishWaitsForASinkThatIsFullWhenDropsAreUnreported() {
    sink.ready = false;
    assertThat(flusher.finish()).as("nothing to report").isTrue();
    drop(1);
    assertThat(flusher.finish()).isFalse();

    sink.ready = true;
    assertThat(flusher.finish()).isTrue();
    assertThat(sink.reports()).hasSize(1);
  }

  @Test
  void sleepsOnlyWhenTheRingIsEmptyAndTheSinkIsSettled() {
    assertThat(flusher.sleepNs(nowNs)).as("before the first turn").isZero();
    flusher.doWork();
    assertThat(flusher.sleepNs(nowNs)).isEqualTo(Agent.UNTIL_WOKEN);
    offer(1);
    assertThat(flusher.sleepNs(nowNs)).as("an event came").isZero();
    flusher.doWork();
    assertThat(flusher.sleepNs(nowNs)).isEqualTo(Agent.UNTIL_WOKEN);
    sink.settled = false;
    assertThat(flusher.sleepNs(nowNs)).as("the sink has something to do").isZero();
    sink.settled = true;
    sink.ready = false;
    flusher.doWork();
    assertThat(flusher.sleepNs(nowNs)).as("the sink takes nothing").isZero();
    sink.ready = true;
  }

  @Test
  void doesNotSleepWhileAReportIsDueOrAskedFor() {
    flusher.doWork();
    drop(1);
    assertThat(flusher.sleepNs(nowNs)).as("a drop is to be reported").isZero();
    flusher.doWork();
    flusher.doWork();
    assertThat(sink.reports()).hasSize(1);
    assertThat(flusher.sleepNs(nowNs)).isEqualTo(Agent.UNTIL_WOKEN);
    parts.reports.request();
    assertThat(flusher.sleepNs(nowNs)).as("asked for").isZero();
    flusher.doWork();
    assertThat(flusher.sleepNs(nowNs)).isEqualTo(Agent.UNTIL_WOKEN);
  }

  @Test
  void aReportThatWasNotTakenWaitsForAnEventAsleep() {
    flusher.doWork();
    drop(1);
    sink.before =
        event -> {
          throw new IllegalStateException("refused");
        };
    flusher.doWork();
    flusher.doWork();
    assertThat(ledger.snapshot().dropped(DropReason.ENCODE_FAILED)).isOne();
    assertThat(flusher.sleepNs(nowNs)).isEqualTo(Agent.UNTIL_WOKEN);
    sink.works();
    offer(1);
    flusher.doWork();
    assertThat(flusher.sleepNs(nowNs)).as("can be reported now").isZero();
    nowNs += INTERVAL_NS;
    flusher.doWork();
    flusher.doWork();

    assertThat(sink.reports()).singleElement().asString().contains("RING_FULL 1");
    assertThat(flusher.sleepNs(nowNs)).isEqualTo(Agent.UNTIL_WOKEN);
  }

  /** So that the flusher stays awake for as long as after an event, and leaves no file open. */
  @Test
  void aReportIsWork() {
    drop(1);

    assertThat(flusher.doWork()).as("first look").isZero();
    assertThat(flusher.doWork()).isOne();
    assertThat(sink.reports()).hasSize(1);
    assertThat(flusher.doWork()).isZero();
  }

  @Test
  void dropsAreReportedAfterOneQuietLookAndAtMostOnceAnInterval() {
    drop(3);
    flusher.doWork();
    assertThat(sink.reports()).as("first look").isEmpty();
    drop(1);
    flusher.doWork();
    assertThat(sink.reports()).as("one more dropped").isEmpty();
    flusher.doWork();
    assertThat(sink.reports()).singleElement().asString().startsWith("Forebay: 4 events dropped");
    drop(1);
    flusher.doWork();
    flusher.doWork();
    assertThat(sink.reports()).hasSize(1);
    nowNs += INTERVAL_NS;
    flusher.doWork();
    assertThat(sink.reports()).hasSize(2);
  }

  @Test
  void lastingPressureIsReportedOnceAnInterval() {
    for (int i = 0; i < 30; i++) {
      drop(1);
      flusher.doWork();
      nowNs += INTERVAL_NS / 10;
    }
    assertThat(sink.reports()).hasSizeBetween(2, 3);
  }

  /** As of an encoder or a delegate that logs what it writes. */
  @Test
  void dropsThatAReportCausesAreNotReported() {
    sink.before = event -> ledger.drop(DropReason.REENTRANT, event);
    sink.onWrite = () -> ledger.drop(DropReason.REENTRANT, Events.info("flushed"));
    offer(1);
    for (int i = 0; i < 10; i++) {
      flusher.doWork();
      nowNs += INTERVAL_NS;
    }

    assertThat(sink.reports()).singleElement().asString().contains("REENTRANT 2");
    assertThat(ledger.snapshot().dropped(DropReason.REENTRANT)).isGreaterThan(2);
  }

  /** As an encoder that fails for what the application logs: it is warned of once. */
  @Test
  void aReportDoesNotEndAStreakOfFailures() {
    sink.before =
        event -> {
          if (!(event instanceof OwnEvent)) {
            throw new IllegalStateException("refused");
          }
        };
    offer(1);
    flusher.doWork();
    flusher.doWork();
    assertThat(sink.reports()).hasSize(1);
    assertThat(flusher.health.isFailing()).isTrue();

    sink.works();
    offer(1);
    flusher.doWork();
    assertThat(flusher.health.isFailing()).isFalse();
  }

  private void drop(int events) {
    for (int i = 0; i < events; i++) {
      ledger.drop(DropReason.RING_FULL, Events.info("dropped"));
    }
  }

  private void offer(int events) {
    for (int i = 0; i < events; i++) {
      assertThat(parts.ring.offer(Events.info("event " + i), 20, PipelineRig.SLOTS)).isTrue();
    }
  }
}
