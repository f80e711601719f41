package dev.forebay.tiered.spool;

import dev.forebay.tiered.disk.Disk;
import dev.forebay.tiered.disk.DiskFile;
import dev.forebay.tiered.disk.FileInfo;
import java.io.Closeable;
import java.io.IOException;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.Set;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * Reads a spool without its lock and changes nothing, while its process writes records, ships them
 * and recycles their segments. For one thread.
 *
 * <p>These rules keep a live spool from looking damaged:
 *
 * <ul>
 *   <li>A segment loses its name before it is overwritten. So what was read counts only if the name
 *       still leads to the same file afterwards.
 *   <li>Records leave the spool only below the checkpoint. So the checkpoint, read after a segment
 *       was missed, tells a shipped segment from a lost one.
 *   <li>Frames and segments are written in order, but a look may miss one that is being written or
 *       renamed. So damage counts only if a second look, after the first has found something later,
 *       shows it too.
 * </ul>
 */
public final class SpoolView implements Closeable {

  /** The first record of the spool that the checkpoint does not count as committed. */
  @FunctionalInterface
  public interface Committed {

    /** Reads the checkpoint now; 0 if nothing was committed. */
    long sequence() throws IOException;
  }

  private static final int WINDOW_BYTES = 256 * 1024;
  private static final int BATCH_BYTES = 256 * 1024;
  private static final ViewOutcome NOTHING = new ViewOutcome.Nothing();

  private final Disk disk;
  private final Path spool;
  private final Committed committed;
  private final Warnings faults = new Warnings();
  private final SegmentReader.Context context;

  /** As listed last, without those that cannot be used. */
  private NavigableMap<Long, Segment> segments = new TreeMap<>();

  /** First sequences of segments that cannot be read. */
  private final Set<Long> unusable = new HashSet<>();

  private @Nullable SegmentReader reader;

  /** Identity of the reader's file. */
  private String key = "";

  /** Next position in the reader's segment, and the sequence expected there. */
  private int position;

  private long expected;

  /** Sequence to return next. */
  private long wanted;

  /** Where the last look found damage that the next one has to confirm; -1 if nowhere. */
  private long suspected = -1;

  /**
   * Begins at the oldest record; accesses no file.
   *
   * @param spool its directory, named like one
   */
  public SpoolView(Disk disk, Path spool, Committed committed) {
    InstanceId instance = SpoolNames.instance(SpoolNames.of(spool));
    this.disk = disk;
    this.spool = spool;
    this.committed = committed;
    this.context =
        new SegmentReader.Context(
            disk,
            instance,
            new FrameFormat(instance),
            FrameFormat.directBuffer(WINDOW_BYTES),
            faults);
  }

  /** A batch that holds records of any size. */
  public static RecordBatch batch() {
    return new RecordBatch(SpoolLimits.MAX_SEGMENT_BYTES);
  }

  /** Sequence that the next {@link #read} begins with. */
  public long nextSequence() {
    return wanted;
  }

  /** Makes {@link #read} continue with this record. */
  public void seek(long sequence) {
    leave();
    wanted = sequence;
  }

  /** Sequence after the last record now, found by reading the newest segment. */
  public long endSequence() throws IOException {
    long back = wanted;
    list();
    seek(segments.isEmpty() ? committed.sequence() : segments.lastKey());
    RecordBatch batch = batch();
    long first = wanted;
    while (!(read(batch, BATCH_BYTES) instanceof ViewOutcome.Nothing)) {
      if (reader != null && reader.segment().firstSequence != first) {
        break; // written since
      }
    }
    long end = wanted;
    seek(back);
    return end;
  }

  /** When each segment was last written, milliseconds since the epoch, by its first sequence. */
  public NavigableMap<Long, Long> writtenMs() throws IOException {
    list();
    NavigableMap<Long, Long> times = new TreeMap<>();
    for (Segment segment : segments.values()) {
      FileInfo info = disk.stat(segment.path);
      if (info != null) {
        times.put(segment.firstSequence, info.modifiedMs());
      }
    }
    return times;
  }

