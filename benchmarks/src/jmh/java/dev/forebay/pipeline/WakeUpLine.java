package dev.forebay.pipeline;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.LoggerContext;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.classic.spi.LoggingEvent;
import ch.qos.logback.classic.util.LogbackMDCAdapter;
import ch.qos.logback.core.encoder.Encoder;
import dev.forebay.agent.AgentThread;
import dev.forebay.agent.NanoClock;
import dev.forebay.agent.ParkPolicy;
import dev.forebay.benchmarks.EncoderKind;
import dev.forebay.benchmarks.SampleEvents;
import dev.forebay.observe.DropReason;
import dev.forebay.observe.Ledger;
import dev.forebay.observe.LedgerSnapshot;
import java.time.Duration;
import java.time.InstantSource;
import java.util.concurrent.atomic.AtomicLongArray;
import java.util.concurrent.atomic.LongAccumulator;
import java.util.concurrent.atomic.LongAdder;
import java.util.function.LongSupplier;
import java.util.function.UnaryOperator;
import java.util.stream.LongStream;
import org.jspecify.annotations.Nullable;

/**
 * A ring of the default size and the real flusher behind it, which encodes and throws away: what
 * differs is who wakes it and when.
 */
final class WakeUpLine implements AutoCloseable {

  /** Of the flusher's thread, within the 15 characters that the kernel keeps. */
  static final String THREAD = "wakeup-flusher";

  static final int SLOTS = 8192;

  private static final long RING_BYTES = 64L << 20;
  private static final long STOP_NS = Duration.ofSeconds(10).toNanos();

  private final WakeUpPolicy policy;
  private final LoggerContext context = new LoggerContext();
  private final Logger logger = context.getLogger(SampleEvents.LOGGER);
  private final LongSupplier wallClockMs = InstantSource.system()::millis;
  private final Ledger ledger = new Ledger();
  private final EventRing ring = new EventRing(SLOTS, RING_BYTES, ledger);
  private final LongAdder offered = new LongAdder();
  private final Sink sink = new Sink();
  private final Flusher flusher;
  private final AgentThread thread;

  /**
   * @param parks changes how long the flusher's thread parks
   */
  WakeUpLine(WakeUpPolicy policy, UnaryOperator<ParkPolicy> parks) {
    this.policy = policy;
    context.setMDCAdapter(new LogbackMDCAdapter());
    PipelineContext pipeline =
        new PipelineContext(context, NanoClock.SYSTEM, wallClockMs, text -> {});
    flusher =
        new Flusher(
            ring,
            new HoleWatch(ring, pipeline),
            sink,
            ledger,
            new DropReporter(
                ledger, pipeline, Duration.ofHours(1).toNanos(), sink.failureReason()));
    ledger.addIntake(ring);
    thread =
        new AgentThread(
            flusher,
            parks.apply(policy.park(flusher)),
            THREAD,
            NanoClock.SYSTEM,
            WakeUpLine::failed,
            null);
  }

  private static void failed(Throwable t) {
    throw new IllegalStateException("the flusher failed: run void", t);
  }

  void start() {
    thread.start();
  }

  /** A log call. */
  void call() {
    Object[] arguments = {"A-17", 42};
    LoggingEvent event =
        new LoggingEvent(Logger.FQCN, logger, Level.INFO, "Order {} took {} ms", null, arguments);
    event.prepareForDeferredProcessing();
    offered.increment();
    if (ring.offer(event, EventWeight.of(event), SLOTS)) {
      policy.offered(ring, thread);
    } else {
      thread.wakeIfParked();
      ledger.drop(DropReason.RING_FULL, event);
    }
  }

  /** Turns so far, by their events: 1, 2 to 3, 4 to 7, and so on. */
  long[] turns() {
    return LongStream.range(0, sink.turns.length()).map(i -> sink.turns.get((int) i)).toArray();
  }

  /** Milliseconds that events have spent in the ring: the sum so far. */
  long waitedMs() {
    return sink.waitedMs.sum();
  }

  /** The longest of them since the last call of this method. */
  long longestWaitMs() {
    return sink.longestMs.getThenReset();
  }

  long delivered() {
    return ledger.snapshot().delivered();
  }

  long dropped() {
    return ledger.snapshot().dropped();
  }

  /** Ends the thread; throws, which makes the run void, when an event is unaccounted for. */
  @Override
  public void close() {
    thread.requestStop();
    boolean ended = thread.join(STOP_NS);
    while (flusher.doWork() > 0) {} // what came after its last turn
    LedgerSnapshot account = ledger.snapshot();
    if (!ended || account.delivered() + account.dropped() != offered.sum()) {
      throw new IllegalStateException("%s, but %s: run void".formatted(offered, account));
    }
  }

  /** The flusher's. */
  private final class Sink implements EventSink {

    private final Encoder<ILoggingEvent> encoder = EncoderKind.PATTERN.start(context);
    private final AtomicLongArray turns = new AtomicLongArray(Integer.SIZE);
    private int taken;
    private long bytes;
    private final LongAdder waitedMs = new LongAdder();
    private final LongAccumulator longestMs = new LongAccumulator(Math::max, 0);

    @Override
    public String name() {
      return "nowhere";
    }

    @Override
    public boolean makeReady() {
      return true;
    }

    @Override
    public boolean accept(ILoggingEvent event, byte @Nullable [] encoded) {
      bytes += encoder.encode(event).length;
      long ms = wallClockMs.getAsLong() - event.getTimeStamp();
      waitedMs.add(ms);
      longestMs.accumulate(ms);
      ledger.deliver(1);
      taken++;
      return true;
    }

    @Override
    public DropReason failureReason() {
      return DropReason.DELIVERY_FAILED;
    }

    @Override
    public void endOfBatch() {
      turns.incrementAndGet(Integer.SIZE - 1 - Integer.numberOfLeadingZeros(Math.max(1, taken)));
      taken = 0;
      if (bytes < 0) {
        throw new IllegalStateException("never: keeps the encoder's work alive");
      }
    }
  }
}
