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
import org.jspecify.annotations.Nullable;

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

  /**
   * What follows a checkpoint in the log.
   *
   * @param next the first record that is not complete there, before the bytes of others if there
   *     are any
   * @param end what the file is cut back to: the end of the records before that one, without a part
   *     of it or zeros that a power cut left; its size if others wrote to it
   * @param foreign why the file is not the one of the checkpoint, or was written to by others; null
   *     if neither
   */
  record Tail(long next, long end, @Nullable String foreign) {}

  private TailComparison() {}

  /**
   * Compares; leaves {@code records} positioned anywhere.
   *
   * @param log the file the checkpoint names
   * @param checkpoint its end, anchor and sequence are used
   * @param batch scratch space
   */
  static Tail of(DiskFile log, Checkpoint checkpoint, Records records, RecordBatch batch)
      throws IOException {
    long size = log.size();
    long from = checkpoint.end().offset();
    long first = checkpoint.next().sequence();
    if (size < from) {
      String fault = "it has %d bytes, the checkpoint says at least %d".formatted(size, from);
      return new Tail(first, size, fault);
    }
    if (!matchesAnchor(log, from, checkpoint.anchor())) {
      return new Tail(first, size, "the bytes before offset " + from + " have changed");
    }
    records.seek(first);
    Tail whole = new Tail(first, from, null);
    boolean isHoled = false;
    for (long offset = from; offset < size; ) {
      ReadOutcome outcome = records.read(batch, CHUNK_BYTES);
      if (!(outcome instanceof ReadOutcome.Records)) {
        if (isZero(log, offset, size)) {
          isHoled = true;
          break;
        }
        // the bytes after a gap may be ours: nothing shows which records they are
        long next = isHoled || outcome instanceof ReadOutcome.Gap ? first : whole.next();
        String fault = "%d bytes after offset %d are not from this spool";
        return new Tail(next, size, fault.formatted(size - offset, offset));
      }
      int length = (int) Math.min(batch.byteCount(), size - offset);
      ByteBuffer expected = batch.payload().limit(length);
      int same = sameBytes(log, offset, expected, false);
      if (same < length && sameBytes(log, offset, expected, true) < length) {
        long next = isHoled ? first : batch.firstSequence() + batch.recordsWithin(same);
        return new Tail(next, size, "bytes after offset " + offset + " are not from this spool");
      }
      isHoled |= same < length;
      int complete = batch.recordsWithin(length);
      whole = new Tail(batch.firstSequence() + complete, offset + batch.byteCount(complete), null);
      offset += length;
    }
    return isHoled ? new Tail(first, from, null) : whole;
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

  /**
   * How many of the expected bytes precede the first that is another one in the log.
   *
   * @param orZero whether a zero in the log passes for any byte
   */
  private static int sameBytes(DiskFile log, long offset, ByteBuffer expected, boolean orZero)
      throws IOException {
    for (int from = 0; from < expected.limit(); from += CHUNK_BYTES) {
      ByteBuffer actual = ByteBuffer.allocate(Math.min(CHUNK_BYTES, expected.limit() - from));
      if (!readFully(log, offset + from, actual)) {
        return from;
      }
      ByteBuffer part = expected.slice(from, actual.flip().limit());
      for (int i = orZero ? 0 : actual.mismatch(part); i >= 0 && i < actual.limit(); i++) {
        if (actual.get(i) != part.get(i) && !(orZero && actual.get(i) == 0)) {
          return from + i;
        }
      }
    }
    return expected.limit();
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
