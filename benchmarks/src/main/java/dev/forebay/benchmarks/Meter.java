package dev.forebay.benchmarks;

import com.sun.management.ThreadMXBean;
import java.lang.management.ManagementFactory;
import org.openjdk.jmh.annotations.AuxCounters;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.State;

/**
 * What a stage of the pipeline costs the one thread it runs on: CPU time, which does not hold the
 * waits for a processor, and bytes allocated by this thread.
 *
 * <p>The public fields are results, which JMH adds up over threads, iterations and forks. Bracket
 * enough work: reading the clocks takes up to a microsecond.
 */
@State(Scope.Thread)
@AuxCounters(AuxCounters.Type.EVENTS)
public class Meter {

  private static final ThreadMXBean THREADS = (ThreadMXBean) ManagementFactory.getThreadMXBean();

  /** Records, events or offers that went through the stage. */
  public long records;

  /** Of these, what the stage did not take. */
  public long refused;

  /** Bytes that went through the stage; 0 where nobody asks. */
  public long bytes;

  /** What it cost the calling thread, and how long it took; nanoseconds. */
  public long cpuNs;

  public long wallNs;
  public long allocatedBytes;

  private long startCpuNs;
  private long startWallNs;
  private long startAllocatedBytes;

  /** Begins a piece of work. */
  public void begin() {
    startAllocatedBytes = THREADS.getCurrentThreadAllocatedBytes();
    startWallNs = System.nanoTime();
    startCpuNs = THREADS.getCurrentThreadCpuTime();
  }

  /** Ends the piece of work, in which so much went through the stage. */
  public void end(long recordsDone, long bytesDone) {
    cpuNs += THREADS.getCurrentThreadCpuTime() - startCpuNs;
    wallNs += System.nanoTime() - startWallNs;
    allocatedBytes += THREADS.getCurrentThreadAllocatedBytes() - startAllocatedBytes;
    records += recordsDone;
    bytes += bytesDone;
  }

  /** Adds to what the stage did not take. */
  public void addRefused(long recordsRefused) {
    refused += recordsRefused;
  }
}
