package dev.forebay.tiered.file;

import dev.forebay.tiered.checkpoint.Checkpoint;
import dev.forebay.tiered.checkpoint.Checkpoint.Anchor;
import dev.forebay.tiered.checkpoint.Checkpoint.Position;
import dev.forebay.tiered.checkpoint.Checkpoint.State;
import dev.forebay.tiered.disk.Disk;
import dev.forebay.tiered.disk.DiskFile;
import dev.forebay.tiered.disk.UnreadableException;
import dev.forebay.tiered.ship.Records;
import dev.forebay.tiered.spool.MissingRecords;
import dev.forebay.tiered.spool.RecordBatch;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.AccessDeniedException;
import org.jspecify.annotations.Nullable;

/**
 * Finds out what follows a checkpoint in the log, and cuts off what cannot stay. For the shipper's
 * thread.
 *
 * <p>The process that died wrote records in order and nothing else, so the log's tail is the
 * beginning of the spool's records from the checkpoint on, ending anywhere, even within one.
 * Everything is streamed: neither the tail nor the spool need fit into memory.
 *
 * @param former where a file is looked for that the active log does not have; never changed
 */
record TailRecovery(RollingLog active, RollingLog former, boolean forces, RecordBatch scratch) {

  private static final int CHUNK_BYTES = 64 * 1024;

  /**
   * What follows a checkpoint in the log.
   *
   * @param next the first record that is not complete there, before any foreign bytes
   * @param end what the file is cut back to: the end of the records before that one, without a part
   *     of it or zeros that a power cut left; its size if another process wrote to it
   * @param foreign why it is another file, or has foreign bytes; null if neither
   */
  record Tail(long next, long end, @Nullable String foreign) {}

  /**
   * Finds the first record to be appended to the log, which ends with a whole one then; leaves the
   * spool positioned anywhere. If the log stays unreadable, shipping continues at the checkpoint;
   * if it cannot be cut back, after a torn line.
   */
  long find(Records records, Checkpoint last) throws IOException {
    long next = last.next().sequence();
    boolean isCertain = last.state() == State.RECORDS;
    try {
      Checkpoint from = last;
      DiskFile named = open(last);
      boolean isGone = named == null && isCertain;
      if (isGone) { // an editor replaces a file by a copy
        from = last.movedTo(active.position().fileKey());
        named = open(from);
      }
      if (named == null) {
        warnOfGone(records, next);
        return next;
      }
      try (DiskFile log = named) {
        Tail tail = compare(log, from, records, scratch);
        if (isGone && !isCopy(tail, from, log.size())) {
          warnOfGone(records, next);
          return next;
        }
        boolean isPartOurs = isCertain && tail.next() > next;
        if (isCertain && (tail.foreign() == null || isPartOurs)) {
          forceIfMoved(records, log, from);
        }
        next = isCertain ? tail.next() : next;
        if (tail.foreign() == null) {
          cut(log, from, isCertain ? tail.end() : from.end().offset());
        } else if (!active.wasEmptied()) { // whole records before foreign bytes count
          warn(
              isPartOurs
                  ? "%s was also written to by others; continuing after their lines"
                      .formatted(active.name())
                  : "%s was changed by others: %s; up to %d lines since the last checkpoint may be duplicated"
                      .formatted(
                          active.name(),
                          tail.foreign(),
                          records.countFrom(from.next().sequence())));
        }
      }
    } catch (UnreadableException e) {
      int failures = active.countUnreadable();
      if (failures < UnreadableException.MAX_ATTEMPTS) {
        throw e;
      }
      if (failures == UnreadableException.MAX_ATTEMPTS) {
        warn(
            "%s %s; up to %d lines since the last checkpoint may be duplicated"
                .formatted(active.name(), e.getMessage(), records.countFrom(next)));
      }
    }
    return next;
  }

  /** Forces the moved file now: there is no later chance. */
  private void forceIfMoved(Records records, DiskFile log, Checkpoint from) throws IOException {
    if (forces && !active.position().fileKey().equals(from.end().fileKey())) {
      try {
        log.force();
      } catch (IOException e) {
        records.markUnforced();
        throw e;
      }
    }
  }

  private @Nullable DiskFile open(Checkpoint from) throws IOException {
    try {
      DiskFile found = active.find(from.end(), Disk.Mode.READ);
      return found == null && former != active ? former.find(from.end(), Disk.Mode.READ) : found;
    } catch (AccessDeniedException e) {
      throw new UnreadableException(e);
    }
  }

  private void warnOfGone(Records records, long next) throws IOException {
    long left = records.countFrom(next);
    String fate =
        left == 0
            ? "its lines are no longer in the spool and are not written again"
            : "up to %d of its lines are still in the spool and are written again".formatted(left);
    warn("The previous file of %s is gone; %s".formatted(active.name(), fate));
  }

  /** Whether a file that replaced the log holds a part of it at the same offset. */
  private static boolean isCopy(Tail tail, Checkpoint from, long size) {
    return tail.next() > from.next().sequence()
        || (tail.foreign() == null && (size > from.end().offset() || from.anchor().length() > 0));
  }

  private void warn(String text) {
    active.voice().warn(text);
  }

  private void cut(DiskFile log, Checkpoint from, long endOffset) throws IOException {
    if (log.size() > endOffset) {
      try {
        active.truncate(new Position(from.end().fileKey(), endOffset));
      } catch (IOException e) { // only appending may be allowed
        throw new UnreadableException("cannot be cut back to its last whole line", e);
      }
    }
  }

  /** Compares with the file that the checkpoint names; leaves {@code records} anywhere. */
  static Tail compare(DiskFile log, Checkpoint checkpoint, Records records, RecordBatch batch)
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
      MissingRecords gap = records.read(batch, CHUNK_BYTES);
      if (batch.count() == 0) {
        if (isZero(log, offset, size)) {
          isHoled = true;
          break;
        }
        // the bytes after a gap may be ours: nothing shows which records they are
        long next = isHoled || gap != null ? first : whole.next();
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
    return UnreadableException.readFully(log, bytes, end - anchor.length())
        && Anchor.of(bytes.flip()).crc() == anchor.crc();
  }

  /**
   * How many of the expected bytes precede the first that is another one in the log, where a zero
   * may pass for any byte.
   */
  private static int sameBytes(DiskFile log, long offset, ByteBuffer expected, boolean orZero)
      throws IOException {
    for (int from = 0; from < expected.limit(); from += CHUNK_BYTES) {
      ByteBuffer actual = ByteBuffer.allocate(Math.min(CHUNK_BYTES, expected.limit() - from));
      if (!UnreadableException.readFully(log, actual, offset + from)) {
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
      ByteBuffer zeros = ByteBuffer.allocate((int) Math.min(CHUNK_BYTES, to - offset));
      if (sameBytes(log, offset, zeros, false) < zeros.limit()) {
        return false;
      }
    }
    return true;
  }
}
