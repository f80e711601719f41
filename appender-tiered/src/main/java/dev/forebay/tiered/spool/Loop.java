package dev.forebay.tiered.spool;

import dev.forebay.tiered.disk.Disk;
import java.io.Closeable;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.NavigableMap;
import java.util.TreeMap;
import java.util.function.LongConsumer;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/**
 * A spool that nobody empties: it keeps the newest records and overwrites the oldest segment when
 * its size or the age of that segment demands it.
 *
 * <p>The flusher's thread, or a log call in its turn, writes; another thread reads the records that
 * a {@link #hold} keeps. It may find a segment overwritten while it reads: every frame has its
 * checksum and its sequence, so that is a gap and never a wrong record.
 *
 * <p>Fields belong to the flusher's thread unless a comment says otherwise.
 */
public final class Loop implements Closeable {
  /** The fraction of the segments that recording keeps for itself while a reader holds records. */
  private static final int FREE_PART = 4;

  private final SpoolLease lease;
  private final SpoolLimits limits;
  private final SegmentPool pool;
  private final SpoolWriter writer;
  private final long keepNs;
  private final LongConsumer expired;

  /** Oldest first; the last one may be the one being written. */
  private final List<Held> held = new ArrayList<>();

  /** Records below this sequence are written and their segments visible; read by the reader. */
  private volatile long readable;

  /** The segments of {@code held}; read by the reader. */
  private volatile List<Segment> visible = List.of();

  /** Records added that count when they expire. */
  private long counted;

  /** Those of them that have expired. */
  private long expiredSoFar;

  private long nowNs;
  private @Nullable LoopHold hold;

  // Reader's thread only.
  private final RecordSource source;
  private @Nullable LoopHold reading;

  /** A segment with records. */
  private static final class Held {
    final Segment segment;
    final long sinceNs;

    /** {@code counted} when it was begun, and when the next one was; that is -1 before. */
    final long countedBefore;

    long countedUntil = -1;

    Held(Segment segment, long sinceNs, long countedBefore) {
      this.segment = segment;
      this.sinceNs = sinceNs;
      this.countedBefore = countedBefore;
    }
  }

  /**
   * @param keepNs age at which records are overwritten even if there is room, nanoseconds
   * @param expired receives the numbers of counted records that were overwritten or deleted
   * @param timeMs the wall clock, milliseconds since the epoch
   * @param nowNs the monotonic clock, nanoseconds
   */
  Loop(
      Disk disk,
      SpoolLease lease,
      SpoolLimits limits,
      long keepNs,
      LongConsumer expired,
      LongSupplier timeMs,
      long nowNs) {
    this.lease = lease;
    this.limits = limits;
    this.keepNs = keepNs;
    this.expired = expired;
    this.nowNs = nowNs;
    this.pool = new SegmentPool(disk, lease, limits, timeMs);
    int segment = limits.segmentBytes(); // larger buffers would stay empty
    int staging = Math.min(SpoolWriter.STAGING_BYTES, segment);
    int window = Math.min(RecordSource.WINDOW_BYTES, segment);
    this.writer = new SpoolWriter(disk, pool, lease.instance(), limits, staging);
    this.source = new RecordSource(disk, lease, new Feed(), new Warnings(), window);
    pool.share().open();
  }

  /** Its identity. For any thread. */
  public InstanceId instanceId() {
    return lease.instance();
  }

  /** Its directory. For any thread. */
  public Path path() {
    return lease.path();
  }

  /** Bytes of its segments. For any thread. */
  public long usedBytes() {
    return pool.share().usedBytes();
  }

  /**
   * Adds one record, in place of the oldest ones if there is no room.
   *
   * @param level 0 (TRACE) to 4 (ERROR)
   * @param counts whether the record is counted when it expires
   */
  public SpoolWriter.Outcome append(
      byte[] payload, int offset, int length, int level, boolean counts) {
    SpoolWriter.Outcome outcome = writer.append(payload, offset, length, level);
    for (int tries = held.size() + 1; outcome == SpoolWriter.Outcome.FULL && tries > 0; tries--) {
      outcome = makeRoom() ? writer.append(payload, offset, length, level) : outcome;
    }
    takeNew();
    if (outcome == SpoolWriter.Outcome.ADDED && counts) {
      counted++;
    }
    return outcome;
  }

  /** Whether {@link #append} would add such a record without opening a segment. */
  public boolean hasRoomNow(int length) {
    return writer.hasRoomNow(length);
  }

  /** Writes what was added and makes it readable. */
  public void flush() throws IOException {
    try {
      writer.flush();
    } finally {
      takeNew();
      readable = writer.publishedSequence();
    }
  }

  /** Whether everything added is written. */
  public boolean isSettled() {
    return writer.isSettled();
  }

  /** The largest payload of a record. */
  public int maxPayloadBytes() {
    return writer.maxPayloadBytes();
  }

  /**
   * Lets old records expire, and takes back space that other spools need. To be called in each turn
   * with records.
   *
   * @param turnNs the monotonic clock, nanoseconds
   */
  public void look(long turnNs) {
    nowNs = turnNs;
    pool.share().refresh();
    int count = held.size();
    if (count > 0 && nowNs - held.get(count - 1).sinceNs >= spanNs()) {
      writer.endSegment();
    }
    boolean goesOn = true;
    while (goesOn && held.size() > 1) {
      Held oldest = held.get(0);
      boolean isOld = nowNs - held.get(1).sinceNs >= keepNs && !isNeeded(oldest);
      boolean isTooMuch = limitBytes() < usedBytes();
      goesOn = isOld ? expire(0) : isTooMuch && expireOldest();
    }
  }

