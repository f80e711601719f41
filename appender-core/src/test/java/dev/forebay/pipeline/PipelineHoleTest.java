package dev.forebay.pipeline;

import static org.assertj.core.api.Assertions.assertThat;

import ch.qos.logback.classic.Level;
import dev.forebay.agent.NanoClock;
import dev.forebay.agent.TimeLimit;
import dev.forebay.host.Gate;
import dev.forebay.observe.DropReason;
import dev.forebay.observe.Ledger;
import dev.forebay.testkit.Conservation;
import dev.forebay.testkit.Events;
import dev.forebay.testkit.Holes;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Who waits at a ring with a slot that stays empty does not wait for ever. */
@Tag("once")
class PipelineHoleTest {

  private static final int SLOTS = PipelineRig.SLOTS;
  private static final long PATIENCE_NS = TimeUnit.SECONDS.toNanos(20);

  private final PipelineRig rig = new PipelineRig();
  private final Ledger ledger = rig.ledger;
  private final TestSink sink = new TestSink(ledger);

  @Test
  void callersThatMayWaitGetIntoTheNewRingAndFlushReturns() {
    Pipeline pipeline = pipeline(PATIENCE_NS, PATIENCE_NS);
    pipeline.start();
    Holes.tear(pipeline.ring);
    offer(pipeline, 3 * SLOTS);

    assertThat(pipeline.flush(new TimeLimit(NanoClock.SYSTEM, PATIENCE_NS))).isTrue();
    assertThat(ledger.snapshot().dropped()).isEqualTo(1);
    assertThat(sink.messages).filteredOn("event"::equals).hasSize(3 * SLOTS);
    assertThat(pipeline.stop()).isTrue();
    assertSettled();
  }

  @Test
  void aStopRepairsTheRingWhenThereIsTime() {
    Pipeline pipeline = pipeline(0, PATIENCE_NS);
    pipeline.start();
    Holes.tear(pipeline.ring);
    offer(pipeline, 5);

    assertThat(pipeline.stop()).isTrue();
    assertThat(sink.messages).filteredOn("event"::equals).hasSize(5);
    assertSettled();
  }

  @Test
  void aStopWithoutTimeLeavesNothingInFlight() {
    Gate gate = new Gate();
    sink.before = event -> gate.pass();
    Pipeline pipeline = pipeline(0, 1);
    pipeline.start();
    offer(pipeline, 1);
    gate.awaitReached();
    Holes.tear(pipeline.ring);
    offer(pipeline, 5);

    assertThat(pipeline.stop()).isFalse();
    assertThat(ledger.snapshot().dropped(DropReason.ABANDONED)).isEqualTo(5);
    assertThat(ledger.snapshot().dropped(DropReason.OFFER_FAILED)).isOne();
    assertThat(ledger.snapshot().inFlight()).as("in the hands of the sink").isOne();
    gate.open();
  }

  private void assertSettled() {
    Conservation.assertHolds(ledger.snapshot());
    assertThat(ledger.snapshot().inFlight()).isZero();
    assertThat(ledger.snapshot().dropped(DropReason.OFFER_FAILED)).isOne();
    assertThat(rig.warnings).hasSize(1);
  }

  private static void offer(Pipeline pipeline, int events) {
    for (int i = 0; i < events; i++) {
      PipelineRig.log(pipeline, Events.event(Level.WARN, "event"));
    }
  }

  private Pipeline pipeline(long appendTimeoutNs, long maxFlushNs) {
    rig.appendTimeoutNs = appendTimeoutNs;
    rig.maxFlushNs = maxFlushNs;
    return rig.pipeline(sink, null);
  }
}
