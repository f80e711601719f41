package dev.forebay.tiered.spool;

import dev.forebay.tiered.disk.Disk;
import dev.forebay.tiered.disk.DiskFile;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.NavigableMap;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;

/**
 * The segment files of our own spool on their way round: the writer opens them, the reader gives
 * them back. Counts them against the cap. Each method belongs to the end named there; the queues
 * and the count are what both share.
 */
final class SegmentPool {
  private final Disk disk;
  private final SpoolLease lease;
  private final Quarantine quarantine;
  private final SpoolLimits limits;
  private final ByteBuffer header = FrameFormat.directBuffer(FrameFormat.SEGMENT_HEADER_BYTES);

  /** Segments and spares that exist, with room from the cap. The writer adds, the reader takes. */
  private final AtomicInteger count = new AtomicInteger();

  /**
   * Whether spares are too precious to be deleted: the file system refuses what they have. Written
   * by the writer, read by the reader.
   */
  private volatile boolean keepsAllSpares;

  /** From the reader to the writer. */
  private final Queue<Path> spares = new ConcurrentLinkedQueue<>();

  /** From the writer to the reader. */
  private final Queue<Segment> opened = new ConcurrentLinkedQueue<>();

  SegmentPool(Disk disk, SpoolLease lease, Quarantine quarantine, SpoolLimits limits) {
    this.disk = disk;
    this.lease = lease;
    this.quarantine = quarantine;
    this.limits = limits;
  }

  /** For any thread. */
  long usedBytes() {
    return (long) count.get() * limits.segmentBytes();
  }

  /** Writer: bytes of the segments that are neither free nor the one being written. */
  long backlogBytes() {
    return Math.max(0, (long) count.get() - spares.size() - 1) * limits.segmentBytes();
  }

  /** Writer: whether shipped segments are kept as spares, however many there are. */
  void keepAllSpares(boolean keep) {
    if (keepsAllSpares != keep) {
      keepsAllSpares = keep;
    }
  }

  /** Writer: whether {@link #open} would find the cap in its way. */
  boolean hasRoom() {
    return !spares.isEmpty() || limits.cap().hasRoom(usedBytes(), limits.segmentBytes());
  }

  /**
   * Writer: makes a segment with a header and nothing else, and shows it to the reader.
   *
   * @return null at the cap
   */
  @Nullable Segment open(long firstSequence) throws IOException {
    Path path = lease.path().resolve(SpoolNames.segment(firstSequence));
    Path fresh = lease.path().resolve(SpoolNames.spare(firstSequence));
    Segment segment = new Segment(firstSequence, path);
    Path blank = spares.poll();
    boolean isNew = blank == null;
    if (isNew && !limits.cap().take(usedBytes(), limits.segmentBytes())) {
      return null;
    }
    Path at = isNew ? fresh : blank;
    boolean isDone = false;
    try { // memory may be short at each step, and what nobody knows would count for good
      if (isNew) {
        count.incrementAndGet();
      }
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

  /** Reader: the segments opened since the last call. */
  void drainOpened(NavigableMap<Long, Segment> target) {
    for (Segment segment = opened.poll(); segment != null; segment = opened.poll()) {
      target.put(segment.firstSequence, segment);
    }
  }

  /** Reader: gives back a segment the writer has left. */
  void retire(Segment segment) throws IOException {
    try {
      if (segment.damaged) {
        quarantine.take(segment, lease.instance());
      } else if (isKept()) {
        Path spare = lease.path().resolve(SpoolNames.spare(segment.firstSequence));
        disk.move(segment.path, spare);
        spares.add(spare);
        return;
      } else {
        disk.delete(segment.path);
      }
    } catch (NoSuchFileException e) {
      // Somebody removed it; what counts is that it takes no room.
    }
    forget();
  }

  /** Reader: whether a shipped segment stays as a spare. */
  private boolean isKept() {
    return keepsAllSpares
        || spares.size() < limits.spares()
            && limits.cap().keepsSpares(usedBytes(), limits.segmentBytes());
  }

  /** A segment less; the count goes first, so that it never has more than was taken. */
  private void forget() {
    count.decrementAndGet();
    limits.cap().giveBack(limits.segmentBytes());
  }

  /** The name is still that of a spare, so a header half written is seen by nobody. */
  private void writeHeader(Path blank, boolean isNew, long firstSequence) throws IOException {
    FrameFormat.putHeader(
        header,
        new SegmentHeader(
            FrameFormat.VERSION, lease.instance(), firstSequence, limits.segmentBytes()));
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

  /** A file that cannot be deleted either goes on counting, as a spare. */
  private void abandon(Path blank) {
    try {
      disk.delete(blank);
      forget();
    } catch (IOException e) {
      spares.add(blank);
    }
  }
}