  /** Format version in the oldest readable header; ours if there is none. */
  public int version() throws IOException {
    SegmentHeader oldest = oldestHeader();
    return oldest == null ? FrameFormat.VERSION : oldest.version();
  }

  /** When the oldest segment of a loop was begun, milliseconds since the epoch; 0 if unknown. */
  public long begunMs() throws IOException {
    SegmentHeader oldest = oldestHeader();
    return oldest == null ? 0 : oldest.timeMs();
  }

  private @Nullable SegmentHeader oldestHeader() throws IOException {
    list();
    for (Segment segment : segments.values()) {
      FileInfo info = disk.stat(segment.path);
      if (info != null && Trust.fileFault(info, disk.userId()) == null) {
        SegmentHeader header = header(segment);
        if (header != null) {
          return header;
        }
      }
    }
    return null;
  }

  /** The version that this class reads. */
  public static int readableVersion() {
    return FrameFormat.VERSION;
  }

  private @Nullable SegmentHeader header(Segment segment) throws IOException {
    try (DiskFile file = disk.open(segment.path, Disk.Mode.READ)) {
      return SegmentReader.header(file, context.window());
    } catch (NoSuchFileException e) {
      return null;
    }
  }

  /**
   * Clears the batch and fills it with whole records of one segment, until it has {@code maxBytes}
   * payload bytes, including the record that crosses this limit. The batch is empty unless the
   * outcome is {@link ViewOutcome.Records}.
   */
  public ViewOutcome read(RecordBatch batch, long maxBytes) throws IOException {
    while (true) {
      batch.clear();
      SegmentReader open = reader;
      ViewOutcome found =
          open == null ? openWanted() : readOrSuspect(open, batch, Math.max(1, maxBytes));
      if (found != null) {
        if (!(found instanceof ViewOutcome.Records)) {
          batch.clear();
        }
        return found;
      }
    }
  }

  private @Nullable ViewOutcome readOrSuspect(SegmentReader open, RecordBatch batch, long maxBytes)
      throws IOException {
    Long next = segments.higherKey(open.segment().firstSequence);
    long end = next == null ? SegmentFeed.UNKNOWN : next;
    try {
      fill(open, batch, maxBytes, end);
      if (batch.count() == 0 && expected < end) {
        return atEnd(open);
      }
      if (!isStillThere(open)) {
        leave();
        list();
        return null;
      }
    } catch (IOException e) {
      boolean shipped = !isStillThere(open);
      Segment segment = open.segment();
      leave();
      list();
      return shipped ? null : refuse(segment, e.toString());
    }
    if (batch.count() == 0) {
      leave();
      wanted = Math.max(wanted, end);
      return null;
    }
    wanted = batch.nextSequence();
    suspected = -1;
    return new ViewOutcome.Records(batch.count());
  }

  /**
   * Moves the position past the frames below {@code end} that it copies; they count if the file is
   * still there then.
   */
  private void fill(SegmentReader open, RecordBatch batch, long maxBytes, long end)
      throws IOException {
    while (expected < end && batch.byteCount() < maxBytes && open.isFrame(position, expected)) {
      int payloadBytes = open.payloadBytes(position);
      int after = open.positionAfter(position);
      if (payloadBytes < 0 || after <= position) {
        return; // overwritten since its checksum was verified
      }
      if (expected >= wanted) {
        if (!batch.accepts(payloadBytes)) {
          return;
        }
        open.copyPayload(position, 0, batch.reserve(payloadBytes));
        batch.add(expected, payloadBytes);
      }
      position = after;
      expected++;
    }
  }

