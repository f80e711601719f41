package dev.forebay.tiered.spool;

import dev.forebay.tiered.disk.Disk;
import org.jspecify.annotations.Nullable;

/**
 * A spool of this process. The flusher's thread owns {@link #writer}, the shipper's thread owns
 * {@link #source}; the other methods are for any thread unless they say otherwise.
 */
public final class Spool implements OwnSpool {
  /** Name of the socket of the spool's owner, in the spool's directory. */
  public static final String CONTROL_SOCKET = "control";

  /** Name of the socket until it takes connections. */
  public static final String CONTROL_SOCKET_BEING_BOUND = "control-new";

  private final SpoolDirectory directory;
  private final boolean isInHeap;
  private final boolean isOnDisk;
  private final SpoolLease lease;
  private final SegmentPool pool;
  private final SpoolWriter writer;
  private final RecordSource source;

  /** Null unless another process ships it. */
  private final @Nullable SpoolHead head;

  /** With its own share, or that of the spool it follows. */
  Spool(
      SpoolDirectory directory,
      SpoolLease lease,
      SpoolBudget.Share share,
      @Nullable SpoolHead head,
      Warnings warnings) {
    Disk disk = directory.disk();
    this.directory = directory;
    this.isInHeap = !disk.outlivesProcess(); // once: log calls look
    this.isOnDisk = !disk.isInMemory(lease.path);
    this.lease = lease;
    this.head = head;
    this.pool = new SegmentPool(disk, lease, share, head, null);
    this.writer = new SpoolWriter(pool, lease.instance);
    this.source = new RecordSource(disk, lease, pool, warnings);
    pool.begin();
  }

  public SpoolDirectory directory() {
    return directory;
  }

  @Override
  public boolean isInHeap() {
    return isInHeap;
  }

  /** Whether the spool is on a disk, which may stall. */
  public boolean isOnDisk() {
    return isOnDisk;
  }

  /** The end where records enter; for the flusher's thread. */
  public SpoolWriter writer() {
    return writer;
  }

  @Override
  public RecordSource source() {
    return source;
  }

  @Override
  public long publishedSequence() {
    return pool.publishedSequence;
  }

  @Override
  public void requestCommit() {
    if (head != null) {
      head.await(pool.publishedSequence);
    }
  }

  @Override
  public void retire() {
    if (head != null) {
      head.retire();
    }
  }

  @Override
  public long nextSequence() {
    return writer.nextSequence();
  }

  /**
   * Bytes of all segments, spares and spools that it {@linkplain SpoolDirectory#createNext follows}
   * included; never above {@link #limitBytes}.
   */
  @Override
  public long usedBytes() {
    return pool.share().usedBytes();
  }

  /** Bytes of the unshipped segments before the one being written; for the flusher's thread. */
  public long backlogBytes() {
    return pool.backlogBytes();
  }

  /** Bytes of its own segments that are full and not shipped; for the flusher's thread. */
  public long sealedBytes() {
    return pool.heldBytes() - (writer.hasSegment() ? segmentBytes() : 0);
  }

  /** No more is added: frees what only a writer needs. For the flusher's thread. */
  public void endWriting() {
    pool.closeFile();
    pool.endSpares();
  }

  SpoolBudget.Share share() {
    return pool.share();
  }

  public int segmentBytes() {
    return pool.share().segmentBytes();
  }

  /** The current cap. It may change with other spools, and is never below {@link #usedBytes}. */
  @Override
  public long limitBytes() {
    return pool.share().limitBytes();
  }

  /** Adjusts the cap to other spools; to be called periodically by the flusher's thread. */
  public void refreshLimit() {
    pool.share().refresh();
  }

  /**
   * Whether the directory and its required files are still where they were created. After a
   * recursive delete or an unmount, writes succeed but no reader can find them: the caller then
   * closes this spool and creates another.
   */
  public boolean isPathIntact() {
    return !pool.isFileGone() && lease.isIntact();
  }
}
