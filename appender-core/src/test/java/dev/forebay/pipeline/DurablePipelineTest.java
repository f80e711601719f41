package dev.forebay.pipeline;

import static org.assertj.core.api.Assertions.assertThat;

import ch.qos.logback.core.spi.FilterAttachableImpl;
import dev.forebay.agent.ParkPolicy;
import dev.forebay.observe.Ledger;
import dev.forebay.testkit.Conservation;
import dev.forebay.testkit.Events;
import dev.forebay.testkit.ParkEvery;
import dev.forebay.testkit.Threads;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.TimeUnit;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Log calls of many threads that return when their event is written, beside a flusher that runs.
 */
class DurablePipelineTest {

  private static final int THREADS = 4;
  private static final int CALLS = 2000;

  private final PipelineRig rig = new PipelineRig();
  private final Ledger ledger = rig.ledger;
  private final TestSink sink = new TestSink(ledger);
  private final AppendGate gate = rig.gate;
  private final Queue<String> notWritten = new ConcurrentLinkedQueue<>();
  private @Nullable Pipeline started;
  private int dropped;

  DurablePipelineTest() {
    sink.callersEncode = true;
  }

  private Pipeline start(CallDurability durability, ParkPolicy parks) {
    sink.durability = durability;
    rig.maxFlushNs = TimeUnit.SECONDS.toNanos(60);
    rig.reportIntervalNs = TimeUnit.HOURS.toNanos(1);
    Pipeline pipeline = rig.pipeline(sink, parks);
    pipeline.start();
    gate.open(pipeline);
    started = pipeline;
    return pipeline;
  }

  private static CallDurability patient() {
    return CallDurability.ofAll(TimeUnit.SECONDS.toNanos(60));
  }

  private void log(String message) {
    gate.log(Events.info(message), new FilterAttachableImpl<>());
  }

  @AfterEach
  void theLawHoldsAndNothingWasDoubled() {
    gate.close();
    if (started != null) {
      assertThat(started.stop()).isTrue();
    }
    Conservation.assertHolds(ledger.snapshot());
    assertThat(ledger.snapshot().inFlight()).isZero();
    assertThat(ledger.snapshot().dropped()).isEqualTo(dropped);
    assertThat(sink.encoded).doesNotHaveDuplicates();
    assertThat(sink.written).isEqualTo(sink.encoded);
  }

  private void logOnManyThreads() {
    Threads.run(
        THREADS,
        i -> {
          for (int n = 0; n < CALLS; n++) {
            String message = "thread " + i + " call " + n;
            log(message);
            noteIfNotWritten(message);
          }
        });
  }

  /** What has just returned is among the last written. */
  private void noteIfNotWritten(String message) {
    if (ledger.snapshot().unconfirmed() == 0 && sink.written.lastIndexOf(message) < 0) {
      notWritten.add(message);
    }
  }

  private void assertOrderWithinEachThread() {
    for (int i = 0; i < THREADS; i++) {
      String name = "thread " + i + " call ";
      assertThat(sink.written.stream().filter(text -> text.startsWith(name)).toList())
          .isEqualTo(IntStream.range(0, CALLS).mapToObj(n -> name + n).toList());
    }
  }

  @ParameterizedTest
  @ValueSource(booleans = {true, false})
  void whateverHasReturnedIsWrittenOnceAndInOrder(boolean callersEncode) {
    sink.callersEncode = callersEncode;
    start(patient(), new ParkEvery(callersEncode ? 50_000 : 1_000_000_000));
    logOnManyThreads();

    assertThat(notWritten).isEmpty();
    assertThat(ledger.snapshot().unconfirmed()).isZero();
    assertOrderWithinEachThread();
  }

  @Test
  void aCallWakesTheFlusherToDoWhatACallMustNot() {
    start(patient(), (workDone, nowNs) -> TimeUnit.HOURS.toNanos(1));
    sink.readyForCalls = false;
    log("event");

    assertThat(sink.written).containsExactly("event");
  }
}
