package dev.forebay.benchmarks;

import java.util.concurrent.TimeUnit;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Fork;
import org.openjdk.jmh.annotations.Level;
import org.openjdk.jmh.annotations.Measurement;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.Threads;
import org.openjdk.jmh.annotations.Warmup;

/**
 * Single log calls with a pause before each, as from a service that logs a few thousand events a
 * second: the appender's thread is asleep when the call comes. Each call is timed on its own, the
 * clock included, and meets the caches as a thread finds them after it was parked.
 */
@BenchmarkMode(Mode.SampleTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
@Fork(
    value = 1,
    jvmArgsAppend = {"-Xms1g", "-Xmx1g", "-XX:+AlwaysPreTouch"})
@Warmup(iterations = 2, time = 1)
@Measurement(iterations = 3, time = 1)
public class PacedBenchmark {

  /** A caller that pauses before each call. */
  @State(Scope.Thread)
  @SuppressWarnings("NullAway.Init") // JMH calls setUp first
  public static class PacedCaller {

    /** At least; timers and a busy machine make it longer. */
    private static final long PAUSE_NS = 100_000;

    private Caller caller;

    /** Parks. */
    @Setup(Level.Invocation)
    public void setUp(Caller caller) {
      this.caller = caller;
      caller.pause(PAUSE_NS);
    }
  }

  /** One caller. */
  @Benchmark
  @Threads(1)
  public void oneThread(PacedCaller paced) {
    paced.caller.log();
  }
}
