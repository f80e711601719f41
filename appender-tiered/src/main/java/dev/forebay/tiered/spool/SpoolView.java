package dev.forebay.tiered.spool;

import dev.forebay.tiered.disk.Disk;
import dev.forebay.tiered.disk.DiskFile;
import dev.forebay.tiered.disk.FileInfo;
import dev.forebay.tiered.disk.Trust;
import dev.forebay.tiered.identity.InstanceId;
import java.io.Closeable;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.ArrayList;
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
 * <p>Walks like the shipper does. These rules keep a live spool from looking damaged:
 *
 * <ul>
 *   <li>A segment loses its name before it is overwritten, and the same name is not used again. So
 *       what was read counts only if the name is still there afterwards.
 *   <li>Records leave the spool only below the checkpoint. So the checkpoint, read after a segment
 *       was missed, tells a shipped segment from a lost one.
 *   <li>Frames and segments are written in order, but a look may miss one that is being written or
 *       renamed. So a gap counts only if a second walk shows it too.
 * </ul>
 */
public final class SpoolView implements Closeable {

  /** The first record of the spool that the checkpoint does not count as committed. */
  @FunctionalInterface
  public interface Committed {

    /** Reads the checkpoint now; 0 if nothing was committed. */
    long sequence() throws IOException;
  }

  private final Disk disk;
  private final Path spool;
  private final Committed committed;
  private final InstanceId instance;

  /** Warnings of this walk. */
  private Warnings warnings = new Warnings();

  /** First sequences of segments that the disk cannot read. */
  private final Set<Long> unreadable = new HashSet<>();

  /** Faults that were reported. */
  private final Set<String> said = new HashSet<>();

  private @Nullable SegmentCursor cursor;

  /** The segments that it walks through. */
  private NavigableMap<Long, FileInfo> known = new TreeMap<>();

  private long wanted;

  /** Where the last walk found a gap that the next one has to confirm; -1 if nowhere. */
  private long suspected = -1;

  /** Begins at the oldest record of a directory named like a spool; accesses no file. */
  public SpoolView(Disk disk, Path spool, Committed committed) {
    this.disk = disk;
    this.spool = spool;
    this.committed = committed;
    this.instance = SpoolNames.instance(spool);
  }

  /** A batch that holds records of any size. */
  public static RecordBatch batch() {
    return new RecordBatch(SpoolLimits.MAX_SEGMENT_BYTES);
  }

  public static int readableVersion() {
    return FrameFormat.VERSION;
  }

  public long nextSequence() {
    return wanted;
  }

  public void seek(long sequence) {
    close();
    wanted = sequence;
  }

  /** Sequence after the last record now, found by reading the newest segment. */
  public long endSequence() throws IOException {
    while (true) {
      close();
      SegmentCursor at = walk();
      try {
        long end = at.findEnd();
        if (end < 0 || isStillThere(at.segment())) {
          close();
          return end < 0 ? committed.sequence() : end;
        }
      } catch (IOException e) {
        MissingRecords unused = leaveOut(Long.MAX_VALUE, e);
      }
    }
  }

  /** When each segment was last written, milliseconds since the epoch, by its first sequence. */
  public NavigableMap<Long, Long> writtenMs() throws IOException {
    NavigableMap<Long, Long> times = new TreeMap<>();
    list().forEach((first, info) -> times.put(first, info.modifiedMs()));
    return times;
  }

  /** Format version in the oldest readable header; ours if there is none. */
  public int version() throws IOException {
    ByteBuffer header = oldestHeader();
    return header == null ? FrameFormat.VERSION : FrameFormat.version(header);
  }

  /** When the oldest segment of a loop was begun, milliseconds since the epoch; 0 if unknown. */
  public long begunMs() throws IOException {
    ByteBuffer header = oldestHeader();
    return header == null ? 0 : FrameFormat.timeMs(header);
  }

  private @Nullable ByteBuffer oldestHeader() throws IOException {
    ByteBuffer header = FrameFormat.of(new byte[FrameFormat.SEGMENT_HEADER_BYTES]);
    for (Map.Entry<Long, FileInfo> segment : list().entrySet()) {
      if (Trust.fileFault(segment.getValue(), disk.userId()) == null) {
        try (DiskFile file = disk.open(path(segment.getKey()), Disk.Mode.READ)) {
          if (FrameContent.readHeader(file, header)) {
            return header;
          }
        } catch (NoSuchFileException e) {
          // The segment was shipped meanwhile.
        }
      }
    }
    return null;
  }

