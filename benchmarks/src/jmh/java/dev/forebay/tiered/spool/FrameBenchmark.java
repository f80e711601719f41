package dev.forebay.tiered.spool;

import dev.forebay.benchmarks.Meter;
import dev.forebay.tiered.identity.InstanceId;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.TimeUnit;
import java.util.zip.CRC32C;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Fork;
import org.openjdk.jmh.annotations.Level;
import org.openjdk.jmh.annotations.Measurement;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OperationsPerInvocation;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.Warmup;

/** The frame around a record: header, copy and checksum, and the checksum alone. */
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
@Fork(
    value = 1,
    jvmArgsAppend = {"-Xms1g", "-Xmx1g", "-XX:+AlwaysPreTouch"})
@Warmup(iterations = 3, time = 300, timeUnit = TimeUnit.MILLISECONDS)
@Measurement(iterations = 5, time = 300, timeUnit = TimeUnit.MILLISECONDS)
public class FrameBenchmark {

  private static final int FRAMES = 1024;
  private static final int STAGING_BYTES = 64 * 1024;
  private static final int LEVEL = 2;

  /** A record and a buffer as large as the writer's, which is filled again and again. */
  @State(Scope.Thread)
  @SuppressWarnings("NullAway.Init") // JMH calls setUp first
  public static class Frames {

    @Param({"100", "200", "1000"})
    public int payloadBytes;

    private final FrameFormat format = new FrameFormat(new InstanceId(1, 2));
    private final CRC32C crc = new CRC32C();
    private final byte[] staging = new byte[STAGING_BYTES];
    private byte[] payload;

    /** Makes the record. */
    @Setup(Level.Trial)
    public void setUp() {
      payload = new byte[payloadBytes];
      ThreadLocalRandom.current().nextBytes(payload);
    }

    private int putAll() {
      int frameBytes = (int) FrameFormat.frameBytes(payloadBytes);
      int at = 0;
      for (int i = 0; i < FRAMES; i++) {
        if (at + frameBytes > STAGING_BYTES) {
          at = 0;
        }
        format.putFrame(staging, at, payload, 0, payloadBytes, LEVEL, i);
        at += frameBytes;
      }
      int last = at - frameBytes;
      return FrameFormat.expectedChecksum(FrameFormat.of(staging), last);
    }

    private long checksumAll() {
      long sum = 0;
      for (int i = 0; i < FRAMES; i++) {
        crc.reset();
        crc.update(payload);
        sum += crc.getValue();
      }
      return sum;
    }
  }

  /** Frames, one behind the other. */
  @Benchmark
  @OperationsPerInvocation(FRAMES)
  public int putFrame(Frames frames, Meter meter) {
    meter.begin();
    int checksum = frames.putAll();
    meter.end(FRAMES, (long) FRAMES * frames.payloadBytes);
    return checksum;
  }

  /** Checksums of the payload. */
  @Benchmark
  @OperationsPerInvocation(FRAMES)
  public long checksum(Frames frames, Meter meter) {
    meter.begin();
    long sum = frames.checksumAll();
    meter.end(FRAMES, (long) FRAMES * frames.payloadBytes);
    return sum;
  }
}
