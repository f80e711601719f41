package dev.forebay.benchmarks;

import java.util.concurrent.TimeUnit;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Fork;
import org.openjdk.jmh.annotations.Measurement;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Threads;
import org.openjdk.jmh.annotations.Warmup;

/**
 * Log calls as fast as they go. The ring fills, so this times a mixture of accepted and refused
 * calls, or of waiting: read it only together with the drops.
 */
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
@Fork(
    value = 1,
    jvmArgsAppend = {"-Xms1g", "-Xmx1g", "-XX:+AlwaysPreTouch"})
@Warmup(iterations = 2, time = 1)
@Measurement(iterations = 3, time = 1)
public class SaturationBenchmark {

  /** One caller. */
  @Benchmark
  @Threads(1)
  public void oneThread(Caller caller) {
    caller.log();
  }

  /** Two callers. */
  @Benchmark
  @Threads(2)
  public void twoThreads(Caller caller) {
    caller.log();
  }

  /** Four callers, more than small machines have processors for. */
  @Benchmark
  @Threads(4)
  public void fourThreads(Caller caller) {
    caller.log();
  }
}
