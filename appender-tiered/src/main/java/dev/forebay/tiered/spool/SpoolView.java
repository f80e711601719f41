package dev.forebay.tiered.spool;

import dev.forebay.tiered.disk.Disk;
import dev.forebay.tiered.disk.DiskFile;
import dev.forebay.tiered.disk.FileInfo;
import java.io.Closeable;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
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
 *   <li>A segment loses its name before it is overwritten, and no other gets the same one. So what
 *       was read counts only if the name is still there afterwards.
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

  private static final int WINDOW_BYTES = 256 * 1024;
  private static final ReadOutcome NOTHING = new ReadOutcome.Nothing();

  private final Disk disk;
  private final Path spool;
  private final Committed committed;
  private final InstanceId instance;
  private final FrameFormat format;
  private final ByteBuffer window = FrameFormat.directBuffer(WINDOW_BYTES);

  /** Of this walk. */
  private SegmentReader.Context context;

  /** The segments that cannot be used, by first sequence, and why. */
  private final NavigableMap<Long, String> unusable = new TreeMap<>();

  /** Faults that were returned. */
  private final Set<String> said = new HashSet<>();

  private @Nullable SegmentCursor cursor;

  /** The segments that it walks through. */
  private NavigableMap<Long, FileInfo> known = new TreeMap<>();

  /** Sequence to return next. */
  private long wanted;

  /** Where the last walk found a gap that the next one has to confirm; -1 if nowhere. */
  private long suspected = -1;

  /**
   * Begins at the oldest record; accesses no file.
   *
   * @param spool its directory, named like one
   */
  public SpoolView(Disk disk, Path spool, Committed committed) {
    this.disk = disk;
    this.spool = spool;
    this.committed = committed;
    this.instance = SpoolNames.instance(SpoolNames.of(spool));
    this.format = new FrameFormat(instance);
    this.context = context();
  }

  private SegmentReader.Context context() {
    return new SegmentReader.Context(disk, instance, format, window, new Warnings());
  }

  /** A batch that holds records of any size. */
  public static RecordBatch batch() {
    return new RecordBatch(SpoolLimits.MAX_SEGMENT_BYTES);
  }

  /** The version that this class reads. */
  public static int readableVersion() {
    return FrameFormat.VERSION;
  }

  /** Sequence that the next {@link #read} begins with. */
  public long nextSequence() {
    return wanted;
  }

  /** Makes {@link #read} continue with this record. */
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
        if (end < 0) {
          return committed.sequence();
        }
        if (isStillThere(at.segment())) {
          return end;
        }
      } catch (IOException e) {
        refuse(at.segment(), e);
      } finally {
        close();
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
    SegmentHeader oldest = oldestHeader();
    return oldest == null ? FrameFormat.VERSION : oldest.version();
  }

  /** When the oldest segment of a loop was begun, milliseconds since the epoch; 0 if unknown. */
  public long begunMs() throws IOException {
    SegmentHeader oldest = oldestHeader();
    return oldest == null ? 0 : oldest.timeMs();
  }

  private @Nullable SegmentHeader oldestHeader() throws IOException {
    for (long first : list().keySet()) {
      try (DiskFile file = disk.open(path(first), Disk.Mode.READ)) {
        SegmentHeader header = SegmentReader.header(file, window);
        if (header != null) {
          return header;
        }
      } catch (NoSuchFileException e) {
        // Shipped since.
      }
    }
    return null;
  }

  /**
   * Clears the batch and fills it with whole records of one segment, until it has {@code maxBytes}
   * payload bytes, including the record that crosses this limit. The batch is empty unless the
   * outcome is {@link ReadOutcome.Records}.
   */
  public ReadOutcome read(RecordBatch batch, long maxBytes) throws IOException {
    ReadOutcome found = null;
    while (found == null) {
      batch.clear();
      SegmentCursor at = cursor == null ? walk() : cursor;
      try {
        SegmentCursor.Step step = at.step();
        List<String> faults = newFaults(at, step);
        if (!faults.isEmpty()) {
          found = suspect(faults);
        } else {
          found =
              switch (step) {
                case FRAME -> records(at, batch, Math.max(1, maxBytes));
                case GAP -> gap(at.gap());
                case END -> end();
              };
        }
      } catch (IOException e) {
        refuse(at.segment(), e);
        close();
      }
    }
    return found;
  }

  /** Null if they do not count. */
  private @Nullable ReadOutcome records(SegmentCursor at, RecordBatch batch, long maxBytes)
      throws IOException {
    Segment segment = at.segment();
    SegmentCursor.Step step = SegmentCursor.Step.FRAME;
    while (step == SegmentCursor.Step.FRAME
        && at.segment() == segment
        && batch.byteCount() < maxBytes
        && at.take(batch)) {
      step = at.step();
    }
    boolean isThere = isStillThere(segment);
    if (!isThere || step == SegmentCursor.Step.GAP) {
      close(); // the gap is looked at alone
    }
    if (!isThere) {
      return null;
    }
    wanted = batch.nextSequence();
    suspected = -1;
    return new ReadOutcome.Records(batch.count());
  }

  private @Nullable ReadOutcome gap(ReadOutcome.Gap gap) throws IOException {
    if (suspected != wanted) {
      suspected = wanted;
      close();
      return null;
    }
    suspected = -1;
    long end = gap.fromSequence() + gap.count();
    long done = known.floorKey(wanted) == null ? Math.min(end, committed.sequence()) : 0;
    if (done > wanted) {
      return shipped(done);
    }
    wanted = end;
    return gap;
  }

  /** Null if there are other segments since. */
  private @Nullable ReadOutcome end() throws IOException {
    if (!list().keySet().equals(known.keySet())) {
      close();
      return null;
    }
    suspected = -1;
    long done = known.isEmpty() ? committed.sequence() : 0;
    return done > wanted ? shipped(done) : NOTHING;
  }

  private ReadOutcome shipped(long below) {
    long from = wanted;
    seek(below);
    return new ReadOutcome.Shipped(from, below - from);
  }

  /** What is wrong with the segments walked through, or left out, and was not said yet. */
  private List<String> newFaults(SegmentCursor at, SegmentCursor.Step step) {
    List<String> found = new ArrayList<>(context.warnings().take());
    long below = step == SegmentCursor.Step.END ? Long.MAX_VALUE : at.wanted();
    found.addAll(unusable.headMap(below).values());
    found.removeAll(said);
    return found;
  }

  /** Null if it may be because a segment was shipped meanwhile. */
  private @Nullable ReadOutcome suspect(List<String> found) throws IOException {
    close();
    if (!list().keySet().containsAll(known.keySet())) {
      return null;
    }
    said.addAll(found);
    return new ReadOutcome.Suspect(String.join("; ", found));
  }

  /** A segment that cannot be read is left out from now on, unless it is just gone. */
  private void refuse(@Nullable Segment segment, IOException cause) throws IOException {
    if (segment == null) {
      throw cause;
    }
    if (isStillThere(segment)) {
      unusable.put(segment.firstSequence, "cannot read " + segment.path + ": " + cause);
    }
  }

  private boolean isStillThere(@Nullable Segment segment) throws IOException {
    return segment != null && disk.stat(segment.path) != null;
  }

  /** A walk from the wanted record on, through the segments that there are now. */
  private SegmentCursor walk() throws IOException {
    known = list();
    context = context();
    SegmentCursor made = new SegmentCursor(new Listed(), context);
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
    for (Path entry : entries()) {
      long first = SpoolNames.firstSequence(SpoolNames.of(entry));
      FileInfo info = first < 0 || unusable.containsKey(first) ? null : disk.stat(entry);
      String fault = info == null ? null : Trust.fileFault(info, disk.userId());
      if (fault != null) {
        unusable.put(first, "cannot read " + entry + ": " + fault);
      } else if (info != null) {
        listed.put(first, info);
      }
    }
    return listed;
  }

  private List<Path> entries() throws IOException {
    try {
      return disk.list(spool);
    } catch (NoSuchFileException e) {
      return List.of(); // shipped and deleted
    }
  }

  @Override
  public void close() {
    SegmentCursor open = cursor;
    cursor = null;
    if (open != null) {
      open.closeFile();
    }
  }

  /** Gives the cursor the listed segments, once, and takes nothing back. */
  private final class Listed implements SegmentFeed {
    private boolean isTaken;

    @Override
    public long limit() {
      return UNKNOWN;
    }

    @Override
    public void addNew(NavigableMap<Long, Segment> segments, long wanted) {
      if (!isTaken) {
        known.keySet().forEach(first -> segments.put(first, new Segment(first, path(first))));
        isTaken = true;
      }
    }

    @Override
    public void retire(Segment segment) {}
  }
}
