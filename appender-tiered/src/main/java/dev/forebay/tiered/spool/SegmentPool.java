package dev.forebay.tiered.spool;

import dev.forebay.tiered.disk.Disk;
import dev.forebay.tiered.disk.DiskFile;
import dev.forebay.tiered.identity.InstanceId;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.DirectoryNotEmptyException;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.NavigableMap;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/**
 * Circulates the segment files of our own spool: the writer opens and fills them, the reader
 * returns them. Counts them against the cap. Each method is for the writer's or the reader's
 * thread, as stated there; they share only the queues, the count and volatile fields.
 */
final class SegmentPool implements SegmentFeed {
  /** Enough for a steady stream to create no files; more would keep a past burst's memory. */
  private static final int SPARES = 2;

  private final Disk disk;
  private final SpoolLease lease;

  /** 0 in the heap, where creating a file costs nothing. Written by the writer. */
  private volatile int mostSpares;

  private final @Nullable LongSupplier timeMs;

  private final ByteBuffer header = FrameFormat.directBuffer(FrameFormat.SEGMENT_HEADER_BYTES);

  /** Existing segments and spares, and those of spools before. */
  private final SpoolBudget.Share share;

  /** Our segments and spares in it. The writer adds, the reader subtracts. */
  private final AtomicInteger held = new AtomicInteger();

  /** Whether the file system refuses new space, so that no spare is deleted. Set by the writer. */
  private volatile boolean keepsAllSpares;

  /** Spares, from the reader to the writer. */
  private final Queue<Path> spares = new ConcurrentLinkedQueue<>();

  /** Segments, from the writer to the reader. */
  private final Queue<Segment> opened = new ConcurrentLinkedQueue<>();

  /** Records below are written; set by the writer, read by the reader. */
  volatile long publishedSequence;

  /** Shows other processes what is written; null if none of them ships it. */
  private final @Nullable SpoolHead head;

  // Of the writer.

  /** The file of the segment being written, opened when needed. */
  private @Nullable DiskFile file;

  /** Set permanently once the file being written was found removed; read by any thread. */
  private volatile boolean isGone;

  private boolean isClosed;

  /** With no clock if segments do not say when they were begun. */
  SegmentPool(
      Disk disk,
      SpoolLease lease,
      SpoolBudget.Share share,
      @Nullable SpoolHead head,
      @Nullable LongSupplier timeMs) {
    this.disk = disk;
    this.head = head;
    this.lease = lease;
    this.mostSpares = disk.outlivesProcess() ? SPARES : 0;
    this.timeMs = timeMs;
    this.share = share;
  }

  /** From now on the spool counts. */
  void begin() {
    share.join(lease.instance);
  }

  SpoolBudget.Share share() {
    return share;
  }

  /** Writer: what is written can be read by other processes from now on. */
  void publish() {
    if (head != null) {
      head.publish(publishedSequence);
    }
  }

  /** Writer: whether others see all that is written. */
  boolean isShown() {
    return head == null || head.isShown();
  }

  /** Writer: bytes of the segments that are neither free nor the one being written. */
  long backlogBytes() {
    long free = (spares.size() + 1L) * share.segmentBytes();
    return Math.max(0, share.usedBytes() - free);
  }

  /** Writer: bytes of its own segments, spares not included. */
  long heldBytes() {
    return (long) (held.get() - spares.size()) * share.segmentBytes();
  }

  /** Writer: nothing more is written; no spare is kept. */
  void endSpares() {
    mostSpares = 0;
    keepsAllSpares = false;
    for (Path spare = spares.poll(); spare != null; spare = spares.poll()) {
      try {
        disk.delete(spare);
        giveBack();
      } catch (IOException e) {
        // The file counts until the spool is deleted.
      }
    }
  }

