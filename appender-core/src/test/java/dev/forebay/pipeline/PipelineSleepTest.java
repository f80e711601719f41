package dev.forebay.pipeline;

import static org.assertj.core.api.Assertions.assertThat;

import ch.qos.logback.classic.Level;
import dev.forebay.host.Await;
import dev.forebay.host.Gate;
import dev.forebay.observe.DropReason;
import dev.forebay.observe.Ledger;
import dev.forebay.testkit.Events;
import dev.forebay.testkit.ParkEvery;
import dev.forebay.testkit.RecordingListener;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** A pipeline whose flusher sleeps whenever it has nothing to do, and what wakes it. */
@Tag("once")
class PipelineSleepTest {

  private final PipelineRig rig = new PipelineRig();
  private final Ledger ledger = rig.ledger;
  private final TestSink sink = new TestSink(ledger);
  private final RecordingListener listener = new RecordingListener();
  private final Pipeline pipeline;

  PipelineSleepTest() {
    rig.reportIntervalNs = TimeUnit.MILLISECONDS.toNanos(20);
    pipeline = rig.pipeline(sink, new ParkEvery(1), listener);
    pipeline.start();
    awaitFlusherAsleep();
    awaitReporterAsleep();
  }

  @AfterEach
  void stopAndCheck() {
    rig.stopAndCheck(pipeline, sink);
  }

  @Test
  void noEventIsLeftInTheRingWhenTheFlusherFallsAsleep() {
    for (int i = 1; i <= 5000; i++) {
      offer("event");
      int expected = i;
      Await.until("event " + i, () -> sink.messages.size() == expected);
    }
  }

  @Test
  void aDropWhileNothingElseHappensIsReportedInTheLogAndToListeners() {
    offer(Events.text(Math.toIntExact(PipelineRig.BYTES)));

    assertThat(ledger.snapshot().dropped(DropReason.BYTES_FULL)).isOne();
    Await.until("in the log", () -> sink.reports().size() == 1);
    Await.until("to the listener", () -> listener.calls().contains("dropped 1"));
    Await.until("and its end", () -> listener.calls("ended").size() == 1);
    awaitFlusherAsleep();
    awaitReporterAsleep();
  }

  /** A call whose filter throws does not come as far as to wake the flusher. */
  @Test
  void aDropThatWakesNobodyElseIsReported() {
    awaitFlusherAsleep();
    awaitReporterAsleep();
    ledger.drop(DropReason.PREPARE_FAILED, Events.info("event"));

    Await.until("to the listener", () -> listener.calls().contains("dropped 1"));
  }

  @Test
  void aFailureWhileNothingIsDroppedIsReported() {
    sink.onWrite =
        () -> {
          throw new IllegalStateException("flush");
        };
    offer("event");

    Await.until("told", () -> listener.calls("failed").size() == 1);
  }

  @Test
  void anErrorOfATurnDelaysNoEvent() {
    Gate gate = new Gate();
    AtomicInteger turns = new AtomicInteger();
    sink.onTurn =
        () -> {
          if (turns.incrementAndGet() == 1) {
            gate.pass();
            throw new AssertionError("simulated");
          }
        };
    offer("event");
    gate.awaitReached();
    gate.open();

    Await.until("delivered", () -> sink.messages.size() == 1);
    awaitReporterAsleep();
  }

  @Test
  void theReporterPollsWhileTheFlusherIsAwake() {
    Gate gate = new Gate();
    sink.onTurn = gate::pass;
    offer("event");
    gate.awaitReached();
    offer(Events.text(Math.toIntExact(PipelineRig.BYTES)));

    Await.until("told, by no one", () -> listener.calls().contains("dropped 1"));
    gate.open();
  }

  private void offer(String message) {
    PipelineRig.log(pipeline, Events.event(Level.INFO, message));
  }

  private void awaitFlusherAsleep() {
    awaitAsleep("forebay-flusher-" + rig.appender + "-");
  }

  /** For a minute. */
  private void awaitReporterAsleep() {
    awaitAsleep("forebay-reporter-" + rig.appender + "-");
  }

  private static void awaitAsleep(String name) {
    Await.until(
        name + " asleep",
        () ->
            Thread.getAllStackTraces().entrySet().stream()
                .filter(entry -> entry.getKey().getName().startsWith(name))
                .anyMatch(
                    entry ->
                        entry.getKey().getState().name().endsWith("WAITING")
                            && List.of(entry.getValue()).toString().contains("AgentThread.sleep")));
  }
}
