package dev.forebay.tiered.spool;

import dev.forebay.tiered.disk.Disk;
import dev.forebay.tiered.identity.InstanceId;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.util.Arrays;
import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.Arbiter;
import org.openjdk.jcstress.annotations.Expect;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.Outcome;
import org.openjdk.jcstress.annotations.State;
import org.openjdk.jcstress.infra.results.III_Result;
import org.openjdk.jcstress.infra.results.II_Result;

/** The real writer and reader of one spool: the flusher's thread against the shipper's. */
public final class PublicationStress {

  private static final int SEGMENT_BYTES = SpoolLimits.MIN_SEGMENT_BYTES;

  /** So long that a segment holds one. */
  private static final int PAYLOAD_BYTES = 100;

  private static final int UNSEEN = 0;
  private static final int RIGHT = 1;
  private static final int WRONG = 2;

  private static final InstanceId INSTANCE = new InstanceId(1, 2);
  private static final SpoolLease LEASE = lease();

  private PublicationStress() {}

  private static SpoolLease lease() {
    try {
      Disk disk = new ArrayDisk(1);
      Path path = Path.of("/", SpoolNames.SPOOL + SpoolNames.spoolSuffix(0, INSTANCE));
      SpoolLock lock = SpoolLock.tryTake(disk, path.resolve("lock"));
      if (lock == null) {
        throw new IllegalStateException("locked");
      }
      return new SpoolLease(disk, path, lock);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static byte[] payload(int sequence) {
    byte[] payload = new byte[PAYLOAD_BYTES];
    Arrays.fill(payload, (byte) ('a' + sequence));
    return payload;
  }

  /** A spool of two segments in plain memory. */
  static class Stage {
    final ArrayDisk disk = new ArrayDisk(SEGMENT_BYTES);
    final SpoolLimits limits = new SpoolLimits(2L * SEGMENT_BYTES, SEGMENT_BYTES);
    final SegmentPool pool = new SegmentPool(disk, LEASE, limits.share(), null, null);
    final SpoolWriter writer = new SpoolWriter(pool, INSTANCE);
    final SegmentCursor cursor =
        new SegmentCursor(disk, pool, pool.content(INSTANCE), new Warnings());
    final RecordBatch batch = new RecordBatch(SEGMENT_BYTES);

    /** Whether the record was taken. */
    int write(int sequence) {
      try {
        int taken =
            writer.append(payload(sequence), 0, PAYLOAD_BYTES, 0) == SpoolWriter.Outcome.ADDED
                ? 1
                : 0;
        writer.flush();
        return taken;
      } catch (IOException e) {
        throw new UncheckedIOException(e);
      }
    }

    /** What stands where the next record should. */
    int read() {
      try {
        batch.clear();
        int sequence = (int) cursor.wanted();
        MissingRecords step = cursor.step();
        if (step != null && step.isNone()) {
          return UNSEEN;
        }
        if (step != null || !cursor.take(batch)) {
          return WRONG;
        }
        return batch.payload().equals(ByteBuffer.wrap(payload(sequence))) ? RIGHT : WRONG;
      } catch (IOException e) {
        return WRONG;
      }
    }

    void release(int sequence) {
      try {
        cursor.release(sequence);
      } catch (IOException e) {
        throw new UncheckedIOException(e);
      }
    }
  }

  /** Two records in two segments against a reader that looks twice. */
  @JCStressTest
  @State
  @Outcome(id = "0, 0", expect = Expect.ACCEPTABLE, desc = "Too early for both records.")
  @Outcome(id = "0, 1", expect = Expect.ACCEPTABLE, desc = "The first came in between.")
  @Outcome(id = "1, 0", expect = Expect.ACCEPTABLE, desc = "The second is not published yet.")
  @Outcome(id = "1, 1", expect = Expect.ACCEPTABLE, desc = "Both, whole.")
  @Outcome(
      expect = Expect.FORBIDDEN,
      desc = "A published record is not readable: a gap, a damaged record or no segment.")
  public static class WriteAgainstRead extends Stage {

    @Actor
    public void flusher() {
      write(0);
      write(1);
    }

    @Actor
    public void shipper(II_Result result) {
      result.r1 = read();
      result.r2 = read();
    }
  }

  /** A full spool: the writer wants a segment while the reader gives one back. */
  @JCStressTest
  @State
  @Outcome(id = "0, 1, 2", expect = Expect.ACCEPTABLE, desc = "Refused: the spool was full.")
  @Outcome(id = "1, 1, 2", expect = Expect.ACCEPTABLE, desc = "In the segment given back.")
  @Outcome(
      expect = Expect.FORBIDDEN,
      desc = "More segments than the cap, one lost for good, or a record overwritten.")
  public static class OpenAgainstRetire extends Stage {
    private int taken;

    public OpenAgainstRetire() {
      write(0);
      write(1);
      read();
    }

    @Actor
    public void flusher() {
      taken = write(2);
    }

    @Actor
    public void shipper() {
      release(1);
    }

    @Arbiter
    public void account(III_Result result) {
      result.r1 = taken;
      int second = read();
      int third = taken == 1 ? read() : RIGHT;
      result.r2 = second == RIGHT && third == RIGHT ? RIGHT : WRONG;
      result.r3 = (int) (pool.share().usedBytes() / SEGMENT_BYTES);
    }
  }
}