  /**
   * Clears the batch and fills it with whole records of one segment, until it has {@code maxBytes}
   * payload bytes, including the record that crosses this limit. Records that have left the spool
   * and are in the log are passed over in silence.
   *
   * @return what is missing, and the batch is empty; if that is no record, something is wrong with
   *     a file. Null if the batch has records, or there is none now
   */
  public @Nullable MissingRecords read(RecordBatch batch, long maxBytes) throws IOException {
    MissingRecords found = null;
    while (found == null) {
      batch.clear();
      SegmentCursor at = cursor == null ? walk() : cursor;
      try {
        found = next(at, batch, Math.max(1, maxBytes));
      } catch (IOException e) {
        found = leaveOut(batch.count() > 0 ? batch.nextSequence() : wanted, e);
        batch.clear();
      }
    }
    return found.isNone() ? null : found;
  }

  private @Nullable MissingRecords next(SegmentCursor at, RecordBatch batch, long maxBytes)
      throws IOException {
    MissingRecords step = at.step();
    List<String> faults = new ArrayList<>(warnings.take());
    faults.removeAll(said);
    if (!faults.isEmpty()) {
      return suspect(faults);
    }
    if (step == null) {
      return records(at, batch, maxBytes);
    }
    return step.isNone() ? end() : gap(step);
  }

  /** Goes on without the segment of this record, unless it was shipped since: then null. */
  private @Nullable MissingRecords leaveOut(long sequence, IOException cause) throws IOException {
    Long first = known.floorKey(sequence);
    close();
    if (first == null) {
      throw cause;
    }
    Path segment = path(first);
    if (disk.stat(segment) == null) {
      return null;
    }
    unreadable.add(first);
    return new MissingRecords(wanted, 0, "cannot read " + segment + ": " + cause);
  }

  /** Reads records of one segment; null if they do not count, since the segment is gone. */
  private @Nullable MissingRecords records(SegmentCursor at, RecordBatch batch, long maxBytes)
      throws IOException {
    Segment segment = at.segment();
    MissingRecords step = null;
    while (step == null
        && at.segment() == segment
        && batch.byteCount() < maxBytes
        && at.take(batch)) {
      step = at.step();
    }
    boolean isThere = isStillThere(segment);
    if (!isThere || step != null && !step.isNone()) {
      close(); // the gap is looked at alone
    }
    if (!isThere) {
      return null;
    }
    wanted = batch.nextSequence();
    suspected = -1;
    return SegmentCursor.NOTHING;
  }

  private @Nullable MissingRecords gap(MissingRecords gap) throws IOException {
    if (suspected != wanted) {
      suspected = wanted;
      close();
      return null;
    }
    suspected = -1;
    long end = gap.fromSequence() + gap.count();
    long done = known.floorKey(wanted) == null ? Math.min(end, committed.sequence()) : 0;
    if (done > wanted) {
      seek(done);
      return null;
    }
    wanted = end;
    return gap;
  }

  /** Returns the end; null if there are other segments by now. */
  private @Nullable MissingRecords end() throws IOException {
    if (!list().keySet().equals(known.keySet())) {
      close();
      return null;
    }
    suspected = -1;
    long done = known.isEmpty() ? committed.sequence() : 0;
    if (done > wanted) {
      seek(done);
    }
    return SegmentCursor.NOTHING;
  }

  /** Reports a suspected gap; null if a segment may have been shipped meanwhile. */
  private @Nullable MissingRecords suspect(List<String> found) throws IOException {
    close();
    if (!list().keySet().containsAll(known.keySet())) {
      return null;
    }
    said.addAll(found);
    return new MissingRecords(wanted, 0, String.join("; ", found));
  }

  private boolean isStillThere(@Nullable Segment segment) throws IOException {
    return segment != null && disk.stat(segment.path) != null;
  }

  /** A walk from the wanted record on, through the segments that there are now. */
  private SegmentCursor walk() throws IOException {
    warnings = new Warnings();
    known = list();
    NavigableMap<Long, Segment> left = new TreeMap<>();
    known.keySet().forEach(first -> left.put(first, new Segment(first, path(first))));
    FrameContent frames = FrameContent.orphan(instance);
    SegmentFeed once =
        (segments, from) -> {
          segments.putAll(left);
          left.clear();
        };
    SegmentCursor made = new SegmentCursor(disk, once, frames, warnings);
    made.seek(wanted);
    cursor = made;
    return made;
  }

  private Path path(long first) {
    return spool.resolve(SpoolNames.segment(first));
  }

  /** The segments that may be read, by first sequence. */
  private NavigableMap<Long, FileInfo> list() throws IOException {
    NavigableMap<Long, FileInfo> listed = new TreeMap<>();
    try {
      for (Path entry : disk.list(spool)) {
        long first = SpoolNames.firstSequence(SpoolNames.of(entry));
        FileInfo info = first < 0 || unreadable.contains(first) ? null : disk.stat(entry);
        if (info != null) {
          listed.put(first, info);
        }
      }
    } catch (NoSuchFileException e) {
      // Shipped and deleted.
    }
    return listed;
  }

  @Override
  public void close() {
    if (cursor != null) {
      cursor.closeFile();
    }
    cursor = null;
  }
}
