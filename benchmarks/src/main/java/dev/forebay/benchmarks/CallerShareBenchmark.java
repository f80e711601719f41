package dev.forebay.benchmarks;

import java.util.concurrent.TimeUnit;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Fork;
import org.openjdk.jmh.annotations.Measurement;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OperationsPerInvocation;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Threads;
import org.openjdk.jmh.annotations.Warmup;

/**
 * What an appender adds to a log call, beyond Logback's own event and its formatted message.
 *
 * <p>Floor and appender run in the same JVM, on the same thread and through the same compiled call,
 * in turn: the state of the compiler, of the heap and of the machine is the same for both, where
 * two forks differ by more than the share that is asked for. Each burst is timed in CPU time, and
 * the median of the bursts counts, then the median of many short iterations in several forks: waits
 * for a processor, collections and bursts that woke the appender's thread move a mean and leave a
 * median alone.
 *
 * <p>The bursts behind a pause are kept apart as "rested": floor and appender both pay for cold
 * caches there, by tens of nanoseconds a call when other processes had the processor meanwhile,
 * while the running bursts and the share stay where they are.
 *
 * <p>JMH's own score is the mean over both sides, and of no use.
 */
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
@Fork(
    value = 3,
    jvmArgsAppend = {"-Xms1g", "-Xmx1g", "-XX:+AlwaysPreTouch"})
@Warmup(iterations = 4, time = 500, timeUnit = TimeUnit.MILLISECONDS)
@Measurement(iterations = 15, time = 200, timeUnit = TimeUnit.MILLISECONDS)
public class CallerShareBenchmark {

  private static final int CALLS = 2 * ShareCaller.PAIRS * ShareCaller.BURST;

  /** One caller. */
  @Benchmark
  @Threads(1)
  @OperationsPerInvocation(CALLS)
  public void oneThread(ShareCaller caller) {
    caller.round();
  }

  /** Two callers. */
  @Benchmark
  @Threads(2)
  @OperationsPerInvocation(CALLS)
  public void twoThreads(ShareCaller caller) {
    caller.round();
  }
}
