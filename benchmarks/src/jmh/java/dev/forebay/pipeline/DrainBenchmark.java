package dev.forebay.pipeline;

import dev.forebay.benchmarks.Meter;
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
import org.openjdk.jmh.annotations.Warmup;

/**
 * The two background threads' work, each step alone on one core and from what the step before it
 * left: the flusher's turns from a full ring to the spool (poll, encode, frame, write), and the
 * shipper's from the spool to the log (read, check, write, settle; the log is not forced, since
 * that would measure the disk). Bytes allocated with the constant encoder are the line's own.
 */
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
@Fork(
    value = 1,
    jvmArgsAppend = {"-Xms1g", "-Xmx1g", "-XX:+AlwaysPreTouch"})
@Warmup(iterations = 3, time = 1)
@Measurement(iterations = 5, time = 500, timeUnit = TimeUnit.MILLISECONDS)
public class DrainBenchmark {

  /** A line whose spool is empty and whose ring is full. */
  @State(Scope.Thread)
  @SuppressWarnings("NullAway.Init") // JMH calls setUp first
  public static class FullRing {

    private DrainLine line;

    /** Ships and fills. */
    @Setup(Level.Invocation)
    public void setUp(DrainLine line) {
      this.line = line;
      line.ship();
      line.fill();
    }
  }

  /** A line whose ring is empty and whose spool is not. */
  @State(Scope.Thread)
  @SuppressWarnings("NullAway.Init") // JMH calls setUp first
  public static class FilledSpool {

    private DrainLine line;

    /** Fills and drains. */
    @Setup(Level.Invocation)
    public void setUp(DrainLine line) {
      this.line = line;
      line.fill();
      requireAll(line.drain());
    }
  }

  /** The flusher. */
  @Benchmark
  @OperationsPerInvocation(DrainLine.EVENTS)
  public int drain(FullRing full, Meter meter) {
    meter.begin();
    int taken = full.line.drain();
    meter.end(taken, 0);
    requireAll(taken);
    return taken;
  }

  /** The shipper. */
  @Benchmark
  @OperationsPerInvocation(DrainLine.EVENTS)
  public void ship(FilledSpool filled, Meter meter) {
    meter.begin();
    filled.line.ship();
    meter.end(DrainLine.EVENTS, 0);
  }

  private static void requireAll(int taken) {
    if (taken != DrainLine.EVENTS) {
      throw new IllegalStateException("drained only %d events: run void".formatted(taken));
    }
  }
}
