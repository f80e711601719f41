package dev.forebay.pipeline;

import static org.assertj.core.api.Assertions.assertThat;

import ch.qos.logback.core.status.StatusListener;
import dev.forebay.host.Await;
import dev.forebay.testkit.Events;
import dev.forebay.testkit.Gate;
import dev.forebay.testkit.ParkEvery;
import dev.forebay.testkit.RecordingSink;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** How long the JVM's end waits for the warning of a pipeline whose sink takes nothing. */
class PipelineEndTest {

  private final AtomicLong nowNs = new AtomicLong();
  private final PipelineRig rig = new PipelineRig(nowNs::get);
  private final RecordingSink sink = new RecordingSink(rig.ledger).ready(false);
  private final Gate gate = new Gate();
  private final Pipeline pipeline = rig.pipeline(sink, flusher -> new ParkEvery(1_000_000));
  private final Thread end = new Thread(pipeline::warnOfUndelivered);

  PipelineEndTest() {
    StatusListener listener = status -> {};
    rig.context.getStatusManager().add(listener); // otherwise it would print
    rig.onWarning = gate::pass;
    pipeline.start();
  }

  @AfterEach
  void stop() {
    gate.open();
    sink.ready(true);
    assertThat(pipeline.stop()).isTrue();
  }

  @Test
  void waitsForAWarningThatTakesAMoment() {
    pipeline.offer(Events.info("event"));
    end.start();
    gate.awaitReached();
    Await.until("waits", () -> end.getState() == Thread.State.TIMED_WAITING);
    gate.open();
    Await.end(end);

    assertThat(rig.warnings).singleElement().asString().startsWith("1 event was not delivered");
  }

  @Test
  void waitsNoLongerThanItMay() {
    pipeline.offer(Events.info("event"));
    end.start();
    gate.awaitReached();
    nowNs.addAndGet(Pipeline.LAST_WARNING_NS);
    Await.end(end);

    assertThat(rig.warnings).isEmpty();
  }

  @Test
  void warnsOfNothingIfNothingIsLeft() {
    end.start();
    Await.end(end);
    gate.open();

    assertThat(rig.warnings).isEmpty();
  }
}