  private void giveBack() {
    held.decrementAndGet();
    share.giveBack();
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

  /** Writer: creates a segment with only a header, for the reader too; null at the cap. */
  @Nullable Segment open(long firstSequence) throws IOException {
    Path path = lease.path.resolve(SpoolNames.segment(firstSequence));
    Path fresh = lease.path.resolve(SpoolNames.spare(firstSequence));
    Segment segment = new Segment(firstSequence, path);
    Path blank = spares.poll();
    boolean isNew = blank == null;
    if (isNew && !share.take()) {
      return null;
    }
    held.addAndGet(isNew ? 1 : 0);
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
        discard(at);
      }
    }
    return segment;
  }

  /** Writer: whether there is a segment to reuse. */
  boolean hasSpares() {
    return !spares.isEmpty();
  }

  /** The next segment that the reader has not taken in; null if there is none. */
  @Nullable Segment nextOpened() {
    return opened.poll();
  }

  /** Writer: writes to the segment at {@code path}; the same one until {@link #closeFile}. */
  int write(Path path, ByteBuffer source, long position) throws IOException {
    DiskFile open = file;
    if (open == null) {
      try {
        open = disk.open(path, Disk.Mode.UPDATE_BY_CALLS);
      } catch (NoSuchFileException e) {
        isGone = true;
        throw e;
      }
      file = open;
    }
    return open.write(source, position);
  }

  /** Whether a file to write to was found missing. For any thread. */
  boolean isFileGone() {
    return isGone;
  }

  /** Writer, or the reader once nothing more is added: closes the segment's file. */
  @Override
  public void closeFile() {
    // Accepted bytes are counted; the reader's checksums reveal those that were not stored.
    DiskFile.closeQuietly(file);
    file = null;
    if (head != null) {
      head.close();
    }
  }

  @Override
  public long limit() {
    return head == null ? publishedSequence : head.shown;
  }

  @Override
  public SegmentContent content(InstanceId spool) {
    return FrameContent.live(spool);
  }

  @Override
  public void addNew(NavigableMap<Long, Segment> target, long wanted) {
    for (Segment segment = nextOpened(); segment != null; segment = nextOpened()) {
      target.put(segment.firstSequence, segment);
    }
  }

  /** Writer: whether nothing more is written. */
  boolean isClosed() {
    return isClosed;
  }

  @Override
  public void close() {
    isClosed = true;
    closeFile();
    share.leave(lease.instance, held.get());
  }

  @Override
  public void retire(Segment segment) throws IOException {
    retire(segment, spares.size() < mostSpares && share.keepsSpares());
  }

  /** Takes back a segment, to be used again soon if it is kept. */
  void retire(Segment segment, boolean isKept) throws IOException {
    try {
      if (!segment.damaged && (isKept || keepsAllSpares)) {
        Path spare = lease.path.resolve(SpoolNames.spare(segment.firstSequence));
        disk.move(segment.path, spare);
        spares.add(spare);
        return;
      }
      disk.delete(segment.path);
    } catch (IOException e) {
      if (!(e instanceof DirectoryNotEmptyException) && !disk.isGone(segment.path)) {
        throw e; // else replaced or removed by another process; it takes no space any more
      }
    }
    giveBack();
  }

  /** Writes a header under a spare's name, so that no reader sees a partial one. */
  private void writeHeader(Path blank, boolean isNew, long firstSequence) throws IOException {
    FrameFormat.putHeader(
        header,
        FrameFormat.VERSION,
        lease.instance,
        firstSequence,
        share.segmentBytes(),
        timeMs == null ? 0 : timeMs.getAsLong());
    Disk.Mode mode = isNew ? Disk.Mode.CREATE_PRIVATE : Disk.Mode.UPDATE;
    try (DiskFile file = disk.open(blank, mode)) {
      file.writeFully(header, 0);
    }
  }

  /** Deletes a file; one that cannot be deleted still counts, as a spare. */
  private void discard(Path blank) {
    try {
      disk.delete(blank);
      giveBack();
    } catch (IOException e) {
      spares.add(blank);
    }
  }
}
