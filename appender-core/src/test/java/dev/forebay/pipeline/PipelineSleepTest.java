package dev.forebay.pipeline;

import static org.assertj.core.api.Assertions.assertThat;

import ch.qos.logback.classic.Level;
import dev.forebay.agent.NanoClock;
import dev.forebay.host.Await;
import dev.forebay.host.Gate;
import dev.forebay.observe.DropReason;
import dev.forebay.observe.Ledger;
import dev.forebay.observe.Levels;
import dev.forebay.testkit.Events;
import dev.forebay.testkit.ParkEvery;
import dev.forebay.testkit.RecordingListener;
import dev.forebay.testkit.Threads;
import java.time.Duration;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** What wakes a flusher that has nothing to do: one that sleeps, or one that parks for an hour. */
@Tag("once")
class PipelineSleepTest {

  private static final int SLOTS = PipelineRig.SLOTS;
  private static final int HIGH_WATER = PipelineRig.HIGH_WATER;

  private final PipelineRig rig = new PipelineRig();
  private final Ledger ledger = rig.ledger;
  private final TestSink sink = new TestSink(ledger);
  private final RecordingListener listener = new RecordingListener();
  private final AtomicInteger parks = new AtomicInteger();
  private Pipeline pipeline;

  private void startSleeping() {
    rig.reportIntervalNs = TimeUnit.MILLISECONDS.toNanos(20);
    pipeline = rig.pipeline(sink, new ParkEvery(1), listener);
    pipeline.start();
    awaitFlusherAsleep();
    awaitReporterAsleep();
  }

  private void startParking() {
    rig.urgentIndex = Levels.COUNT - 1;
    pipeline = rig.pipeline(sink, this::park);
    pipeline.start();
    awaitParked(1);
  }

  private long park(int workDone, long nowNs) {
    parks.incrementAndGet();
    return TimeUnit.HOURS.toNanos(1);
  }

  @AfterEach
  void stopAndCheck() {
    rig.stopAndCheck(pipeline, sink);
  }

  @Test
  void noEventIsLeftInTheRingWhenTheFlusherFallsAsleep() {
    startSleeping();
    for (int i = 1; i <= 5000; i++) {
      offer("event");
      int expected = i;
      Await.until("event " + i, () -> sink.messages.size() == expected);
    }
  }

  @Test
  void aDropWhileNothingElseHappensIsReportedInTheLogAndToListeners() {
    startSleeping();
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
    startSleeping();
    awaitFlusherAsleep();
    awaitReporterAsleep();
    ledger.drop(DropReason.PREPARE_FAILED, Events.info("event"));

    Await.until("to the listener", () -> listener.calls().contains("dropped 1"));
  }

  @Test
  void aFailureWhileNothingIsDroppedIsReported() {
    startSleeping();
    sink.onWrite =
        () -> {
          throw new IllegalStateException("flush");
        };
    offer("event");

    Await.until("told", () -> listener.calls("failed").size() == 1);
  }

  @Test
  void theReporterPollsWhileTheFlusherIsAwake() {
    startSleeping();
    Gate gate = new Gate();
    sink.onTurn = gate::pass;
    offer("event");
    gate.awaitReached();
    offer(Events.text(Math.toIntExact(PipelineRig.BYTES)));

    Await.until("told, by no one", () -> listener.calls().contains("dropped 1"));
    gate.open();
  }

  @Test
  void theFirstEventAboveTheHighWaterMarkWakesTheFlusherAndNoneBefore() {
    startParking();
    offer(Level.WARN, HIGH_WATER);
    assertThat(pipeline.ring.size()).isEqualTo(HIGH_WATER);
    assertThat(parks).hasValue(1);
    assertThat(flusherThread().getState()).isEqualTo(Thread.State.TIMED_WAITING);
    offer(Level.TRACE, 1);

    awaitParked(2);
    assertThat(sink.messages).hasSizeGreaterThanOrEqualTo(HIGH_WATER);
  }

  @Test
  void heavyEventsWakeTheFlusherWhenAQuarterOfTheBytesIsReserved() {
    startParking();
    int halfOfTheQuarter =
        Math.toIntExact(PipelineRig.BYTES / 2 / 4 / 2 / 2); // two bytes a character
    offer(Level.INFO, Events.text(halfOfTheQuarter));
    offer(Level.INFO, Events.text(halfOfTheQuarter));
    assertThat(parks).hasValue(1);
    assertThat(pipeline.ring.size()).isEqualTo(2);

    offer(Level.INFO, Events.text(halfOfTheQuarter));

    awaitParked(2);
    assertThat(sink.messages).hasSizeGreaterThanOrEqualTo(2);
  }

  @Test
  void nobodyWakesAFlusherWhoseSinkTakesNothing() {
    startParking();
    sink.ready = false;
    offer(Level.TRACE, HIGH_WATER + 1);
    awaitParked(2);
    offer(Level.WARN, 20 * SLOTS);
    offer(Level.ERROR, 20 * SLOTS);

    assertThat(parks).as("turns that could do nothing").hasValue(2);
    assertThat(ledger.snapshot().dropped(DropReason.RING_FULL))
        .isEqualTo(39 * SLOTS + HIGH_WATER + 1);
    sink.ready = true;
    assertThat(pipeline.flush(NanoClock.SYSTEM.limit(Duration.ofSeconds(10)))).isTrue();
  }

  @Test
  void whenTheJvmShutsDownEveryEventIsUrgent() {
    startParking();
    pipeline.prepareForShutdown();
    offer(Level.TRACE, "event");

    Await.until("delivered", () -> sink.messages.size() == 1);
  }

  private void offer(String message) {
    offer(Level.INFO, message);
  }

  private void offer(Level level, int events) {
    for (int i = 0; i < events; i++) {
      offer(level, "event");
    }
  }

  private void offer(Level level, String message) {
    PipelineRig.log(pipeline, Events.event(level, message));
  }

  private void awaitParked(int times) {
    Await.until(times + " parks", () -> parks.get() >= times);
    Await.until("parked", () -> flusherThread().getState() == Thread.State.TIMED_WAITING);
  }

  private Thread flusherThread() {
    return Threads.named("forebay-flusher-" + rig.appender + "-").get(0);
  }

  private void awaitFlusherAsleep() {
    awaitAsleep("forebay-flusher-" + rig.appender + "-");
  }

  /** For a minute. */
  private void awaitReporterAsleep() {
    awaitAsleep("forebay-reporter-" + rig.appender + "-");
  }

  private static void awaitAsleep(String name) {
    Await.until(name + " asleep", () -> Threads.named(name).isEmpty());
  }
}
