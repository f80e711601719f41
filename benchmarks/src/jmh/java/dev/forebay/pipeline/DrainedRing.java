package dev.forebay.pipeline;

import ch.qos.logback.classic.LoggerContext;
import ch.qos.logback.classic.spi.ILoggingEvent;
import dev.forebay.benchmarks.SampleEvents;
import dev.forebay.observe.Ledger;
import java.util.concurrent.BrokenBarrierException;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.LongAdder;
import java.util.concurrent.locks.LockSupport;
import org.openjdk.jmh.annotations.Level;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.TearDown;
import org.openjdk.jmh.infra.BenchmarkParams;

/** A ring with a consumer that polls all the time, and parks for a moment when it finds nothing. */
@State(Scope.Benchmark)
@SuppressWarnings("NullAway.Init") // JMH calls setUp first
public class DrainedRing {

  /** Timers make some 70 microseconds of it. */
  private static final long PARK_NS = 1_000;

  private static final long DEADLINE_S = 60;

  private final LongAdder accepted = new LongAdder();
  private EventRing ring;
  private ILoggingEvent event;
  private long weightBytes;
  private Thread consumer;
  private CyclicBarrier producersAtRest;

  /** Written by tearDown, read by the consumer. */
  private volatile boolean stopping;

  /** Written by the consumer, read after its end. */
  private long polled;

  /** Starts the consumer. */
  @Setup(Level.Trial)
  public void setUp(BenchmarkParams benchmark) {
    start(benchmark.getThreads());
  }

  void start(int producers) {
    producersAtRest = new CyclicBarrier(producers);
    event = SampleEvents.of(new LoggerContext(), 1, 1)[0];
    weightBytes = EventWeight.of(event);
    ring = new EventRing(RingBenchmark.SLOTS, RingBenchmark.BYTES, new Ledger());
    consumer = new Thread(this::consume, "consumer");
    consumer.setDaemon(true);
    consumer.start();
  }

  boolean offer() {
    return ring.offer(event, weightBytes, RingBenchmark.SLOTS);
  }

  void awaitEmpty() {
    while (ring.size() > 0) {
      LockSupport.parkNanos(this, PARK_NS);
    }
  }

  /** Ends the iteration of one producer, and waits for the others: the last one ends the trial. */
  void endIteration(long eventsAccepted) {
    accepted.add(eventsAccepted);
    try {
      producersAtRest.await(DEADLINE_S, TimeUnit.SECONDS);
    } catch (InterruptedException | BrokenBarrierException | TimeoutException e) {
      throw new IllegalStateException("Not all producers came to rest: run void", e);
    }
  }

  private void consume() {
    boolean more = true;
    while (more) {
      boolean last = stopping; // read before the poll: nothing is offered any more
      if (ring.poll() != null) {
        ring.release();
        polled++;
      } else if (last) {
        more = false;
      } else {
        LockSupport.parkNanos(this, PARK_NS);
      }
    }
  }

  /** Stops the consumer; throws when it did not get every accepted event. */
  @TearDown(Level.Trial)
  public void tearDown() throws InterruptedException {
    stopping = true;
    consumer.join();
    if (polled != accepted.sum() || polled != ring.accepted()) {
      throw new IllegalStateException(
          "accepted %d, counted by the ring %d, polled %d: run void"
              .formatted(accepted.sum(), ring.accepted(), polled));
    }
  }
}
