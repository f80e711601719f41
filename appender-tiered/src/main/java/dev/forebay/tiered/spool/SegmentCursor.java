package dev.forebay.tiered.spool;

import java.io.IOException;
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

  private final SegmentFeed feed;
  private final SegmentReader reader;
  private final Warnings warnings;

  /** The segments not yet retired, by first sequence. */
  private final NavigableMap<Long, Segment> segments = new TreeMap<>();

  /** The segment after the reader's, if known. */
  private @Nullable Segment following;

  /** The sequence expected where the reader is. */
  private long expected;

  /** The sequence to deliver next; never below {@code expected} while a segment is open. */
  private long wanted;

  SegmentCursor(SegmentFeed feed, SegmentReader reader, Warnings warnings) {
    this.feed = feed;
    this.reader = reader;
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
    long limit =
        feed.limit(); // before the segments, so that the segments of all these records are known
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
      if (reader.segment() == null && !open(current)) {
        continue;
      }
      if (expected > wanted) {
        return lost(expected, linesTell(current) ? "" : "no segment before " + current.path);
      }
      Segment next = following;
      if (next != null && expected >= next.firstSequence) {
        closeFile();
      } else if (reader.isRecord(expected)) {
        if (expected == wanted) {
          return null;
        }
        advance();
      } else {
        MissingRecords found = skipDamage(current, next, limit);
        if (found != null) {
          return found;
        }
      }
    }
    return NOTHING;
  }

  /** Copies the record found and moves to the next one; false if the batch has no room for it. */
  boolean take(RecordBatch batch) throws IOException {
    int payloadBytes = reader.payloadBytes();
    if (!batch.accepts(payloadBytes)) {
      return false;
    }
    reader.copyPayload(batch.reserve(payloadBytes));
    batch.add(wanted, payloadBytes);
    advance();
    wanted++;
    return true;
  }

  private void takeNew() {
    int known = segments.size();
    feed.addNew(segments, wanted);
    Segment open = reader.segment();
    if (open != null && segments.size() != known) {
      following = following(open);
    }
  }

  /** Retires the segments that hold nothing at or above a sequence. */
  void release(long released) throws IOException {
    takeNew();
    for (Map.Entry<Long, Segment> first = segments.firstEntry();
        first != null;
        first = segments.firstEntry()) {
      Segment segment = first.getValue();
      Segment next = following(segment);
      long end = next == null ? segment.endSequence : next.firstSequence;
      if (end < 0 || end > released) {
        return;
      }
      retire(segment);
    }
  }

  /** The end of an orphan's data, -1 if it has no segment; leaves the cursor anywhere. */
  long findEnd() throws IOException {
    takeNew();
    seek(SegmentFeed.UNKNOWN - 1);
    MissingRecords unused = step(); // there is no such record
    return reader.segment() == null ? -1 : expected;
  }

  void closeFile() {
    reader.close();
    following = null;
    expected = 0;
  }

  void readFailed(IOException cause) {
    Segment open = reader.segment();
    if (open != null) {
      open.readFailed(cause);
    }
  }

  /** The segment being read, or else the one that should hold the wanted record, or the first. */
  @Nullable Segment segment() {
    Segment open = reader.segment();
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
  private boolean open(Segment segment) throws IOException {
    if (!reader.open(segment, feed.limit() != SegmentFeed.UNKNOWN)) {
      segment.damaged = true;
      retire(segment);
      return false;
    }
    following = following(segment);
    expected = segment.firstSequence;
    return true;
  }

  private void advance() {
    reader.advance();
    expected++;
  }

  /** Moves past a place where the expected frame is missing; null if the walk can continue. */
  private @Nullable MissingRecords skipDamage(Segment segment, @Nullable Segment next, long limit)
      throws IOException {
    String reason = linesTell(segment) ? "" : "damaged at " + reader.place();
    long high = next == null ? limit : Math.min(limit, next.firstSequence);
    long found = reader.search(expected, high);
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

  /** Whether a line in the log says what is missing, so that no reason need be given. */
  private static boolean linesTell(Segment segment) {
    return segment.linesFrom >= 0;
  }

  private MissingRecords lost(long end, String reason) {
    MissingRecords gap = new MissingRecords(wanted, end - wanted, reason);
    wanted = end;
    return gap;
  }

  private void retire(Segment segment) throws IOException {
    if (reader.segment() == segment) {
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
