package dev.forebay.tiered.spool;

import dev.forebay.tiered.disk.Disk;
import dev.forebay.tiered.identity.InstanceId;
import dev.forebay.tiered.identity.LogNote;
import java.io.Closeable;
import java.io.IOException;
import java.nio.file.Path;
import org.jspecify.annotations.Nullable;

/**
 * The records of one spool in order: our own live one or an orphan. For the shipper's thread only.
 */
public final class RecordSource implements Closeable {
  private final Disk disk;
  private final SpoolLease lease;
  private final SegmentFeed feed;
  private final Warnings warnings;

  /** Created on first use, because many orphans may wait while one is read. */
  private @Nullable SegmentCursor cursor;

  private @Nullable MissingRecords pendingGap;

  RecordSource(Disk disk, SpoolLease lease, SegmentFeed feed, Warnings warnings) {
    this.disk = disk;
    this.lease = lease;
    this.feed = feed;
    this.warnings = warnings;
  }

  public InstanceId instanceId() {
    return lease.instance;
  }

  public Path path() {
    return lease.path;
  }

  /** Which log it is for; null if it does not say so. */
  public @Nullable LogNote note() {
    return LogNote.read(disk, path());
  }

  /** Whether an orphan has no segments; to be asked before the first {@link #read}. */
  public boolean isEmpty() {
    return feed.isEmpty();
  }

  /** Whether it has a note, perhaps unreadable; a loop that is not to be dumped has none. */
  public boolean hasNote() {
    try {
      return disk.stat(path().resolve(LogNote.NAME)) != null;
    } catch (IOException e) {
      return true;
    }
  }

  /**
   * Sequence after the last record: for our own spool the last published one so far; for an orphan
   * the end of its valid data, which this method searches for.
   */
  public long limitSequence() throws SpoolReadException {
    long limit = feed.limit();
    if (limit != SegmentFeed.UNKNOWN) {
      return limit;
    }
    try {
      long wanted = nextSequence();
      SegmentCursor at = cursor();
      try {
        long end = at.findEnd();
        return end < 0 ? wanted : end;
      } catch (IOException e) {
        at.readFailed(e);
        throw e;
      } finally {
        seek(wanted);
      }
    } catch (IOException | OutOfMemoryError e) {
      throw new SpoolReadException(path(), e);
    }
  }

  /** Sequence the next {@link #read} begins with. */
  public long nextSequence() {
    return pendingGap == null ? cursor().wanted() : pendingGap.fromSequence();
  }

  /** Makes {@link #read} continue with the record of this sequence; initially 0. */
  public void seek(long sequence) {
    if (sequence < 0) {
      throw new IllegalArgumentException("sequence " + sequence + ", required: at least 0");
    }
    pendingGap = null;
    cursor().seek(sequence);
  }

  /**
   * Clears the batch and fills it with whole records, until it has {@code maxBytes} payload bytes,
   * including the record that crosses this limit, but within the batch's own limit. Records before
   * a gap are delivered before the gap. A record may be empty, so a batch may have records but no
   * bytes. If it throws, nothing is read. An orphan's segment that repeatedly fails to be read is
   * skipped, with a gap.
   *
   * @return what is missing here, and the batch is empty; null if it has records, or if there is no
   *     record now: our own spool may have more later, an orphan never
   */
  public @Nullable MissingRecords read(RecordBatch batch, long maxBytes) throws SpoolReadException {
    batch.clear();
    MissingRecords missing = pendingGap;
    pendingGap = null;
    if (missing != null) {
      return missing;
    }
    try {
      missing = fill(batch, maxBytes);
    } catch (IOException | OutOfMemoryError e) { // there may be no memory for the window
      throw new SpoolReadException(path(), e);
    }
    pendingGap = batch.count() > 0 ? missing : null;
    return batch.count() > 0 ? null : missing;
  }

  /**
   * Releases all records below {@code sequence}, which must not be above {@link #nextSequence}:
   * segments that hold nothing else are recycled or deleted. If it throws, a later call releases
   * the rest.
   */
  public void release(long sequence) throws IOException {
    if (sequence > nextSequence()) {
      throw new IllegalArgumentException(
          "release below " + sequence + ", required: at most " + nextSequence());
    }
    cursor().release(sequence);
  }

  /** Whether to release all records below this sequence makes room for others. */
  public boolean makesRoom(long sequence) {
    return cursor().before(sequence) != null;
  }

  /** Closes the spool and keeps its data; as {@link OwnSpool#close}. */
  @Override
  public void close() {
    closeFile();
    feed.close();
    lease.close();
  }

  /** Deletes the spool, then gives back its share: the budget may only count what is gone. */
  public void discard() throws IOException {
    closeFile();
    feed.closeFile();
    try {
      lease.discard();
    } finally {
      feed.close();
    }
  }

  /** Reads up to the limits, the end or a gap, and returns that. */
  private @Nullable MissingRecords fill(RecordBatch batch, long maxBytes) throws IOException {
    SegmentCursor at = cursor();
    long start = at.wanted();
    boolean isDone = false;
    try {
      MissingRecords found = null;
      while (found == null && (batch.count() == 0 || batch.byteCount() < maxBytes)) {
        found = at.step();
        if (found == null && !at.take(batch)) {
          break;
        } else if (found == null) {
          at.takeMore(batch, maxBytes);
        }
      }
      isDone = true;
      return found == null || found.isNone() ? null : found;
    } catch (IOException e) {
      at.readFailed(e);
      throw e;
    } finally {
      if (!isDone) {
        batch.clear();
        at.seek(start);
      }
    }
  }

  private SegmentCursor cursor() {
    SegmentCursor made = cursor;
    if (made == null) {
      made = new SegmentCursor(disk, feed, feed.content(lease.instance), warnings);
      cursor = made;
    }
    return made;
  }

  void closeFile() {
    if (cursor != null) {
      cursor.closeFile();
    }
  }
}
