package dev.forebay.tiered.spool;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.Map;
import java.util.NavigableMap;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * Walks over the frames of all segments of a spool, one by one and in order, and says where frames
 * are missing. Shipper's thread only.
 */
final class SegmentCursor {
  /** After so many failed reads of a segment that nobody writes any more, it is given up. */
  static final int MAX_FAILED_READS = 5;

  private final SegmentFeed feed;
  private final SegmentReader.Context context;

  /** All that are left, by first sequence. */
  private final NavigableMap<Long, Segment> segments = new TreeMap<>();

  private @Nullable SegmentReader reader;

  /** The segment behind the reader's, if it is known already. */
  private @Nullable Segment following;

  /** Where the reader's segment goes on, and the sequence that should stand there. */
  private int position;

  private long expected;

  /** The sequence to deliver next; never below {@code expected} while a reader is open. */
  private long wanted;

  /** Position of the last frame that was larger than the batch it was taken to. */
  private int large;

  private ReadOutcome.@Nullable Gap gap;

  SegmentCursor(SegmentFeed feed, SegmentReader.Context context) {
    this.feed = feed;
    this.context = context;
  }

  /** What stands at the wanted place. */
  enum Step {
    /** The wanted frame; {@link #take} it. */
    FRAME,
    /** It is missing; {@link #gap} tells, and the frame behind the gap is wanted now. */
    GAP,
    /** Nothing, now or for good. */
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
    long limit = feed.limit(); // before the segments, so that those of all records are known
    takeNew();
    while (wanted < limit) {
      Segment unreadable = limit == SegmentFeed.UNKNOWN ? unreadable() : null;
      if (unreadable != null) {
        Segment next = following(unreadable);
        giveUp(unreadable);
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

  /** The records missing, after a step to a {@link Step#GAP}. */
  ReadOutcome.Gap gap() {
    if (gap == null) {
      throw new IllegalStateException("there was no gap");
    }
    return gap;
  }

  /**
   * Copies the frame stepped to and wants the next one; false when the batch is too full for it.
   */
  boolean take(RecordBatch batch) throws IOException {
    SegmentReader open = reader;
    if (open == null) {
      throw new IllegalStateException("there was no frame");
    }
    int payloadBytes = open.payloadBytes(position);
    if (!batch.accepts(payloadBytes)) {
      return false;
    }
    int behind = position + (int) FrameFormat.frameBytes(payloadBytes);
    if (batch.fits(payloadBytes)) {
      open.copyPayload(position, 0, batch.reserve(payloadBytes));
      batch.add(wanted, payloadBytes);
    } else {
      batch.addLarge(wanted, payloadBytes);
      large = position;
      slide(batch, 0);
    }
    position = behind;
    expected++;
    wanted++;
    return true;
  }

  /** Copies another part of the large frame that was taken last. */
  void slide(RecordBatch batch, int fromByte) throws IOException {
    SegmentReader open = reader;
    if (open == null) {
      throw new IllegalStateException("the segment of a large record was left");
    }
    ByteBuffer part = batch.part(batch.byteCount() - fromByte);
    int bytes = part.remaining();
    open.copyPayload(large, fromByte, part);
    batch.hold(fromByte, bytes);
  }

  private void takeNew() {
    int known = segments.size();
    feed.addNew(segments);
    SegmentReader open = reader;
    if (open != null && segments.size() != known) {
      following = following(open.segment());
    }
  }

  /** Gives back the segments that hold nothing at or above a sequence. */
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

  /** Where the data of an orphan ends, -1 if it has no segment; leaves the cursor somewhere. */
  long findEnd() throws IOException {
    takeNew();
    seek(SegmentFeed.UNKNOWN - 1);
    Step step = step();
    if (step != Step.END) {
      throw new IllegalStateException("a frame of sequence " + expected);
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

  /** The disk failed to read what was stepped to or copied. */
  void countFailedRead() {
    SegmentReader open = reader;
    if (open != null) {
      open.segment().failedReads++;
    }
  }

  /** The segment to be read next, if the disk has failed to do so too often; null if not. */
  private @Nullable Segment unreadable() {
    SegmentReader open = reader;
    Segment next = open == null ? first() : open.segment();
    return next != null && next.failedReads >= MAX_FAILED_READS ? next : null;
  }

  private void giveUp(Segment unreadable) throws IOException {
    context
        .warnings()
        .add(
            "gave up %s, which could not be read %d times: its records are lost"
                .formatted(unreadable.path, unreadable.failedReads));
    unreadable.damaged = true;
    retire(unreadable);
  }

  /** The segment that should hold the wanted record, or else the next there is. */
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
      }
      position = FrameFormat.SEGMENT_HEADER_BYTES;
      expected = segment.firstSequence;
    }
    return reader;
  }

  private void advance(SegmentReader open) throws IOException {
    position = open.behind(position);
    expected++;
  }

  /** Goes on behind a place where the expected frame is not; null when the walk can continue. */
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
    return expected > wanted ? lost(expected, "damaged at " + place) : null;
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
