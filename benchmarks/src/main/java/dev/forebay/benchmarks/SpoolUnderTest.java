package dev.forebay.benchmarks;

import dev.forebay.tiered.disk.NioDisk;
import dev.forebay.tiered.identity.LogIdentity;
import dev.forebay.tiered.spool.MissingRecords;
import dev.forebay.tiered.spool.RecordBatch;
import dev.forebay.tiered.spool.Spool;
import dev.forebay.tiered.spool.SpoolDirectory;
import dev.forebay.tiered.spool.SpoolLimits;
import dev.forebay.tiered.spool.SpoolWriter;
import java.io.IOException;
import org.openjdk.jmh.annotations.Level;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.TearDown;

/** A spool in memory with writer and reader on the benchmark's one thread. */
@State(Scope.Thread)
@SuppressWarnings("NullAway.Init") // JMH calls setUp first
public class SpoolUnderTest {

  /** Records of one invocation. */
  static final int RECORDS = 4096;

  private static final int PAYLOAD_BYTES = 200;
  private static final int LEVEL = 2;
  private static final int SEGMENT_BYTES = 4 << 20;
  private static final int SEGMENTS = 8;

  /** As the shipper has it. */
  private static final int BATCH_BYTES = 256 * 1024;

  private final byte[] payload = new byte[PAYLOAD_BYTES];
  private final RecordBatch batch = new RecordBatch(BATCH_BYTES);
  private ScratchDirectories scratch;
  private Spool spool;
  private long written;
  private long read;

  /** Makes the spool. */
  @Setup(Level.Trial)
  public void setUp() throws IOException {
    scratch = new ScratchDirectories();
    spool = create(scratch, SEGMENTS);
  }

  static Spool create(ScratchDirectories scratch, int segments) throws IOException {
    return SpoolDirectory.open(
            NioDisk.current(),
            scratch.spool(),
            LogIdentity.of(NioDisk.current(), scratch.logFile()))
        .createSpool(new SpoolLimits((long) segments * SEGMENT_BYTES, SEGMENT_BYTES));
  }

  /** Appends the records of one invocation and flushes behind each {@code perFlush}. */
  long write(int perFlush) throws IOException {
    SpoolWriter writer = spool.writer();
    for (int i = 1; i <= RECORDS; i++) {
      if (writer.append(payload, 0, PAYLOAD_BYTES, LEVEL) != SpoolWriter.Outcome.ADDED) {
        throw new IllegalStateException("the spool is full: run void");
      }
      if (i % perFlush == 0) {
        writer.flush();
      }
    }
    writer.flush();
    written += RECORDS;
    return (long) RECORDS * PAYLOAD_BYTES;
  }

  /** Reads all there is, and gives the segments back to be used again. */
  long readAndRelease() throws IOException {
    long bytes = 0;
    while (read < written) {
      MissingRecords gap = spool.source().read(batch, BATCH_BYTES);
      if (batch.count() == 0) {
        throw new IllegalStateException(
            "read %d of %d records, then %s: run void".formatted(read, written, gap));
      }
      read += batch.count();
      bytes += batch.byteCount();
    }
    spool.source().release(read);
    return bytes;
  }

  /** Reads the rest; throws, which makes the run void, when a record is missing. */
  @TearDown(Level.Trial)
  public void tearDown() throws IOException {
    readAndRelease();
    long published = spool.publishedSequence();
    spool.discard();
    scratch.close();
    if (read != written || published != written) {
      throw new IllegalStateException(
          "wrote %d, published %d, read %d: run void".formatted(written, published, read));
    }
  }
}
