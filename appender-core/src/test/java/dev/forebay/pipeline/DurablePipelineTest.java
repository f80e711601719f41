package dev.forebay.pipeline;

import static org.assertj.core.api.Assertions.assertThat;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.spi.LoggingEvent;
import ch.qos.logback.core.spi.FilterAttachableImpl;
import dev.forebay.agent.ParkPolicy;
import dev.forebay.host.Await;
import dev.forebay.observe.DropReason;
import dev.forebay.observe.Ledger;
import dev.forebay.testkit.Conservation;
import dev.forebay.testkit.Events;
import dev.forebay.testkit.ParkEvery;
import java.lang.reflect.Proxy;
import java.util.ArrayList;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.TimeUnit;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.slf4j.Marker;

/**
 * Log calls of many threads that return when their event is written, beside a flusher that runs.
 */
class DurablePipelineTest {

  private static final int THREADS = 4;
  private static final int CALLS = 2000;

  private final PipelineRig rig = new PipelineRig();
  private final Ledger ledger = rig.ledger;
  private final CallSink sink = new CallSink(ledger);
  private final AppendGate gate = rig.gate;
  private final Queue<String> notWritten = new ConcurrentLinkedQueue<>();
  private @Nullable Pipeline started;
  private int dropped;

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

  private void log(Level level, String message) {
    gate.log(Events.event(level, message), new FilterAttachableImpl<>());
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

  private void logOnManyThreads(Level level) {
    List<Thread> threads = new ArrayList<>();
    for (int i = 0; i < THREADS; i++) {
      String name = "thread " + i + " call ";
      threads.add(
          new Thread(
              () -> {
                for (int n = 0; n < CALLS; n++) {
                  log(level, name + n);
                  noteIfNotWritten(name + n);
                }
              }));
    }
    threads.forEach(Thread::start);
    threads.forEach(Await::end);
  }

  /** What has just returned is among the last written. */
  private void noteIfNotWritten(String message) {
    if (ledger.snapshot().unconfirmed() == 0 && !isWritten(message)) {
      notWritten.add(message);
    }
  }

  private boolean isWritten(String message) {
    for (int at = sink.written.size() - 1; at >= 0; at--) {
      if (sink.written.get(at).equals(message)) {
        return true;
      }
    }
    return false;
  }

  private void assertOrderWithinEachThread() {
    for (int i = 0; i < THREADS; i++) {
      String name = "thread " + i + " call ";
      assertThat(sink.written.stream().filter(text -> text.startsWith(name)).toList())
          .isEqualTo(IntStream.range(0, CALLS).mapToObj(n -> name + n).toList());
    }
  }

  @Test
  void whateverHasReturnedIsWrittenOnceAndInOrder() {
    start(patient(), new ParkEvery(50_000));
    logOnManyThreads(Level.INFO);

    assertThat(notWritten).isEmpty();
    assertThat(ledger.snapshot().unconfirmed()).isZero();
    assertOrderWithinEachThread();
  }

  @Test
  void soItIsWithAnEncoderForTheFlusherOnly() {
    sink.callersEncode = false;
    start(patient(), new ParkEvery(1_000_000_000));
    logOnManyThreads(Level.INFO);

    assertThat(notWritten).isEmpty();
    assertThat(ledger.snapshot().unconfirmed()).isZero();
    assertOrderWithinEachThread();
  }

  @Test
  void aCallWakesTheFlusherToDoWhatACallMustNot() {
    start(patient(), (workDone, nowNs) -> TimeUnit.HOURS.toNanos(1));
    sink.readyForCalls = false;
    log(Level.INFO, "event");

    assertThat(sink.written).containsExactly("event");
  }

  @Test
  void aMarkerThatThrowsCostsItsEventAndBreaksNoLogCall() {
    start(new CallDurability(5, "AUDIT", 1), new ParkEvery(1_000_000_000));
    LoggingEvent event = Events.event(Level.INFO, "event");
    event.addMarker(throwing());
    gate.log(event, new FilterAttachableImpl<>());
    dropped = 1;

    assertThat(ledger.snapshot().dropped(DropReason.PREPARE_FAILED)).isOne();
    assertThat(gate.lastError()).contains("as if");
  }

  private static Marker throwing() {
    return (Marker)
        Proxy.newProxyInstance(
            Marker.class.getClassLoader(),
            new Class<?>[] {Marker.class},
            (proxy, method, arguments) -> {
              throw new IllegalStateException("as if");
            });
  }

  @Test
  void anEncoderThatLogsIsRefusedAndHoldsUpNothing() {
    start(patient(), new ParkEvery(1_000_000_000));
    sink.onEncode =
        () -> {
          sink.onEncode = () -> {};
          log(Level.INFO, "inner");
        };
    log(Level.INFO, "event");
    dropped = 1;

    // The flusher may have reported the drop already.
    assertThat(sink.written)
        .filteredOn(text -> !text.startsWith("Forebay: "))
        .containsExactly("event");
    assertThat(ledger.snapshot().dropped(DropReason.REENTRANT)).isOne();
    sink.onEncode = () -> {};
  }
}