  /** Opens the segment of the wanted record; null if it is open, or after a new listing. */
  private @Nullable ViewOutcome openWanted() throws IOException {
    Map.Entry<Long, Segment> entry = segments.floorEntry(wanted);
    return entry == null
        ? missing(segments.isEmpty() ? -1 : segments.firstKey())
        : open(entry.getValue());
  }

  /** There is no segment for the wanted record; the next one begins with {@code first}, if any. */
  private @Nullable ViewOutcome missing(long first) throws IOException {
    if (suspected != wanted) {
      suspected = wanted;
      list();
      return null;
    }
    suspected = -1;
    long from = wanted;
    long done = committed.sequence();
    long shipped = first < 0 ? done : Math.min(done, first);
    if (shipped > from) {
      wanted = shipped;
      return new ViewOutcome.Shipped(from, shipped - from);
    }
    if (first < 0) {
      return NOTHING;
    }
    wanted = first;
    return new ViewOutcome.Damaged(
        from, first - from, "no segment before " + SpoolNames.segment(first));
  }

  private @Nullable ViewOutcome open(Segment segment) throws IOException {
    FileInfo info = disk.stat(segment.path);
    String fault = info == null ? null : Trust.fileFault(info, disk.userId());
    if (fault != null) {
      return refuse(segment, fault);
    }
    SegmentReader opened = null;
    try {
      opened = info == null ? null : SegmentReader.open(context, segment);
    } catch (IOException e) {
      return refuse(segment, e.toString());
    }
    reader = opened;
    key = info == null ? "" : info.key();
    position = FrameFormat.SEGMENT_HEADER_BYTES;
    expected = segment.firstSequence;
    List<String> found = faults.take();
    if (opened == null || !isStillThere(opened)) {
      leave();
      list();
      return null;
    }
    suspected = -1;
    return found.isEmpty() ? null : new ViewOutcome.Suspect(String.join("; ", found));
  }

  private ViewOutcome refuse(Segment segment, String fault) {
    unusable.add(segment.firstSequence);
    segments.remove(segment.firstSequence);
    return new ViewOutcome.Suspect("cannot read " + segment.path + ": " + fault);
  }

  /** The expected frame is not at its position. */
  private @Nullable ViewOutcome atEnd(SegmentReader open) throws IOException {
    list();
    Map.Entry<Long, Segment> next = segments.higherEntry(open.segment().firstSequence);
    long high = next == null ? SegmentFeed.UNKNOWN : next.getKey();
    boolean isLater = open.search(position, expected, high);
    if (!isStillThere(open)) {
      leave();
      return null;
    }
    long end = isLater ? open.foundSequence() : high;
    if (end == SegmentFeed.UNKNOWN) {
      suspected = -1;
      return NOTHING;
    }
    long from = Math.max(expected, wanted);
    if (end > from && suspected != expected) {
      suspected = expected;
      return null;
    }
    suspected = -1;
    String place = "offset " + position + " of " + open.segment().path;
    if (isLater) {
      position = open.foundPosition();
      expected = end;
    } else {
      leave();
    }
    wanted = Math.max(wanted, end);
    return end > from ? new ViewOutcome.Damaged(from, end - from, "damaged at " + place) : null;
  }

  private boolean isStillThere(SegmentReader open) throws IOException {
    FileInfo now = disk.stat(open.segment().path);
    return now != null && now.key().equals(key);
  }

  private void list() throws IOException {
    NavigableMap<Long, Segment> listed = new TreeMap<>();
    try {
      for (Path entry : disk.list(spool)) {
        long first = SpoolNames.firstSequence(SpoolNames.of(entry));
        if (first >= 0 && !unusable.contains(first)) {
          listed.put(first, new Segment(first, entry));
        }
      }
    } catch (NoSuchFileException e) {
      // Shipped and deleted.
    }
    segments = listed;
  }

  private void leave() {
    SegmentReader open = reader;
    reader = null;
    if (open != null) {
      open.close();
    }
  }

  @Override
  public void close() {
    leave();
  }
}
