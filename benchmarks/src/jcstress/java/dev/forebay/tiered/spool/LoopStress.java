package dev.forebay.tiered.spool;

import dev.forebay.tiered.identity.InstanceId;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.Objects;
import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.Expect;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.Outcome;
import org.openjdk.jcstress.annotations.State;
import org.openjdk.jcstress.infra.results.III_Result;
import org.openjdk.jcstress.infra.results.II_Result;

/** A loop and what a dump holds of it: the flusher's thread against the shipper's. */
public final class LoopStress {

  private static final int SEGMENT_BYTES = SpoolLimits.MIN_SEGMENT_BYTES;

  /** So long that a segment holds one. */
  private static final int PAYLOAD_BYTES = 100;

  private static final int UNSEEN = 0;
  private static final int RIGHT = 1;
  private static final int MISSING = 2;
  private static final int WRONG = 3;

  private LoopStress() {}

  private static byte[] payload(long sequence) {
    byte[] payload = new byte[PAYLOAD_BYTES];
    Arrays.fill(payload, (byte) ('a' + sequence));
    return payload;
  }

  /** Of all stages: a claim is taken once in a process. */
  private static final SpoolLock LOCK = lock();

  private static SpoolLock lock() {
    try {
      return Objects.requireNonNull(
          SpoolLock.tryTake(new ArrayDisk(1), Path.of("/flight").resolve("lock")));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** A loop of three segments in plain memory. */
  static class Stage {
    final ArrayDisk disk = new ArrayDisk(SEGMENT_BYTES);
    final Loop loop;
    final RecordBatch batch = new RecordBatch(SEGMENT_BYTES);

    Stage() {
      String suffix = SpoolNames.spoolSuffix(0, new InstanceId(1, 2));
      Path path = Path.of("/", SpoolNames.FLIGHT + suffix);
      loop =
          new Loop(
              disk,
              new SpoolLease(disk, path, LOCK),
              new SpoolLimits(3L * SEGMENT_BYTES, SEGMENT_BYTES),
              Long.MAX_VALUE,
              expired -> {},
              () -> 0,
              0);
    }

    void write(int sequence) {
      try {
        loop.append(payload(sequence), 0, PAYLOAD_BYTES, 0, false);
        loop.flush();
      } catch (IOException e) {
        throw new UncheckedIOException(e);
      }
    }

    RecordSource source(LoopHold hold) {
      try {
        return loop.read(hold);
      } catch (IOException e) {
        throw new UncheckedIOException(e);
      }
    }

    /** What stands where the next record should. */
    int read(RecordSource source) {
      try {
        MissingRecords gap = source.read(batch, 1);
        if (gap == null && batch.count() == 0) {
          return UNSEEN;
        }
        if (gap != null) {
          return gap.count() == 1 ? MISSING : WRONG;
        }
        ByteBuffer expected = ByteBuffer.wrap(payload(batch.firstSequence()));
        return batch.count() == 1 && batch.payload().equals(expected) ? RIGHT : WRONG;
      } catch (IOException e) {
        return WRONG;
      }
    }
  }

  /** Two records in two segments against a dump that looks twice. */
  @JCStressTest
  @State
  @Outcome(id = "0, 0", expect = Expect.ACCEPTABLE, desc = "Too early for both records.")
  @Outcome(id = "0, 1", expect = Expect.ACCEPTABLE, desc = "The first came in between.")
  @Outcome(id = "1, 0", expect = Expect.ACCEPTABLE, desc = "The second is not readable yet.")
  @Outcome(id = "1, 1", expect = Expect.ACCEPTABLE, desc = "Both, whole.")
  @Outcome(expect = Expect.FORBIDDEN, desc = "A readable record whose segment is not visible.")
  public static class RecordAgainstDump extends Stage {
    private final LoopHold hold = loop.hold();

    @Actor
    public void flusher() {
      write(0);
      write(1);
    }

    @Actor
    public void shipper(II_Result result) {
      RecordSource source = source(hold);
      result.r1 = read(source);
      result.r2 = read(source);
    }
  }

  /** The end of a dump, which is set after its last record. */
  @JCStressTest
  @State
  @Outcome(id = "0, 0", expect = Expect.ACCEPTABLE, desc = "No end yet, and no record.")
  @Outcome(id = "0, 1", expect = Expect.ACCEPTABLE, desc = "The record before its end.")
  @Outcome(id = "1, 1", expect = Expect.ACCEPTABLE, desc = "An end, and the record before it.")
  @Outcome(expect = Expect.FORBIDDEN, desc = "The dump ends without its last record.")
  public static class EndAgainstDump extends Stage {
    private final LoopHold hold = loop.hold();

    @Actor
    public void flusher() {
      write(0);
      loop.end(hold);
    }

    @Actor
    public void shipper(II_Result result) {
      result.r1 = hold.hasEnd() ? 1 : 0;
      result.r2 = read(source(hold));
    }
  }

  /** A full loop: the recorder needs the segment that the dump is reading. */
  @JCStressTest
  @State
  @Outcome(id = "1, 1, 1", expect = Expect.ACCEPTABLE, desc = "Read before it was overwritten.")
  @Outcome(id = "2, 1, 1", expect = Expect.ACCEPTABLE, desc = "Overwritten, and known to be.")
  @Outcome(expect = Expect.FORBIDDEN, desc = "A wrong record, or one that was not overwritten.")
  public static class OverwriteAgainstDump extends Stage {
    private final LoopHold hold;

    public OverwriteAgainstDump() {
      write(0);
      write(1);
      write(2);
      hold = loop.hold();
      loop.end(hold);
    }

    @Actor
    public void flusher() {
      write(3);
    }

    @Actor
    public void shipper(III_Result result) {
      RecordSource source = source(hold);
      result.r1 = read(source);
      hold.release(source.nextSequence());
      result.r2 = read(source);
      result.r3 = read(source);
    }
  }
}
