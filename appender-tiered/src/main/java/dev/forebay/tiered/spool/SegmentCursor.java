package dev.forebay.tiered.spool;

import dev.forebay.tiered.disk.Disk;
import dev.forebay.tiered.disk.DiskFile;
import dev.forebay.tiered.disk.FileInfo;
import dev.forebay.tiered.disk.Trust;
import java.io.IOException;
import java.nio.file.NoSuchFileException;
import java.util.Map;
import java.util.NavigableMap;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/** Walks through a spool's records in order, and reports missing ones. Shipper's thread only. */
final class SegmentCursor {
  /** A segment that is no longer written is skipped after this many failed reads. */
  static final int MAX_FAILED_READS = 5;

  /** There is no record, at least for now. */
  static final MissingRecords NOTHING = new MissingRecords(0, 0, "");

  private final Disk disk;
  private final SegmentFeed feed;
  private final SegmentContent content;
  private final Warnings warnings;

  /** The segments not yet retired, by first sequence. */
  private final NavigableMap<Long, Segment> segments = new TreeMap<>();

  /** The segment being read, and its file. */
  private @Nullable Segment open;

  private @Nullable DiskFile file;

  /** The segment after that, if known. */
  private @Nullable Segment following;

  /** The sequence expected where the content is. */
  private long expected;

  /** The feed's limit at the last step. */
  private long limit;

  /** Size of the record found last; -1 if none was. */
  private int payloadBytes;

  /** The sequence to deliver next; never below {@code expected} while a segment is open. */
  private long wanted;

  SegmentCursor(Disk disk, SegmentFeed feed, SegmentContent content, Warnings warnings) {
    this.disk = disk;
    this.feed = feed;
    this.content = content;
    this.warnings = warnings;
  }

  long wanted() {
    return wanted;
  }

  void seek(long sequence) {
    Segment next = following;
    if (sequence < expected || (next != null && next.firstSequence <= sequence)) {
      closeFile();
    }
    wanted = sequence;
  }

  /**
   * Looks for the wanted record.
   *
   * @return null if it is here: {@link #take} it; otherwise {@link #NOTHING}, at least for now, or
   *     the gap before the record that is wanted now
   */
  @Nullable MissingRecords step() throws IOException {
    limit = feed.limit(); // before the segments, so that the segments of all of them are known
    takeNew();
    while (wanted < limit) {
      Segment current = segment();
      if (current == null) {
        return limit == SegmentFeed.UNKNOWN ? NOTHING : lost(limit, "no segment is left");
      }
      if (!feed.isLive() && current.failedReads >= MAX_FAILED_READS) {
        Segment next = following(current);
        skipUnreadable(current);
        if (next != null && next.firstSequence > wanted) {
          return lost(next.firstSequence, current.path + " cannot be read");
        }
        continue;
      }
      if (open == null && !open(current)) {
        continue;
      }
      if (expected > wanted) {
        return lost(expected, content.namesGaps() ? "" : "no segment before " + current.path);
      }
      Segment next = following;
      if (next != null && expected >= next.firstSequence) {
        closeFile();
        continue;
      }
      payloadBytes = content.find(expected);
      if (payloadBytes >= 0) {
        if (expected == wanted) {
          return null;
        }
        advance();
      } else {
        MissingRecords found = skipDamage(current, next);
        if (found != null) {
          return found;
        }
      }
    }
    content.rest();
    return NOTHING;
  }

  /** Copies the record found and moves to the next one; false if the batch has no room for it. */
  boolean take(RecordBatch batch) throws IOException {
    if (!batch.accepts(payloadBytes)) {
      return false;
    }
    content.copyPayload(batch.reserve(payloadBytes));
    batch.add(wanted, payloadBytes);
    advance();
    wanted++;
    return true;
  }

  /** Copies records after one that was taken: those that are here without a {@link #step}. */
  void takeMore(RecordBatch batch, long maxBytes) {
    Segment next = following;
    long end = next == null ? limit : Math.min(limit, next.firstSequence);
    int count = content.copyMany(batch, wanted, end, maxBytes);
    expected += count;
    wanted += count;
  }

  private void takeNew() {
    int known = segments.size();
    feed.addNew(segments, wanted);
    Segment current = open;
    if (current != null && segments.size() != known) {
      following = following(current);
    }
  }

  /** Retires the segments that hold nothing at or above a sequence. */
  void release(long released) throws IOException {
    for (Segment first = before(released); first != null; first = before(released)) {
      retire(first);
    }
  }

