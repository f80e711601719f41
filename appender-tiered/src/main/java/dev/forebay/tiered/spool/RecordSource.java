package dev.forebay.tiered.spool;

import dev.forebay.tiered.disk.Disk;
import java.io.Closeable;
import java.io.IOException;
import java.nio.file.Path;
import org.jspecify.annotations.Nullable;

/**
 * The records of one spool in order: our own live one, or that of a process that is gone. For the
 * shipper's thread only.
 */
public final class RecordSource implements Closeable {
  private static final int WINDOW_BYTES = 256 * 1024;
  private static final ReadOutcome NOTHING = new ReadOutcome.Nothing();

  private final Disk disk;
  private final SpoolLease lease;
  private final SegmentFeed feed;
  private final Warnings warnings;

  /** Made at the first use, because many orphans may wait while one is read. */
  private @Nullable SegmentCursor cursor;

  /** A gap found behind records that had to be delivered first. */
  private ReadOutcome.@Nullable Gap pendingGap;

  RecordSource(Disk disk, SpoolLease lease, SegmentFeed feed, Warnings warnings) {
    this.disk = disk;
    this.lease = lease;
    this.feed = feed;
    this.warnings = warnings;
    lease.beforeClose(this::closeFile);
  }

  /** Identity of the spool. */
  public InstanceId instanceId() {
    return lease.instance();
  }

  /** Directory of the spool. */
  public Path path() {
    return lease.path();
  }

  /**
   * Sequence behind the last record: for our own spool what is published by now, for an orphan
   * where its valid data ends, which is looked for.
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

  /** Sequence the next {@link #read} begins with; for a gap found already, that of the gap. */
  public long nextSequence() {
    return pendingGap == null ? cursor().wanted() : pendingGap.fromSequence();
  }

  /** Makes {@link #read} continue with the record of this sequence; 0 at first. */
  public void seek(long sequence) {
    if (sequence < 0) {
      throw new IllegalArgumentException("sequence " + sequence + ", required: at least 0");
    }
    pendingGap = null;
    cursor().seek(sequence);
  }

  /**
   * Clears the batch and fills it with whole records: as many as it takes to reach {@code maxBytes}
   * payload bytes, the record that crosses this limit included, but no more than the batch's own
   * limit allows. Records in front of a gap are delivered before the gap is. A record may be empty,
   * so a batch may have records and no bytes. When it throws, nothing is read. A segment of an
   * orphan that the disk fails to read again and again is given up, with a gap.
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
        cursor().countFailedRead();
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
   * Has the batch hold the bytes of its one large record from {@code fromByte} on, as many as it
   * can. To be called directly behind the {@link #read} of that record, or another of these. When
   * it throws, the batch says of itself what it said before.
   */
  public void slide(RecordBatch batch, int fromByte) throws SpoolReadException {
    try {
      cursor().slide(batch, fromByte);
    } catch (IOException e) {
      cursor().countFailedRead();
      throw new SpoolReadException(path(), e);
    }
  }

  /**
   * Gives up all records below {@code sequence}, which must not be above {@link #nextSequence}:
   * segments that hold nothing else are recycled or deleted, or quarantined if they are damaged.
   * When it throws, a later call does the rest.
   */
  public void release(long sequence) throws IOException {
    if (sequence > nextSequence()) {
      throw new IllegalArgumentException(
          "release below " + sequence + ", required: at most " + nextSequence());
    }
    cursor().release(sequence);
  }

  /** Closes the spool this belongs to and keeps its data; for our own see {@link Spool#close}. */
  @Override
  public void close() {
    lease.close();
  }

  /** Deletes the spool this belongs to; for our own see {@link Spool#discard}. */
  public void discard() throws IOException {
    lease.discard();
  }

  /** Reads up to the limits, the end or a gap, and returns the gap. */
  private ReadOutcome.@Nullable Gap fill(RecordBatch batch, long maxBytes) throws IOException {
    SegmentCursor at = cursor();
    // Behind a large record nothing is looked at: the rest of it must stay within reach.
    while (batch.count() == 0
        || (batch.byteCount() < maxBytes && batch.upTo() == batch.byteCount())) {
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
      at.countFailedRead();
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
                  disk,
                  instance,
                  new FrameFormat(instance),
                  FrameFormat.directBuffer(WINDOW_BYTES),
                  warnings));
      cursor = made;
    }
    return made;
  }

  private void closeFile() {
    if (cursor != null) {
      cursor.closeFile();
    }
  }
}
