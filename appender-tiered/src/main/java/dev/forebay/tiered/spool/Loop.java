package dev.forebay.tiered.spool;

import dev.forebay.tiered.disk.Disk;
import dev.forebay.tiered.identity.InstanceId;
import java.io.Closeable;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.NavigableMap;
import java.util.function.LongConsumer;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/**
 * A spool that is never emptied: it keeps the newest records and overwrites the oldest segment when
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
  private final SegmentPool pool;
  private final SpoolWriter writer;
  private final long keepNs;
  private final LongConsumer expired;

  /** Segments, oldest first; the last one may be the one being written. */
  private final List<Segment> held = new ArrayList<>();

  /** Expired segments that could not be taken back: a reader may have them open. */
  private final List<Segment> stuck = new ArrayList<>();

  /** Records below this sequence are written and their segments visible; read by the reader. */
  private volatile long readable;

  /** The segments of {@code held}; read by the reader. */
  private volatile List<Segment> visible = List.of();

  /** Records in it that count when they expire. */
  private long counted;

  private long nowNs;
  private @Nullable LoopHold hold;

  // Reader's thread only.
  private final RecordSource source;
  private @Nullable LoopHold reading;

  /** With the parameters of {@link SpoolDirectory#createLoop}. */
  Loop(
      Disk disk,
      SpoolLease lease,
      SpoolLimits limits,
      long keepNs,
      LongConsumer expired,
      LongSupplier timeMs,
      long nowNs) {
    this.lease = lease;
    this.keepNs = keepNs;
    this.expired = expired;
    this.nowNs = nowNs;
    this.pool = new SegmentPool(disk, lease, limits.share(), null, timeMs);
    this.writer = new SpoolWriter(pool, lease.instance);
    this.source = new RecordSource(disk, lease, new Feed(), new Warnings());
    pool.begin();
  }

  public Path path() {
    return lease.path;
  }

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
      held.get(held.size() - 1).counted++;
      counted++;
    }
    return outcome;
  }

  /** Whether {@link #append} would add such a record without opening a segment. */
  public boolean hasRoomNow(int length) {
    return writer.hasRoomNow(length);
  }

  public void flush() throws IOException {
    try {
      writer.flush();
    } finally {
      takeNew();
      readable = pool.publishedSequence;
    }
  }

  public boolean isSettled() {
    return writer.isSettled();
  }

  /** Lets old records expire. To be called in each turn with records; the clock is monotonic. */
  public void look(long turnNs) {
    nowNs = turnNs;
    pool.share().refresh();
    int count = held.size();
    // Each is written to so long that the other segments together span keepNs.
    long segments = pool.share().limitBytes() / pool.share().segmentBytes();
    long spanNs = keepNs / Math.max(1, segments - 1);
    if (count > 0 && nowNs - held.get(count - 1).sinceNs >= spanNs) {
      writer.endSegment();
    }
    boolean isOld = true;
    while (isOld && held.size() > 1) {
      isOld = nowNs - held.get(1).sinceNs >= keepNs && !isNeeded(held.get(0)) && expire(0);
    }
  }

  /** Keeps all records from the oldest on, in place of the former hold. */
  public LoopHold hold() {
    long from = held.isEmpty() ? writer.nextSequence() : held.get(0).firstSequence;
    LoopHold fresh = new LoopHold(from);
    hold = fresh;
    return fresh;
  }

  public void end(LoopHold ended) {
    ended.end(readable);
  }

  /** Whether the directory and its required files are still where they were created. */
  public boolean isPathIntact() {
    return !pool.isFileGone() && lease.isIntact();
  }

  /** Counted records that have not expired. By the last user. */
  public long held() {
    return counted;
  }

  /** Begins to read what a hold keeps. For the reader's thread, like {@link RecordSource#read}. */
  public RecordSource read(LoopHold wanted) throws IOException {
    reading = wanted;
    source.seek(wanted.from());
    source.release(wanted.from());
    return source;
  }

  /** Ends what {@link #read} began: a file that is open cannot be overwritten everywhere. */
  public void endReading() {
    source.closeFile();
  }

  /** Has it deleted when the JVM ends in order; what is left of it has no note. Any thread. */
  public void deleteAtExit() throws IOException {
    lease.deleteAtExit();
  }

  /** Closes its files and keeps its data for the next start, which dumps it. By the last user. */
  @Override
  public void close() {
    source.close();
    expireAll();
  }

  /** Deletes the loop: its records have expired. By the last user. */
  public void discard() throws IOException {
    source.discard();
    expireAll();
  }

  private void expireAll() {
    expired.accept(counted);
    counted = 0;
  }

  /** Makes the segments that the writer has opened visible. */
  private void takeNew() {
    for (Segment fresh = pool.nextOpened(); fresh != null; fresh = pool.nextOpened()) {
      fresh.sinceNs = nowNs;
      held.add(fresh);
      visible = List.copyOf(held);
    }
  }

  /**
   * Overwrites the oldest segment that no reader needs. Only if readers leave less than {@link
   * #FREE_PART} for recording, the oldest of all.
   */
  private boolean expireOldest() {
    if (stuck.removeIf(this::isTakenBack)) {
      return true;
    }
    int count = held.size();
    int needed = 0;
    int free = -1;
    for (int i = count - 1; i >= 0; i--) {
      if (isNeeded(held.get(i))) {
        needed++;
      } else if (held.get(i).endSequence >= 0) {
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

  private boolean isNeeded(Segment one) {
    LoopHold current = hold;
    long written = one.endSequence;
    long end = written < 0 ? Long.MAX_VALUE : written;
    return current != null && current.needs(one.firstSequence, end);
  }

  private boolean expire(int index) {
    if (index >= held.size() || held.get(index).endSequence < 0) {
      return false; // the one being written
    }
    Segment gone = held.remove(index);
    visible = List.copyOf(held);
    counted -= gone.counted;
    expired.accept(gone.counted);
    if (isTakenBack(gone)) {
      return true;
    }
    stuck.add(gone);
    return false;
  }

  private boolean isTakenBack(Segment gone) {
    try {
      pool.retire(gone, !pool.hasSpares());
      return true;
    } catch (IOException e) {
      return false; // it takes its space until then
    }
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
    public SegmentContent content(InstanceId spool) {
      return pool.content(spool);
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
    public void closeFile() {
      pool.closeFile();
    }

    @Override
    public void close() {
      pool.close();
    }
  }
}