  /** The longest time a segment is written to: so that the others together span {@code keepNs}. */
  private long spanNs() {
    return keepNs / Math.max(1, limitBytes() / limits.segmentBytes() - 1);
  }

  private long limitBytes() {
    return pool.share().limitBytes();
  }

  /** Keeps all records from the oldest on, in place of the former hold. */
  public LoopHold hold() {
    long from = held.isEmpty() ? writer.nextSequence() : held.get(0).segment.firstSequence;
    LoopHold fresh = new LoopHold(from);
    hold = fresh;
    return fresh;
  }

  /** Ends a hold after the last readable record. */
  public void end(LoopHold ended) {
    ended.end(readable);
  }

  /** Whether the directory and its required files are still where they were created. */
  public boolean isPathIntact() {
    return !writer.isFileGone() && lease.isIntact();
  }

  /** Counted records that have not expired. By the last user. */
  public long held() {
    return counted - expiredSoFar;
  }

  /** Begins to read what a hold keeps. For the reader's thread, like {@link RecordSource#read}. */
  public RecordSource read(LoopHold wanted) throws IOException {
    reading = wanted;
    source.seek(wanted.from());
    source.release(wanted.from());
    return source;
  }

  /**
   * Has it deleted when the JVM has ended in order. Until then it records; what is left of it has
   * no note. Any thread.
   */
  public void deleteAtExit() throws IOException {
    lease.deleteAtExit();
  }

  /** Closes its files and keeps its data for the next start, which dumps it. By the last user. */
  @Override
  public void close() {
    source.close();
    expireAll();
  }

  /** Deletes it: its records have expired. By the last user. */
  public void discard() throws IOException {
    source.discard();
    expireAll();
  }

  private void expireAll() {
    expired.accept(held());
    expiredSoFar = counted;
  }

  /** Makes the segments that the writer has opened visible. */
  private void takeNew() {
    if (!pool.hasOpened()) {
      return;
    }
    NavigableMap<Long, Segment> fresh = new TreeMap<>();
    pool.drainOpened(fresh);
    if (!held.isEmpty()) {
      held.get(held.size() - 1).countedUntil = counted;
    }
    fresh.values().forEach(segment -> held.add(new Held(segment, nowNs, counted)));
    show();
  }

  private void show() {
    visible = held.stream().map(one -> one.segment).toList();
  }

  /**
   * Overwrites the oldest segment that no reader needs. Only if readers leave less than {@link
   * #FREE_PART} for recording, the oldest of all.
   */
  private boolean expireOldest() {
    int count = held.size();
    int needed = 0;
    int free = -1;
    for (int i = count - 1; i >= 0; i--) {
      if (isNeeded(held.get(i))) {
        needed++;
      } else if (held.get(i).segment.endSequence >= 0) {
        free = i;
      }
    }
    boolean leavesEnough = needed <= count - Math.max(1, count / FREE_PART);
    return expire(free >= 0 && leavesEnough ? free : 0);
  }

  /** Frees a segment. If the file system refuses new pages, its pages are needed at once. */
  private boolean makeRoom() {
    if (writer.refusal() == null) {
      return expireOldest();
    }
    if (!pool.hasSpares() && !expireOldest()) {
      return false;
    }
    try {
      writer.flush();
      return true;
    } catch (IOException e) {
      return false; // the next flush reports it
    }
  }

  private boolean isNeeded(Held one) {
    LoopHold current = hold;
    long written = one.segment.endSequence;
    long end = written < 0 ? Long.MAX_VALUE : written;
    return current != null && current.needs(one.segment.firstSequence, end);
  }

  private boolean expire(int index) {
    if (index >= held.size() || held.get(index).segment.endSequence < 0) {
      return false; // the one being written
    }
    Held gone = held.remove(index);
    show();
    long records = (gone.countedUntil < 0 ? counted : gone.countedUntil) - gone.countedBefore;
    expiredSoFar += records;
    expired.accept(records);
    try {
      pool.retire(gone.segment);
    } catch (IOException e) {
      return false; // it takes its space until the loop is closed
    }
    return true;
  }

  /** The reader's access. The segments are copies, since the reader marks what it finds in them. */
  private final class Feed implements SegmentFeed {
    private List<Segment> known = List.of();

    @Override
    public long limit() {
      LoopHold wanted = reading;
      return wanted == null ? 0 : Math.min(readable, wanted.to());
    }

    @Override
    public void addNew(NavigableMap<Long, Segment> segments, long wanted) {
      List<Segment> now = visible;
      if (now != known) {
        known = now;
        for (Segment one : now) {
          segments.putIfAbsent(one.firstSequence, new Segment(one.firstSequence, one.path));
        }
      }
    }

    @Override
    public void retire(Segment segment) {} // the flusher does

    @Override
    public void closeFiles() {
      writer.close();
    }

    @Override
    public void closed() {
      pool.share().close();
    }
  }
}
