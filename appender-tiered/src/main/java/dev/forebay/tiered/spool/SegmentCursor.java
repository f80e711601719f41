package dev.forebay.tiered.spool;

import java.io.IOException;
import java.util.Map;
import java.util.NavigableMap;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * Walks through the frames of all segments of a spool in order, and reports missing frames. For the
 * shipper's thread only.
 */
final class SegmentCursor {
  /** An orphan's segment is skipped after this many failed reads. */
  static final int MAX_FAILED_READS = 5;

  private final SegmentFeed feed;
  private final SegmentReader.Context context;

  /** The segments not yet retired, by first sequence. */
  private final NavigableMap<Long, Segment> segments = new TreeMap<>();

  private @Nullable SegmentReader reader;

  /** The segment after the reader's, if known. */
  private @Nullable Segment following;

  /** Next position in the reader's segment, and the sequence expected there. */
  private int position;

  private long expected;

  /** The sequence to deliver next; never below {@code expected} while a reader is open. */
  private long wanted;

  private ReadOutcome.@Nullable Gap gap;

  SegmentCursor(SegmentFeed feed, SegmentReader.Context context) {
    this.feed = feed;
    this.context = context;
  }

  /** What was found at the wanted sequence. */
  enum Step {
    /** The wanted frame; {@link #take} it. */
    FRAME,
    /** It is missing; {@link #gap} describes the gap, and the frame after it is wanted now. */
    GAP,
    /** Nothing, at least for now. */
    END
  }

  long wanted() {
    return wanted;
  }

  void seek(long sequence) {
    SegmentReader open = reader;
    if (open != null) {
      if (sequence < expected || (following != null && following.firstSequence <= sequence)) {
        closeFile();
      }
    }
    wanted = sequence;
  }

  Step step() throws IOException {
    long limit =
        feed.limit(); // before the segments, so that the segments of all these records are known
    takeNew();
    while (wanted < limit) {
      Segment unreadable = limit == SegmentFeed.UNKNOWN ? unreadable() : null;
      if (unreadable != null) {
        Segment next = following(unreadable);
        skipUnreadable(unreadable);
        if (next != null && next.firstSequence > wanted) {
          return lost(next.firstSequence, unreadable.path + " cannot be read");
        }
        continue;
      }
      SegmentReader open = openReader();
      if (open == null) {
        return limit == SegmentFeed.UNKNOWN ? Step.END : lost(limit, "no segment is left");
      }
      if (expected > wanted) {
        return lost(expected, "no segment before " + open.segment().path);
      }
      Segment next = following;
      if (next != null && expected >= next.firstSequence) {
        closeFile();
      } else if (open.isFrame(position, expected)) {
        if (expected == wanted) {
          return Step.FRAME;
        }
        advance(open);
      } else {
        Step step = skipDamage(open, next, limit);
        if (step != null) {
          return step;
        }
      }
    }
    return Step.END;
  }

  /** The missing records, after a step to a {@link Step#GAP}. */
  ReadOutcome.Gap gap() {
    if (gap == null) {
      throw new IllegalStateException("there was no gap");
    }
    return gap;
  }

  /** Copies the current frame and moves to the next one; false if the batch has no room for it. */
  boolean take(RecordBatch batch) throws IOException {
    SegmentReader open = reader;
    if (open == null) {
      throw new IllegalStateException("there was no frame");
    }
    int payloadBytes = open.payloadBytes();
    if (!batch.accepts(payloadBytes)) {
      return false;
    }
    open.copyPayload(position, batch.reserve(payloadBytes));
    batch.add(wanted, payloadBytes);
    advance(open);
    wanted++;
    return true;
  }

  private void takeNew() {
    int known = segments.size();
    feed.addNew(segments, wanted);
    SegmentReader open = reader;
    if (open != null && segments.size() != known) {
      following = following(open.segment());
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
    Step step = step();
    if (step != Step.END) {
      throw new IllegalStateException("unexpected frame of sequence " + expected);
    }
    return reader == null ? -1 : expected;
  }

  void closeFile() {
    SegmentReader open = reader;
    reader = null;
    following = null;
    if (open != null) {
      open.close();
    }
  }

  /** Counts a failed read of the current segment. */
  void readFailed(IOException cause) {
    SegmentReader open = reader;
    if (open != null) {
      open.segment().readFailed(cause);
    }
  }

  /** The segment being read, or else the next one; null if there is none. */
  @Nullable Segment segment() {
    SegmentReader open = reader;
    return open == null ? first() : open.segment();
  }

  /** The next segment, if reading it has failed too often; otherwise null. */
  private @Nullable Segment unreadable() {
    Segment next = segment();
    return next != null && next.failedReads >= MAX_FAILED_READS ? next : null;
  }

  private void skipUnreadable(Segment unreadable) throws IOException {
    context
        .warnings()
        .add(
            "skipped segment %s after %d failed reads: its records are lost"
                .formatted(unreadable.path, unreadable.failedReads));
    unreadable.damaged = true;
    retire(unreadable);
  }

  /** The segment that should hold the wanted record, otherwise the next one. */
  private @Nullable Segment first() {
    Map.Entry<Long, Segment> entry = segments.floorEntry(wanted);
    if (entry == null) {
      entry = segments.firstEntry();
    }
    return entry == null ? null : entry.getValue();
  }

  private @Nullable SegmentReader openReader() throws IOException {
    while (reader == null) {
      Segment segment = first();
      if (segment == null) {
        return null;
      }
      reader = SegmentReader.open(context, segment);
      if (reader == null) {
        segment.damaged = true;
        retire(segment);
      } else {
        following = following(segment);
        position = reader.firstPosition();
      }
      expected = segment.firstSequence;
    }
    return reader;
  }

  private void advance(SegmentReader open) {
    position = open.positionAfter(position);
    expected++;
  }

  /** Moves past a place where the expected frame is missing; null if the walk can continue. */
  private @Nullable Step skipDamage(SegmentReader open, @Nullable Segment next, long limit)
      throws IOException {
    Segment segment = open.segment();
    String place = "offset " + position + " of " + segment.path;
    long high = next == null ? limit : Math.min(limit, next.firstSequence);
    if (open.search(position, expected, high)) {
      position = open.foundPosition();
      expected = open.foundSequence();
    } else if (next != null) {
      expected = Math.min(limit, next.firstSequence);
    } else if (limit != SegmentFeed.UNKNOWN) {
      expected = limit;
    } else {
      return Step.END; // its writer was killed here
    }
    segment.damaged = true;
    String reason = segment.linesFrom < 0 ? "damaged at " + place : ""; // a line of ours follows
    return expected > wanted ? lost(expected, reason) : null;
  }

  private Step lost(long end, String reason) {
    gap = new ReadOutcome.Gap(wanted, end - wanted, reason);
    wanted = end;
    return Step.GAP;
  }

  private void retire(Segment segment) throws IOException {
    SegmentReader open = reader;
    if (open != null && open.segment() == segment) {
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
