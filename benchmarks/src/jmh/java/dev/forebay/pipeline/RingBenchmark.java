package dev.forebay.pipeline;

import ch.qos.logback.classic.LoggerContext;
import ch.qos.logback.classic.spi.ILoggingEvent;
import dev.forebay.benchmarks.Meter;
import dev.forebay.benchmarks.SampleEvents;
import dev.forebay.observe.Ledger;
import java.util.concurrent.TimeUnit;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Fork;
import org.openjdk.jmh.annotations.Level;
import org.openjdk.jmh.annotations.Measurement;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OperationsPerInvocation;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.TearDown;
import org.openjdk.jmh.annotations.Threads;
import org.openjdk.jmh.annotations.Warmup;

/**
 * The hand-off alone: without a consumer beside it, and with one. Producers that did nothing but
 * offer would fill any ring, and measure the refusal; so each of their bursts begins with an empty
 * ring that holds several. What is refused all the same is in the time, and its number beside it.
 */
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
@Fork(
    value = 1,
    jvmArgsAppend = {"-Xms1g", "-Xmx1g", "-XX:+AlwaysPreTouch"})
@Warmup(iterations = 3, time = 500, timeUnit = TimeUnit.MILLISECONDS)
@Measurement(iterations = 5, time = 500, timeUnit = TimeUnit.MILLISECONDS)
public class RingBenchmark {

  static final int SLOTS = 8192;
  static final long BYTES = 64L << 20;
  static final int BATCH = 1000;

  /** A ring that one thread fills and empties. */
  @State(Scope.Thread)
  @SuppressWarnings("NullAway.Init") // JMH calls setUp first
  public static class LonelyRing {

    private EventRing ring;
    private ILoggingEvent[] events;

    /** Makes the ring. */
    @Setup(Level.Trial)
    public void setUp() {
      events = SampleEvents.of(new LoggerContext(), BATCH, BATCH);
      ring = new EventRing(SLOTS, BYTES, new Ledger());
    }

    private int offerAll() {
      int taken = 0;
      for (ILoggingEvent event : events) {
        taken += ring.offer(event, EventWeight.of(event), SLOTS) ? 1 : 0;
      }
      return taken;
    }

    private int pollAll() {
      int polled = 0;
      while (ring.poll() != null) {
        ring.release();
        polled++;
      }
      return polled;
    }
  }

  /** A thread that offers a burst into an empty ring. */
  @State(Scope.Thread)
  @SuppressWarnings("NullAway.Init") // JMH calls setUp first
  public static class Producer {

    private DrainedRing ring;
    private long accepted;

    /** Begins an iteration. */
    @Setup(Level.Iteration)
    public void setUp(DrainedRing ring) {
      this.ring = ring;
      accepted = 0;
    }

    /** Waits for the consumer. */
    @Setup(Level.Invocation)
    public void pause() {
      ring.awaitEmpty();
    }

    /** Ends an iteration. */
    @TearDown(Level.Iteration)
    public void tearDown() {
      ring.endIteration(accepted);
    }

    private int burst(Meter meter) {
      int taken = 0;
      meter.begin();
      for (int i = 0; i < BATCH; i++) {
        taken += ring.offer() ? 1 : 0;
      }
      meter.end(BATCH, 0);
      meter.addRefused(BATCH - taken);
      accepted += taken;
      return taken;
    }
  }

  /** Offers of a thousand events, each weighed, then as many polls. */
  @Benchmark
  @Threads(1)
  @OperationsPerInvocation(BATCH)
  public int offerThenPoll(LonelyRing lonely, Meter meter) {
    meter.begin();
    int taken = lonely.offerAll();
    int polled = lonely.pollAll();
    meter.end(taken, 0);
    if (taken != BATCH || polled != BATCH) {
      throw new IllegalStateException(
          "of %d events %d were taken, %d polled: run void".formatted(BATCH, taken, polled));
    }
    return polled;
  }

  /** One producer. */
  @Benchmark
  @Threads(1)
  @OperationsPerInvocation(BATCH)
  public int oneProducer(Producer producer, Meter meter) {
    return producer.burst(meter);
  }

  /** Two producers. */
  @Benchmark
  @Threads(2)
  @OperationsPerInvocation(BATCH)
  public int twoProducers(Producer producer, Meter meter) {
    return producer.burst(meter);
  }

  /** Four producers. */
  @Benchmark
  @Threads(4)
  @OperationsPerInvocation(BATCH)
  public int fourProducers(Producer producer, Meter meter) {
    return producer.burst(meter);
  }
}
