package dev.forebay.pipeline;

import static org.assertj.core.api.Assertions.assertThat;

import ch.qos.logback.classic.Level;
import dev.forebay.host.Await;
import dev.forebay.observe.DropReason;
import dev.forebay.observe.Ledger;
import dev.forebay.observe.Levels;
import dev.forebay.testkit.Events;
import dev.forebay.testkit.Threads;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Who wakes a flusher that would park for an hour. */
class PipelineWakeTest {

  private static final long HOUR_NS = TimeUnit.HOURS.toNanos(1);
  private static final int SLOTS = PipelineRig.SLOTS;
  private static final int HIGH_WATER = PipelineRig.HIGH_WATER;

  private final PipelineRig rig = new PipelineRig();
  private final Ledger ledger = rig.ledger;
  private final TestSink sink = new TestSink(ledger);
  private final AtomicInteger parks = new AtomicInteger();
  private final Pipeline pipeline;

  PipelineWakeTest() {
    rig.urgentIndex = Levels.COUNT - 1;
    pipeline = rig.pipeline(sink, this::park);
    pipeline.start();
    awaitParked(1);
  }

  private long park(int workDone, long nowNs) {
    parks.incrementAndGet();
    return HOUR_NS;
  }

  @AfterEach
  void stopAndCheck() {
    rig.stopAndCheck(pipeline, sink);
  }

  @Test
  void theFirstEventAboveTheHighWaterMarkWakesTheFlusherAndNoneBefore() {
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
    sink.ready = false;
    offer(Level.TRACE, HIGH_WATER + 1);
    awaitParked(2);
    offer(Level.WARN, 20 * SLOTS);
    offer(Level.ERROR, 20 * SLOTS);

    assertThat(parks).as("turns that could do nothing").hasValue(2);
    assertThat(ledger.snapshot().dropped(DropReason.RING_FULL))
        .isEqualTo(39 * SLOTS + HIGH_WATER + 1);
    sink.ready = true;
    assertThat(pipeline.flush(TimeUnit.SECONDS.toNanos(10))).isTrue();
  }

  @Test
  void noWakeOfAnUrgentEventIsLost() {
    for (int i = 1; i <= 2000; i++) {
      offer(Level.ERROR, 1);
      int expected = i;
      Await.until("event " + i, () -> sink.messages.size() == expected);
    }
  }

  @Test
  void flushKeepsTheInterruptFlag() {
    offer(Level.INFO, 1);
    Thread.currentThread().interrupt();
    boolean flushed = pipeline.flush(TimeUnit.SECONDS.toNanos(10));

    assertThat(Thread.interrupted()).isTrue();
    assertThat(flushed).isTrue();
  }

  @Test
  void whenTheJvmShutsDownEveryEventIsUrgent() {
    pipeline.prepareForShutdown();
    offer(Level.TRACE, "event");

    Await.until("delivered", () -> sink.messages.size() == 1);
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
}
