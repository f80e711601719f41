package dev.forebay.benchmarks;

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
import org.openjdk.jmh.annotations.Threads;
import org.openjdk.jmh.annotations.Warmup;

/**
 * Bursts of {@value #EVENTS} log calls, each burst into an empty ring that holds several, so that
 * every call is accepted. The time is that of the burst divided by its calls; the pauses do not
 * count.
 *
 * <p>Not for differences of some ten nanoseconds: each burst begins with the caches that others
 * left during the pause, which costs its first hundred calls 2 ns each on a quiet machine and 20 to
 * 40 on a busy one, and the compiler leaves another part of Logback's allocation standing in each
 * fork. An appender's own share is what {@link CallerShareBenchmark} measures.
 */
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
@Fork(
    value = 1,
    jvmArgsAppend = {"-Xms1g", "-Xmx1g", "-XX:+AlwaysPreTouch"})
@Warmup(iterations = 2, time = 1)
@Measurement(iterations = 3, time = 1)
public class BurstBenchmark {

  static final int EVENTS = 1000;

  /** A caller that pauses before each burst. */
  @State(Scope.Thread)
  @SuppressWarnings("NullAway.Init") // JMH calls setUp first
  public static class RestedCaller {

    private static final long PAUSE_NS = 5_000_000;

    private Caller caller;

    /** Waits until the ring is empty, or longer. */
    @Setup(Level.Invocation)
    public void setUp(Caller caller) {
      this.caller = caller;
      caller.pauseUntilArrived(PAUSE_NS);
    }

    private void burst() {
      for (int i = 0; i < EVENTS; i++) {
        caller.log();
      }
    }
  }

  /** One caller. */
  @Benchmark
  @Threads(1)
  @OperationsPerInvocation(EVENTS)
  public void oneThread(RestedCaller caller) {
    caller.burst();
  }

  /** Two callers, whose bursts meet or not. */
  @Benchmark
  @Threads(2)
  @OperationsPerInvocation(EVENTS)
  public void twoThreads(RestedCaller caller) {
    caller.burst();
  }

  /** Four callers, more than small machines have processors for. */
  @Benchmark
  @Threads(4)
  @OperationsPerInvocation(EVENTS)
  public void fourThreads(RestedCaller caller) {
    caller.burst();
  }
}
