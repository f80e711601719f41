package dev.forebay.pipeline;

import static org.assertj.core.api.Assertions.assertThat;

import ch.qos.logback.core.spi.FilterAttachableImpl;
import dev.forebay.agent.ParkPolicy;
import dev.forebay.testkit.Events;
import dev.forebay.testkit.ParkEvery;
import dev.forebay.testkit.Threads;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.TimeUnit;
import java.util.stream.IntStream;
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
  private final TestSink sink = new TestSink(rig.ledger);
  private final Queue<String> notWritten = new ConcurrentLinkedQueue<>();
  private Pipeline pipeline;

  private void start(ParkPolicy parks) {
    sink.durability = new CallDurability(0, null, TimeUnit.SECONDS.toNanos(60));
    rig.maxFlushNs = TimeUnit.SECONDS.toNanos(60);
    rig.reportIntervalNs = TimeUnit.HOURS.toNanos(1);
    pipeline = rig.pipeline(sink, parks);
    pipeline.start();
    rig.gate.open(pipeline);
  }

  private void log(String message) {
    rig.gate.log(Events.info(message), new FilterAttachableImpl<>());
    if (sink.written.lastIndexOf(message) < 0) {
      notWritten.add(message);
    }
  }

  @AfterEach
  void theLawHoldsAndNothingWasDoubled() {
    rig.gate.close();
    rig.stopAndCheck(pipeline, sink);
    assertThat(rig.ledger.snapshot().dropped()).isZero();
    assertThat(rig.ledger.snapshot().unconfirmed()).isZero();
    assertThat(notWritten).isEmpty();
    assertThat(sink.encoded).doesNotHaveDuplicates();
    assertThat(sink.written).containsExactlyInAnyOrderElementsOf(sink.encoded);
  }

  @ParameterizedTest
  @ValueSource(booleans = {true, false})
  void whateverHasReturnedIsWrittenOnceAndInOrder(boolean callersEncode) {
    sink.callersEncode = callersEncode;
    start(new ParkEvery(callersEncode ? 50_000 : 1_000_000_000));
    Threads.run(
        THREADS, i -> IntStream.range(0, CALLS).forEach(n -> log("thread " + i + " call " + n)));

    for (int i = 0; i < THREADS; i++) {
      String name = "thread " + i + " call ";
      assertThat(sink.written.stream().filter(text -> text.startsWith(name)).toList())
          .isEqualTo(IntStream.range(0, CALLS).mapToObj(n -> name + n).toList());
    }
  }

  @Test
  void aCallWakesTheFlusherToDoWhatACallMustNot() {
    sink.callersEncode = true;
    sink.readyForCalls = false;
    start((workDone, nowNs) -> TimeUnit.HOURS.toNanos(1));
    log("event");
  }
}
