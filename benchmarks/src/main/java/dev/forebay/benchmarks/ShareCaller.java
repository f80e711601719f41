package dev.forebay.benchmarks;

import com.sun.management.ThreadMXBean;
import java.lang.management.ManagementFactory;
import java.util.concurrent.locks.LockSupport;
import org.HdrHistogram.Histogram;
import org.openjdk.jmh.annotations.AuxCounters;
import org.openjdk.jmh.annotations.Level;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.TearDown;
import org.slf4j.Logger;

/**
 * A thread that logs to the floor and to the appender in turn, burst by burst, and keeps what each
 * burst cost it.
 *
 * <p>The public fields are results of an iteration. Costs are medians over its bursts, divided by
 * the calls of a burst; JMH adds them up over the threads, so that each has to be divided by {@link
 * #callers}.
 */
@State(Scope.Thread)
@AuxCounters(AuxCounters.Type.EVENTS)
@SuppressWarnings("NullAway.Init") // JMH calls setUp first
public class ShareCaller {

  /** Calls of one burst: a few microseconds, against well below one for reading the clock. */
  static final int BURST = 100;

  /** Bursts to each side between two pauses: together they leave the ring below its high water. */
  static final int PAIRS = 10;

  private static final int FLOOR = 0;
  private static final int APPENDER = 1;
  private static final long PAUSE_NS = 2_000_000;
  private static final int DIGITS = 3;
  private static final ThreadMXBean THREADS = (ThreadMXBean) ManagementFactory.getThreadMXBean();

  /** CPU time of a call to the floor and to the appender, nanoseconds. */
  public double floorNs;

  public double appenderNs;

  /** The same for the first burst behind a pause, whose caches and branches are cold. */
  public double restedFloorNs;

  public double restedAppenderNs;

  /** Bytes that the calling thread allocates in a call. */
  public double floorBytes;

  public double appenderBytes;

  /** 1 from each thread. */
  public double callers;

  /** The account of the appender, told by one of the threads but for the first. */
  public long offered;

  public long delivered;
  public long dropped;
  public long unaccounted;

  private final Integer argument = 42;
  private final Histogram[] runningNs = {new Histogram(DIGITS), new Histogram(DIGITS)};
  private final Histogram[] restedNs = {new Histogram(DIGITS), new Histogram(DIGITS)};
  private final Histogram[] bytes = {new Histogram(DIGITS), new Histogram(DIGITS)};
  private final Logger[] loggers = new Logger[2];
  private AppenderUnderTest target;
  private long rounds;
  private long calls;
  private boolean rested;

  /** Begins an iteration. */
  @Setup(Level.Iteration)
  public void setUp(SharePair pair) {
    target = pair.appender();
    loggers[FLOOR] = pair.floor().logger();
    loggers[APPENDER] = pair.appender().logger();
    calls = 0;
    for (int side = FLOOR; side <= APPENDER; side++) {
      runningNs[side].reset();
      restedNs[side].reset();
      bytes[side].reset();
    }
  }

  /** Waits until the ring is empty. */
  @Setup(Level.Invocation)
  public void pause() {
    LockSupport.parkNanos(this, PAUSE_NS);
    target.awaitArrivals();
    rested = true;
  }

  /** Ends an iteration. */
  @TearDown(Level.Iteration)
  public void tearDown() {
    floorNs = medianPerCall(runningNs[FLOOR]);
    appenderNs = medianPerCall(runningNs[APPENDER]);
    restedFloorNs = medianPerCall(restedNs[FLOOR]);
    restedAppenderNs = medianPerCall(restedNs[APPENDER]);
    floorBytes = medianPerCall(bytes[FLOOR]);
    appenderBytes = medianPerCall(bytes[APPENDER]);
    callers = 1;
    offered = calls;
    Account account = target.endIteration();
    delivered = account.delivered();
    dropped = account.dropped();
    unaccounted = account.unaccounted();
  }

  /** Bursts to both sides in turn; the side that begins, and meets the cold start, changes. */
  void round() {
    int first = (int) (rounds++ & 1);
    for (int i = 0; i < PAIRS; i++) {
      measure(first);
      measure(1 - first);
    }
  }

  private void measure(int side) {
    long allocatedBefore = THREADS.getCurrentThreadAllocatedBytes();
    long beforeNs = THREADS.getCurrentThreadCpuTime();
    burst(loggers[side]);
    long cpuNs = THREADS.getCurrentThreadCpuTime() - beforeNs;
    bytes[side].recordValue(THREADS.getCurrentThreadAllocatedBytes() - allocatedBefore);
    (rested ? restedNs : runningNs)[side].recordValue(cpuNs);
    rested = false;
    if (side == APPENDER) {
      calls += BURST;
      target.addOffered(BURST);
    }
  }

  private void burst(Logger logger) {
    for (int i = 0; i < BURST; i++) {
      logger.info("Order {} took {} ms", "A-1001", argument);
    }
  }

  private static double medianPerCall(Histogram histogram) {
    return (double) histogram.getValueAtPercentile(50) / BURST;
  }
}
