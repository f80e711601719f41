package dev.forebay.tiered.file;

import dev.forebay.tiered.disk.DiskFile;
import dev.forebay.tiered.disk.UnreadableException;
import dev.forebay.tiered.file.Checkpoint.Anchor;
import dev.forebay.tiered.ship.Records;
import dev.forebay.tiered.spool.ReadOutcome;
import dev.forebay.tiered.spool.RecordBatch;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.zip.CRC32C;

/**
 * Compares the log after a checkpoint with the records of the spool from that checkpoint on, to
 * find out which of them a process wrote before it died.
 *
 * <p>The process wrote records in order and nothing else, so the log's tail is the beginning of the
 * records, ending anywhere, even within one. Everything is streamed: neither the tail nor the spool
 * need fit into memory.
 */
final class TailComparison {

  private static final int CHUNK_BYTES = 64 * 1024;

  /** What the comparison found. */
  sealed interface Result {

    /** First record not known to be complete in the log. */
    long next();

    /**
     * The tail is the beginning of the records.
     *
     * @param next first record not completely in the log
     * @param bytesOfNext bytes of that record that are in the log
     */
    record Prefix(long next, int bytesOfNext) implements Result {}

    /**
     * The tail is the beginning of the records, but a power cut replaced some bytes by zeros.
     *
     * @param next the checkpoint's next record: the tail is cut off
     */
    record Holed(long next) implements Result {}

    /**
     * The log is not the one the checkpoint was made for, or others wrote to it.
     *
     * @param next first record that is not complete in the log before the bytes of others; the
     *     checkpoint's if there is none
     */
    record Foreign(String reason, long next) implements Result {}
  }

  private TailComparison() {}

  /**
   * Compares; leaves {@code records} positioned anywhere.
   *
   * @param log the file the checkpoint names
   * @param checkpoint its end, anchor and sequence are used
   * @param batch scratch space
   */
  static Result of(DiskFile log, Checkpoint checkpoint, Records records, RecordBatch batch)
      throws IOException {
    long size = log.size();
    long offset = checkpoint.end().offset();
    long first = checkpoint.next().sequence();
    if (size < offset) {
      return new Result.Foreign(
          "it has %d bytes, the checkpoint says at least %d".formatted(size, offset), first);
    }
    if (!matchesAnchor(log, offset, checkpoint.anchor())) {
      return new Result.Foreign("the bytes before offset " + offset + " have changed", first);
    }
    records.seek(first);
    boolean holed = false;
    while (true) {
      ReadOutcome outcome = records.read(batch, CHUNK_BYTES);
      if (!(outcome instanceof ReadOutcome.Records)) {
        if (offset < size && !isZero(log, offset, size)) {
          return new Result.Foreign(
              "%d bytes after offset %d are not from this spool".formatted(size - offset, offset),
              // the bytes after a gap may be ours: nothing shows which records they are
              holed || outcome instanceof ReadOutcome.Gap ? first : records.nextSequence());
        }
        long next =
            outcome instanceof ReadOutcome.Gap gap ? gap.fromSequence() : records.nextSequence();
        return holed || offset < size ? new Result.Holed(first) : new Result.Prefix(next, 0);
      }
      int length = (int) Math.min(batch.byteCount(), size - offset);
      switch (compareAll(log, offset, length, records, batch)) {
        case EQUAL -> {}
        case HOLED -> holed = true;
        case FOREIGN -> {
          return new Result.Foreign(
              "bytes after offset " + offset + " are not from this spool",
              holed ? first : batch.firstSequence() + completeBefore(log, offset, batch));
        }
      }
      offset += length;
      if (length < batch.byteCount() || offset == size) {
        int complete = batch.recordsWithin(length);
        return holed
            ? new Result.Holed(first)
            : new Result.Prefix(
                batch.firstSequence() + complete, length - batch.byteCount(complete));
      }
    }
  }

  private static boolean matchesAnchor(DiskFile log, long end, Anchor anchor) throws IOException {
    if (anchor.length() <= 0 || anchor.length() > Math.min(end, CHUNK_BYTES)) {
      return anchor.length() <= end;
    }
    ByteBuffer bytes = ByteBuffer.allocate(anchor.length());
    if (!readFully(log, end - anchor.length(), bytes)) {
      return false;
    }
    CRC32C crc = new CRC32C();
    crc.update(bytes.flip());
    return (int) crc.getValue() == anchor.crc();
  }

  private enum Likeness {
    EQUAL,
    /** Where a byte differs, it is zero. */
    HOLED,
    FOREIGN
  }

  /** Compares the first bytes of a batch, which may be a large record, part by part. */
  private static Likeness compareAll(
      DiskFile log, long offset, int length, Records records, RecordBatch batch)
      throws IOException {
    Likeness all = Likeness.EQUAL;
    for (int done = 0; done < length; ) {
      if (done > 0) {
        records.slide(batch, done);
      }
      ByteBuffer part = batch.payload();
      part.limit(Math.min(part.limit(), length - done));
      Likeness likeness = compare(log, offset + done, part);
      if (likeness == Likeness.FOREIGN) {
        return likeness;
      }
      all = likeness == Likeness.HOLED ? likeness : all;
      done += part.remaining();
    }
    return all;
  }

  /** How many records of a batch that differs from the log precede the first difference. */
  private static int completeBefore(DiskFile log, long offset, RecordBatch batch)
      throws IOException {
    if (batch.from() > 0) {
      return 0; // within its only record
    }
    ByteBuffer expected = batch.payload();
    ByteBuffer actual = ByteBuffer.allocate(expected.remaining());
    readFully(log, offset, actual);
    return batch.recordsWithin(Math.max(0, actual.flip().mismatch(expected)));
  }

  private static Likeness compare(DiskFile log, long offset, ByteBuffer expected)
      throws IOException {
    ByteBuffer actual = ByteBuffer.allocate(expected.remaining());
    if (!readFully(log, offset, actual)) {
      return Likeness.FOREIGN;
    }
    if (actual.flip().equals(expected)) {
      return Likeness.EQUAL;
    }
    for (int i = 0; i < actual.limit(); i++) {
      if (actual.get(i) != 0 && actual.get(i) != expected.get(expected.position() + i)) {
        return Likeness.FOREIGN;
      }
    }
    return Likeness.HOLED;
  }

  private static boolean isZero(DiskFile log, long from, long to) throws IOException {
    for (long offset = from; offset < to; offset += CHUNK_BYTES) {
      ByteBuffer bytes = ByteBuffer.allocate((int) Math.min(CHUNK_BYTES, to - offset));
      if (!readFully(log, offset, bytes)
          || bytes.flip().mismatch(ByteBuffer.allocate(bytes.limit())) >= 0) {
        return false;
      }
    }
    return true;
  }

  private static boolean readFully(DiskFile log, long offset, ByteBuffer into) throws IOException {
    try {
      while (into.hasRemaining()) {
        if (log.read(into, offset + into.position()) < 0) {
          return false;
        }
      }
      return true;
    } catch (IOException e) {
      throw new UnreadableException(e);
    }
  }
}
