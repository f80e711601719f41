package dev.forebay.benchmarks;

import java.lang.management.ManagementFactory;
import java.lang.management.ThreadMXBean;
import java.util.concurrent.locks.LockSupport;
import org.openjdk.jmh.annotations.AuxCounters;
import org.openjdk.jmh.annotations.Level;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.TearDown;
import org.slf4j.Logger;

/**
 * A thread that logs, and its part of the results.
 *
 * <p>The public fields are results, which JMH adds up over threads, iterations and forks. They are
 * set when an iteration ends and include the calls that JMH makes, but does not time, until all its
 * threads are ready.
 */
@State(Scope.Thread)
@AuxCounters(AuxCounters.Type.EVENTS)
@SuppressWarnings("NullAway.Init") // JMH calls setUp first
public class Caller {

  private static final ThreadMXBean THREADS = ManagementFactory.getThreadMXBean();

  /** Log calls of this thread. */
  public long offered;

  /** CPU time of those calls and of the loop around them, without the pauses; nanoseconds. */
  public long callerCpuNs;

  /** Of the calls of all threads, told by one of them, as the next two. */
  public long delivered;

  public long dropped;
  public long unaccounted;

  private final Integer argument = 42;
  private AppenderUnderTest target;
  private Logger logger;
  private long calls;
  private long callsAdded;
  private long pausesCpuNs;
  private long startCpuNs;

  /** Begins an iteration. */
  @Setup(Level.Iteration)
  public void setUp(AppenderUnderTest appender) {
    target = appender;
    logger = appender.logger();
    calls = 0;
    callsAdded = 0;
    pausesCpuNs = 0;
    startCpuNs = THREADS.getCurrentThreadCpuTime();
  }

  /** Ends an iteration. */
  @TearDown(Level.Iteration)
  public void tearDown() {
    callerCpuNs = THREADS.getCurrentThreadCpuTime() - startCpuNs - pausesCpuNs;
    offered = calls;
    addOffered();
    Account account = target.endIteration();
    delivered = account.delivered();
    dropped = account.dropped();
    unaccounted = account.unaccounted();
  }

  /** One log call of the usual kind. */
  void log() {
    calls++;
    logger.info("Order {} took {} ms", "A-1001", argument);
  }

  /** Pauses so long. */
  void pause(long pauseNs) {
    long beforeNs = THREADS.getCurrentThreadCpuTime();
    LockSupport.parkNanos(this, pauseNs);
    pausesCpuNs += THREADS.getCurrentThreadCpuTime() - beforeNs;
  }

  /** Pauses at least so long, and until the events have arrived. */
  void pauseUntilArrived(long pauseNs) {
    long beforeNs = THREADS.getCurrentThreadCpuTime();
    addOffered();
    LockSupport.parkNanos(this, pauseNs);
    target.awaitArrivals();
    pausesCpuNs += THREADS.getCurrentThreadCpuTime() - beforeNs;
  }

  private void addOffered() {
    target.addOffered(calls - callsAdded);
    callsAdded = calls;
  }
}
