package dev.forebay.benchmarks;

import java.io.IOException;
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
 * Records of 200 bytes into the spool and out of it. The reader gives its segments back, so that
 * the files that are written to were written to before: a spool in its steady state.
 */
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
@Fork(
    value = 1,
    jvmArgsAppend = {"-Xms1g", "-Xmx1g", "-XX:+AlwaysPreTouch"})
@Warmup(iterations = 3, time = 500, timeUnit = TimeUnit.MILLISECONDS)
@Measurement(iterations = 5, time = 500, timeUnit = TimeUnit.MILLISECONDS)
public class SpoolBenchmark {

  private static final int SMALL_BATCH = 64;

  /** A spool that was read to its end. */
  @State(Scope.Thread)
  @SuppressWarnings("NullAway.Init") // JMH calls setUp first
  public static class Emptied {

    private SpoolUnderTest spool;

    /** Reads. */
    @Setup(Level.Invocation)
    public void setUp(SpoolUnderTest spool) throws IOException {
      this.spool = spool;
      spool.readAndRelease();
    }
  }

  /** A spool with the records of one invocation. */
  @State(Scope.Thread)
  @SuppressWarnings("NullAway.Init") // JMH calls setUp first
  public static class Filled {

    private SpoolUnderTest spool;

    /** Writes. */
    @Setup(Level.Invocation)
    public void setUp(SpoolUnderTest spool) throws IOException {
      this.spool = spool;
      spool.write(SpoolUnderTest.RECORDS);
    }
  }

  /** One flush behind all. */
  @Benchmark
  @OperationsPerInvocation(SpoolUnderTest.RECORDS)
  public void writeLargeBatches(Emptied emptied, Meter meter) throws IOException {
    meter.begin();
    long bytes = emptied.spool.write(SpoolUnderTest.RECORDS);
    meter.end(SpoolUnderTest.RECORDS, bytes);
  }

  /** A flush behind 64 records each, as at some 10,000 events a second. */
  @Benchmark
  @OperationsPerInvocation(SpoolUnderTest.RECORDS)
  public void writeSmallBatches(Emptied emptied, Meter meter) throws IOException {
    meter.begin();
    long bytes = emptied.spool.write(SMALL_BATCH);
    meter.end(SpoolUnderTest.RECORDS, bytes);
  }

  /** Batches as large as the shipper's. */
  @Benchmark
  @OperationsPerInvocation(SpoolUnderTest.RECORDS)
  public void read(Filled filled, Meter meter) throws IOException {
    meter.begin();
    long bytes = filled.spool.readAndRelease();
    meter.end(SpoolUnderTest.RECORDS, bytes);
  }
}
