package dev.forebay.benchmarks;

import ch.qos.logback.classic.LoggerContext;
import dev.forebay.observe.Ledger;
import dev.forebay.tiered.TieredStages;
import dev.forebay.tiered.spool.Spool;
import dev.forebay.tiered.spool.SpoolWriter;
import java.io.IOException;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.TimeUnit;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Fork;
import org.openjdk.jmh.annotations.Level;
import org.openjdk.jmh.annotations.Measurement;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.TearDown;
import org.openjdk.jmh.annotations.Warmup;

/**
 * How long a start needs for the spool that a killed process left: find it, look for its end, check
 * and copy every record, and force the log, once a second and at the end, as the default says. Done
 * once in a young JVM, as a start is, and on the disk that holds {@code java.io.tmpdir}. Bytes are
 * those of the records without their frames.
 */
@BenchmarkMode(Mode.SingleShotTime)
@OutputTimeUnit(TimeUnit.MILLISECONDS)
@Fork(
    value = 3,
    jvmArgsAppend = {"-Xms1g", "-Xmx1g", "-XX:+AlwaysPreTouch"})
@Warmup(iterations = 0)
@Measurement(iterations = 1)
public class RecoveryBenchmark {

  /** A spool with a lock that nobody holds. */
  @State(Scope.Thread)
  @SuppressWarnings("NullAway.Init") // JMH calls setUp first
  public static class Orphan {

    private static final int PAYLOAD_BYTES = 200;
    private static final int LEVEL = 2;
    private static final int SEGMENTS = 256;

    @Param("128")
    public int megabytes;

    private ScratchDirectories scratch;
    private TieredStages stages;
    private long records;

    /** Writes the spool, leaves it as a kill does, and starts anew. */
    @Setup(Level.Iteration)
    public void setUp() throws IOException {
      scratch = new ScratchDirectories();
      records = ((long) megabytes << 20) / PAYLOAD_BYTES;
      byte[] payload = new byte[PAYLOAD_BYTES];
      ThreadLocalRandom.current().nextBytes(payload);
      payload[PAYLOAD_BYTES - 1] = '\n';
      try (Spool spool = SpoolUnderTest.create(scratch, SEGMENTS)) {
        for (long i = 0; i < records; i++) {
          if (spool.writer().append(payload, 0, PAYLOAD_BYTES, LEVEL)
              != SpoolWriter.Outcome.ADDED) {
            throw new IllegalStateException("the spool is full: run void");
          }
        }
        spool.writer().flush();
      }
      stages =
          new TieredStages(
              scratch, EncoderKind.CONSTANT.start(new LoggerContext()), true, new Ledger());
    }

    /** Removes everything; throws when not all records were recovered. */
    @TearDown(Level.Iteration)
    public void tearDown() {
      stages.close();
      scratch.close();
      stages.requireRecovered(records);
    }
  }

  /** The shipper's work on the spool. */
  @Benchmark
  public void takeOver(Orphan orphan, Meter meter) throws IOException {
    meter.begin();
    orphan.stages.shipOrphans(orphan.records);
    meter.end(orphan.records, orphan.records * Orphan.PAYLOAD_BYTES);
  }
}
