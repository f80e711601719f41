package dev.forebay.tiered.spool;

import dev.forebay.tiered.disk.Disk;
import dev.forebay.tiered.disk.DiskFile;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.DirectoryNotEmptyException;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.NavigableMap;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/**
 * Circulates the segment files of our own spool: the writer opens them, the reader returns them.
 * Counts them against the cap. Each method is for the writer's or the reader's thread, as stated
 * there; they share only the queues, the count and {@code keepsAllSpares}.
 */
final class SegmentPool {
  private final Disk disk;
  private final SpoolLease lease;
  private final SpoolLimits limits;

  /** Null: its segments do not say when they were begun. */
  private final @Nullable LongSupplier timeMs;

  private final ByteBuffer header = FrameFormat.directBuffer(FrameFormat.SEGMENT_HEADER_BYTES);

  /** Existing segments and spares. The writer adds, the reader subtracts. */
  private final SpoolBudget.Share share;

  /**
   * Whether no spare is deleted, because the file system refuses new space. Written by the writer,
   * read by the reader.
   */
  private volatile boolean keepsAllSpares;

  /** From the reader to the writer. */
  private final Queue<Path> spares = new ConcurrentLinkedQueue<>();

  /** From the writer to the reader. */
  private final Queue<Segment> opened = new ConcurrentLinkedQueue<>();

  SegmentPool(Disk disk, SpoolLease lease, SpoolLimits limits) {
    this(disk, lease, limits, null);
  }

  /**
   * One whose segments say when they were begun.
   *
   * @param timeMs milliseconds since the epoch
   */
  SegmentPool(Disk disk, SpoolLease lease, SpoolLimits limits, @Nullable LongSupplier timeMs) {
    this.disk = disk;
    this.lease = lease;
    this.limits = limits;
    this.timeMs = timeMs;
    this.share = limits.budget().new Share(limits, lease.instance());
  }

  /** What it counts against. */
  SpoolBudget.Share share() {
    return share;
  }

  /** Writer: bytes of the segments that are neither free nor the one being written. */
  long backlogBytes() {
    long free = (spares.size() + 1L) * limits.segmentBytes();
    return Math.max(0, share.usedBytes() - free);
  }

  /** Writer: whether shipped segments are kept as spares, however many there are. */
  void keepAllSpares(boolean keep) {
    if (keepsAllSpares != keep) {
      keepsAllSpares = keep;
    }
  }

  /** Writer: whether the cap allows {@link #open}. */
  boolean hasRoom() {
    return !spares.isEmpty() || share.hasRoom();
  }

  /**
   * Writer: creates a segment with only a header, and publishes it to the reader.
   *
   * @return null at the cap
   */
  @Nullable Segment open(long firstSequence) throws IOException {
    Path path = lease.path().resolve(SpoolNames.segment(firstSequence));
    Path fresh = lease.path().resolve(SpoolNames.spare(firstSequence));
    Segment segment = new Segment(firstSequence, path);
    Path blank = spares.poll();
    boolean isNew = blank == null;
    if (isNew && !share.take()) {
      return null;
    }
    Path at = isNew ? fresh : blank;
    boolean isDone = false;
    try { // any step may run out of memory, and an unknown file would count forever
      writeHeader(at, isNew, firstSequence);
      disk.move(at, path);
      at = path;
      opened.add(segment);
      isDone = true;
    } finally {
      if (!isDone) {
        abandon(at);
      }
    }
    return segment;
  }

  /** Writer: whether there is a segment to reuse. */
  boolean hasSpares() {
    return !spares.isEmpty();
  }

  /** Whether {@link #drainOpened} would find a segment. */
  boolean hasOpened() {
    return !opened.isEmpty();
  }

  /** Reader: the segments opened since the last call. */
  void drainOpened(NavigableMap<Long, Segment> target) {
    for (Segment segment = opened.poll(); segment != null; segment = opened.poll()) {
      target.put(segment.firstSequence, segment);
    }
  }

  /** Reader: returns a segment the writer has left. */
  void retire(Segment segment) throws IOException {
    try {
      if (!segment.damaged && isKept()) {
        Path spare = lease.path().resolve(SpoolNames.spare(segment.firstSequence));
        disk.move(segment.path, spare);
        spares.add(spare);
        return;
      }
      disk.delete(segment.path);
    } catch (NoSuchFileException | DirectoryNotEmptyException e) {
      // Removed or replaced by others; it takes no space any more.
    }
    share.giveBack();
  }

  /** Reader: whether a shipped segment stays as a spare. */
  private boolean isKept() {
    return keepsAllSpares || spares.size() < limits.spares() && share.keepsSpares();
  }

  /** Under the name of a spare, so that no reader sees a partial header. */
  private void writeHeader(Path blank, boolean isNew, long firstSequence) throws IOException {
    FrameFormat.putHeader(
        header,
        new SegmentHeader(
            FrameFormat.VERSION,
            lease.instance(),
            firstSequence,
            limits.segmentBytes(),
            timeMs == null ? 0 : timeMs.getAsLong()));
    Disk.Mode mode = isNew ? Disk.Mode.CREATE_PRIVATE : Disk.Mode.UPDATE;
    try (DiskFile file = disk.open(blank, mode)) {
      while (header.hasRemaining()) {
        int written = file.write(header, header.position());
        if (written <= 0) {
          throw new IOException("no progress writing the header of " + blank);
        }
      }
    }
  }

  /** Deletes a file; one that cannot be deleted still counts, as a spare. */
  private void abandon(Path blank) {
    try {
      disk.delete(blank);
      share.giveBack();
    } catch (IOException e) {
      spares.add(blank);
    }
  }
}
