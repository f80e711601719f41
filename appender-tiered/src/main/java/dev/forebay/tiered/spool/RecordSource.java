package dev.forebay.tiered.spool;

import dev.forebay.tiered.disk.Disk;
import java.io.Closeable;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.file.Path;
import org.jspecify.annotations.Nullable;

/**
 * The records of one spool in order: our own live one or an orphan. For the shipper's thread only.
 */
public final class RecordSource implements Closeable {
  static final int WINDOW_BYTES = 256 * 1024;
  private static final ReadOutcome NOTHING = new ReadOutcome.Nothing();

  private final Disk disk;
  private final SpoolLease lease;
  private final SegmentFeed feed;
  private final Warnings warnings;
  private final int windowBytes;

  /** Created on first use, because many orphans may wait while one is read. */
  private @Nullable SegmentCursor cursor;

  /** A gap found after records that had to be delivered first. */
  private ReadOutcome.@Nullable Gap pendingGap;

  RecordSource(Disk disk, SpoolLease lease, SegmentFeed feed, Warnings warnings) {
    this(disk, lease, feed, warnings, WINDOW_BYTES);
  }

  /**
   * @param windowBytes bytes read at once
   */
  RecordSource(Disk disk, SpoolLease lease, SegmentFeed feed, Warnings warnings, int windowBytes) {
    this.disk = disk;
    this.lease = lease;
    this.feed = feed;
    this.warnings = warnings;
    this.windowBytes = windowBytes;
  }

  /** Identity of the spool. */
  public InstanceId instanceId() {
    return lease.instance();
  }

  /** Directory of the spool. */
  public Path path() {
    return lease.path();
  }

  /** Which log it is for; null if it does not say so. */
  public @Nullable LogNote note() {
    return LogNote.read(disk, path());
  }

  /**
   * Whether it has a note, which may be unreadable. A loop that nobody wants to have dumped has
   * none.
   */
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
      long end = findEnd(wanted);
      return end < 0 ? wanted : end;
    } catch (IOException | OutOfMemoryError e) {
      throw new SpoolReadException(path(), e);
    }
  }

  /** Sequence the next {@link #read} begins with; if a gap is pending, that of the gap. */
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
   */
  public ReadOutcome read(RecordBatch batch, long maxBytes) throws SpoolReadException {
    try {
      return readOrFail(batch, maxBytes);
    } catch (IOException | OutOfMemoryError e) { // there may be no memory for the window
      throw new SpoolReadException(path(), e);
    }
  }

  private ReadOutcome readOrFail(RecordBatch batch, long maxBytes) throws IOException {
    batch.clear();
    ReadOutcome.Gap found = pendingGap;
    if (found == null) {
      long start = nextSequence();
      boolean isDone = false;
      try {
        found = fill(batch, maxBytes);
        isDone = true;
      } catch (IOException e) {
        cursor().readFailed(e);
        throw e;
      } finally {
        if (!isDone) {
          batch.clear();
          seek(start);
        }
      }
    }
    if (batch.count() > 0) {
      pendingGap = found;
      return new ReadOutcome.Records(batch.count());
    }
    pendingGap = null;
    return found == null ? NOTHING : found;
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

  /** Closes the spool and keeps its data; as {@link Spool#close}. */
  @Override
  public void close() {
    closeFiles();
    if (lease.close()) {
      feed.closed();
    }
  }

  /** Deletes the spool; as {@link Spool#discard}. */
  public void discard() throws IOException {
    closeFiles();
    if (lease.discard()) {
      feed.closed();
    }
  }

  /** Reads up to the limits, the end or a gap, and returns the gap. */
  private ReadOutcome.@Nullable Gap fill(RecordBatch batch, long maxBytes) throws IOException {
    SegmentCursor at = cursor();
    while (batch.count() == 0 || batch.byteCount() < maxBytes) {
      SegmentCursor.Step step = at.step();
      if (step == SegmentCursor.Step.GAP) {
        return at.gap();
      }
      if (step == SegmentCursor.Step.END || !at.take(batch)) {
        return null;
      }
    }
    return null;
  }

  private long findEnd(long wanted) throws IOException {
    SegmentCursor at = cursor();
    try {
      return at.findEnd();
    } catch (IOException e) {
      at.readFailed(e);
      throw e;
    } finally {
      seek(wanted);
    }
  }

  private SegmentCursor cursor() {
    SegmentCursor made = cursor;
    if (made == null) {
      InstanceId instance = lease.instance();
      made =
          new SegmentCursor(
              feed,
              new SegmentReader.Context(
                  disk, instance, new FrameFormat(instance), window(), warnings));
      cursor = made;
    }
    return made;
  }

  /** In the heap for one of thousands of orphans: memory outside it is freed late. */
  private ByteBuffer window() {
    return feed.limit() == SegmentFeed.UNKNOWN
        ? ByteBuffer.allocate(windowBytes).order(ByteOrder.LITTLE_ENDIAN)
        : FrameFormat.directBuffer(windowBytes);
  }

  private void closeFiles() {
    feed.closeFiles();
    if (cursor != null) {
      cursor.closeFile();
    }
  }
}
