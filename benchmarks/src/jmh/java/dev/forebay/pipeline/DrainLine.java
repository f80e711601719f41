package dev.forebay.pipeline;

import ch.qos.logback.classic.LoggerContext;
import ch.qos.logback.classic.spi.ILoggingEvent;
import dev.forebay.agent.NanoClock;
import dev.forebay.benchmarks.EncoderKind;
import dev.forebay.benchmarks.SampleEvents;
import dev.forebay.benchmarks.ScratchDirectories;
import dev.forebay.observe.Ledger;
import dev.forebay.observe.LedgerSnapshot;
import dev.forebay.tiered.TieredStages;
import java.time.Duration;
import java.time.InstantSource;
import java.util.function.LongSupplier;
import org.openjdk.jmh.annotations.Level;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.TearDown;

/**
 * The whole line of a {@code TieredAppender} on one thread: fill the ring, drain it into the spool,
 * ship the spool to the log. A benchmark measures one of the steps.
 */
@State(Scope.Thread)
@SuppressWarnings("NullAway.Init") // JMH calls setUp first
public class DrainLine {

  /** A whole ring. */
  static final int EVENTS = 8192;

  private static final int EVENTS_PER_MS = 100;
  private static final long RING_BYTES = 64L << 20;

  @Param({"CONSTANT", "PATTERN", "LOGSTASH"})
  public EncoderKind encoder;

  private final Ledger ledger = new Ledger();
  private ILoggingEvent[] events;
  private ScratchDirectories scratch;
  private TieredStages stages;
  private EventRing ring;
  private Flusher flusher;
  private long offered;

  /** Puts the line together. */
  @Setup(Level.Trial)
  public void setUp() {
    LoggerContext context = new LoggerContext();
    LongSupplier wallClockMs = InstantSource.system()::millis;
    events = SampleEvents.of(context, EVENTS, EVENTS_PER_MS);
    scratch = new ScratchDirectories();
    stages = new TieredStages(scratch, encoder.start(context), false, ledger);
    EventSink sink = stages.sink();
    ring = new EventRing(EVENTS, RING_BYTES, ledger);
    ledger.addIntake(ring);
    PipelineContext pipeline =
        new PipelineContext(context, NanoClock.SYSTEM, wallClockMs, text -> {});
    flusher =
        new Flusher(
            ring,
            new HoleWatch(ring, pipeline),
            sink,
            ledger,
            new DropReporter(
                ledger, pipeline, Duration.ofSeconds(10).toNanos(), sink.failureReason()));
  }

  /** Offers as many events as the ring has slots. */
  void fill() {
    for (ILoggingEvent event : events) {
      if (!ring.offer(event, EventWeight.of(event), EVENTS)) {
        throw new IllegalStateException("the ring is not empty: run void");
      }
    }
    offered += EVENTS;
  }

  /** Turns of the flusher, until the ring is empty. */
  int drain() {
    int all = 0;
    for (int taken = flusher.doWork(); taken > 0; taken = flusher.doWork()) {
      all += taken;
    }
    return all;
  }

  /** The shipper's turns, until everything offered is in the log. */
  void ship() {
    stages.shipOwn(offered);
  }

  /** Ends everything; throws, which makes the run void, when an event is unaccounted for. */
  @TearDown(Level.Trial)
  public void tearDown() {
    drain();
    stages.close();
    scratch.close();
    ring.abandon();
    LedgerSnapshot account = ledger.snapshot();
    if (account.offered() != offered
        || account.delivered() + account.dropped() != offered
        || account.delivered() == 0) {
      throw new IllegalStateException("%d offered, but %s: run void".formatted(offered, account));
    }
  }
}
