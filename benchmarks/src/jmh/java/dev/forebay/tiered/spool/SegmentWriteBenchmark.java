package dev.forebay.tiered.spool;

import dev.forebay.tiered.disk.Disk;
import dev.forebay.tiered.disk.DiskFile;
import dev.forebay.tiered.disk.NioDisk;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.MappedByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
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
import org.openjdk.jmh.annotations.TearDown;
import org.openjdk.jmh.annotations.Warmup;

/** One record alone, from the staging buffer into a segment on tmpfs that was written before. */
@BenchmarkMode(Mode.SampleTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
@Fork(1)
@Warmup(iterations = 3, time = 300, timeUnit = TimeUnit.MILLISECONDS)
@Measurement(iterations = 5, time = 500, timeUnit = TimeUnit.MILLISECONDS)
@State(Scope.Thread)
@SuppressWarnings("NullAway.Init") // JMH calls setUp first
public class SegmentWriteBenchmark {

  private static final int SEGMENT_BYTES = 4 << 20;
  private static final int RECORD_BYTES = 150;

  private final ByteBuffer staging = FrameFormat.directBuffer(RECORD_BYTES);
  private Path path;
  private DiskFile channel;
  private DiskFile plain;
  private MappedByteBuffer mapped;
  private int end;

  /** Makes the segment, all of whose pages exist. */
  @Setup(Level.Trial)
  public void setUp() throws IOException {
    Disk disk = new NioDisk();
    path = Files.createTempFile(Path.of("/dev/shm"), "segment-", "");
    Files.write(path, new byte[SEGMENT_BYTES]);
    channel = disk.open(path, Disk.Mode.UPDATE);
    plain = disk.open(path, Disk.Mode.UPDATE_BY_CALLS);
    try (FileChannel file =
        FileChannel.open(path, StandardOpenOption.READ, StandardOpenOption.WRITE)) {
      mapped = file.map(FileChannel.MapMode.READ_WRITE, 0, SEGMENT_BYTES);
    }
  }

  /** Removes it. */
  @TearDown(Level.Trial)
  public void tearDown() throws IOException {
    channel.close();
    plain.close();
    Files.delete(path);
  }

  private int next() {
    int at = end + RECORD_BYTES > SEGMENT_BYTES ? 0 : end;
    end = at + RECORD_BYTES;
    return at;
  }

  /** Through a channel, which an interrupt of the thread closes. */
  @Benchmark
  public int channel() throws IOException {
    return channel.write(staging.clear(), next());
  }

  /** Through a file without a channel. */
  @Benchmark
  public int plain() throws IOException {
    return plain.write(staging.clear(), next());
  }

  /** Without a system call. */
  @Benchmark
  public MappedByteBuffer mapped() {
    mapped.put(next(), staging, 0, RECORD_BYTES);
    return mapped;
  }

  /** What the measurement itself takes. */
  @Benchmark
  public int nothing() {
    return next();
  }
}
