package dev.forebay.tiered.spool;

import dev.forebay.tiered.disk.Disk;
import java.io.IOException;
import java.nio.file.Path;
import java.util.NavigableMap;

/**
 * A spool of this process. The flusher's thread owns {@link #writer}, the shipper's thread owns
 * {@link #source}; the other methods are for any thread unless they say otherwise.
 */
public final class Spool implements OwnSpool {
  /** Name of the socket of the spool's owner, in the spool's directory. */
  public static final String CONTROL_SOCKET = "control";

  /** Its name until it takes connections. */
  public static final String CONTROL_SOCKET_BEING_BOUND = "control-new";

  private final SpoolDirectory directory;
  private final boolean isInHeap;
  private final boolean isOnDisk;
  private final SpoolLease lease;
  private final SpoolLimits limits;
  private final SegmentPool pool;
  private final SpoolWriter writer;
  private final RecordSource source;

  Spool(SpoolDirectory directory, SpoolLease lease, SpoolLimits limits, Warnings warnings) {
    Disk disk = directory.disk();
    this.directory = directory;
    this.isInHeap = !disk.outlivesProcess();
    this.isOnDisk = !isInHeap && !disk.isInMemory(lease.path());
    this.lease = lease;
    this.limits = limits;
    this.pool = new SegmentPool(disk, lease, limits);
    this.writer = new SpoolWriter(disk, pool, lease.instance(), limits);
    this.source = new RecordSource(disk, lease, new LiveSegments(pool, writer), warnings);
    pool.share().open();
  }

  /** The directory of its log's spools. */
  public SpoolDirectory directory() {
    return directory;
  }

  @Override
  public boolean isInHeap() {
    return isInHeap;
  }

  /** Whether it is on a disk, which may stall. */
  public boolean isOnDisk() {
    return isOnDisk;
  }

  @Override
  public Path path() {
    return lease.path();
  }

  @Override
  public InstanceId instanceId() {
    return lease.instance();
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
    return writer.publishedSequence();
  }

  @Override
  public long nextSequence() {
    return writer.nextSequence();
  }

  /** Bytes of all segments, spares included; never above {@link #limitBytes}. */
  @Override
  public long usedBytes() {
    return pool.share().usedBytes();
  }

  /** Bytes of the unshipped segments before the one being written; for the flusher's thread. */
  public long backlogBytes() {
    return pool.backlogBytes();
  }

  /** Size of one segment. */
  public int segmentBytes() {
    return limits.segmentBytes();
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
    return !writer.isFileGone() && lease.isIntact();
  }

  @Override
  public void close() {
    source.close();
  }

  @Override
  public void discard() throws IOException {
    source.discard();
  }

  /** The reader's access to segments that are being written. */
  record LiveSegments(SegmentPool pool, SpoolWriter writer) implements SegmentFeed {
    @Override
    public long limit() {
      return writer.publishedSequence();
    }

    @Override
    public void addNew(NavigableMap<Long, Segment> segments, long wanted) {
      pool.drainOpened(segments);
    }

    @Override
    public void retire(Segment segment) throws IOException {
      pool.retire(segment);
    }

    @Override
    public void closeFiles() {
      writer.close();
    }

    @Override
    public void closed() {
      pool.share().close();
    }
  }
}