  /** The first segment, if it holds nothing at or above a sequence; otherwise null. */
  @Nullable Segment before(long released) {
    takeNew();
    Map.Entry<Long, Segment> first = segments.firstEntry();
    if (first == null) {
      return null;
    }
    Segment next = following(first.getValue());
    long end = next == null ? first.getValue().endSequence : next.firstSequence;
    return end < 0 || end > released ? null : first.getValue();
  }

  /** The end of an orphan's data, -1 if it has no segment; leaves the cursor anywhere. */
  long findEnd() throws IOException {
    takeNew();
    seek(SegmentFeed.UNKNOWN - 1);
    MissingRecords unused = step(); // there is no such record
    return open == null ? -1 : expected;
  }

  void closeFile() {
    DiskFile.closeQuietly(file); // it was only read
    content.rest();
    file = null;
    open = null;
    following = null;
    expected = 0;
  }

  void readFailed(IOException cause) {
    if (open != null) {
      open.readFailed(cause);
    }
  }

  /** The segment being read, or else the one that should hold the wanted record, or the first. */
  @Nullable Segment segment() {
    if (open != null) {
      return open;
    }
    Map.Entry<Long, Segment> entry = segments.floorEntry(wanted);
    entry = entry == null ? segments.firstEntry() : entry;
    return entry == null ? null : entry.getValue();
  }

  private void skipUnreadable(Segment unreadable) throws IOException {
    warnings.add(
        "skipped segment %s after %d failed reads: its records are lost"
            .formatted(unreadable.path, unreadable.failedReads));
    unreadable.damaged = true;
    retire(unreadable);
  }

  /** False if it is no file, and so not left. */
  private boolean open(Segment next) throws IOException {
    FileInfo info = disk.isGone(next.path) ? null : disk.stat(next.path);
    boolean isFile = info != null && info.kind() == FileInfo.Kind.FILE;
    if (!isFile && (info != null || feed.limit() == SegmentFeed.UNKNOWN)) { // else the gap tells
      warnings.add(
          "cannot read " + next.path + ": " + (info == null ? "is missing" : Trust.kindOf(info)));
    }
    if (info == null || !isFile || !begin(next, info.sizeBytes())) {
      next.damaged = true;
      retire(next);
      takeNew(); // perhaps what its owner has put in its place
      return false;
    }
    following = following(next);
    expected = next.firstSequence;
    return true;
  }

  /** False if there is no such file any more. */
  private boolean begin(Segment next, long sizeBytes) throws IOException {
    DiskFile opened = null;
    try {
      opened = disk.open(next.path, Disk.Mode.READ);
      String fault = content.begin(next, opened, sizeBytes);
      if (fault != null) {
        next.damaged = true;
        warnings.add("suspect segment " + next.path + ": " + fault);
      }
      open = next;
      file = opened;
      return true;
    } catch (IOException e) {
      if (opened == null && e instanceof NoSuchFileException) {
        return false;
      }
      if (opened == null) {
        disk.list(next.path.resolveSibling("")); // fails if no descriptor is left
      }
      next.readFailed(e);
      throw e;
    } finally {
      if (open != next && opened != null) {
        opened.close();
      }
    }
  }

  private void advance() {
    content.advance();
    expected++;
  }

  /** Moves past a place where the expected frame is missing; null if the walk can continue. */
  private @Nullable MissingRecords skipDamage(Segment segment, @Nullable Segment next)
      throws IOException {
    String reason =
        content.namesGaps()
            ? ""
            : "damaged at offset %d of %s".formatted(content.position(), segment.path);
    long high = next == null ? limit : Math.min(limit, next.firstSequence);
    long found = content.search(expected, high);
    if (found >= 0) {
      expected = found;
    } else if (next != null || limit != SegmentFeed.UNKNOWN) {
      expected = high;
    } else {
      return NOTHING; // its writer was killed here
    }
    segment.damaged = true;
    return expected > wanted ? lost(expected, reason) : null;
  }

  private MissingRecords lost(long end, String reason) {
    MissingRecords gap = new MissingRecords(wanted, end - wanted, reason);
    wanted = end;
    return gap;
  }

  private void retire(Segment segment) throws IOException {
    if (open == segment) {
      closeFile();
    }
    feed.retire(segment);
    segments.remove(segment.firstSequence);
  }

  private @Nullable Segment following(Segment segment) {
    Map.Entry<Long, Segment> entry = segments.higherEntry(segment.firstSequence);
    return entry == null ? null : entry.getValue();
  }
}
