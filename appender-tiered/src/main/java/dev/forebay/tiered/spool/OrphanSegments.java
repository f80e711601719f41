package dev.forebay.tiered.spool;

import dev.forebay.tiered.disk.Disk;
import dev.forebay.tiered.disk.DiskFile;
import dev.forebay.tiered.disk.FileInfo;
import dev.forebay.tiered.disk.Trust;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.DirectoryNotEmptyException;
import java.nio.file.Path;
import java.util.NavigableMap;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/** Segments that are no longer written: a dead process left them, or they were moved. */
public class OrphanSegments implements SegmentFeed {
  private final Disk disk;
  private final NavigableMap<Long, Segment> found;
  private final long limit;

  /** Lists segments with frames; null if they cannot be read. */
  static @Nullable OrphanSegments of(Disk disk, SpoolLease lease, Warnings warnings)
      throws IOException {
    OrphanSegments segments = new OrphanSegments(disk, lease, UNKNOWN, warnings);
    int version = segments.version();
    if (version != FrameFormat.VERSION) {
      warnings.add(
          "left untouched %s: format version %d, required: %d"
              .formatted(lease.path, version, FrameFormat.VERSION));
      return null;
    }
    return segments;
  }

  /**
   * Lists them once; no other process writes to a spool whose lock we hold.
   *
   * @param limit the sequence after the last record; {@link #UNKNOWN} if it must be searched
   */
  OrphanSegments(Disk disk, SpoolLease lease, long limit, Warnings warnings) throws IOException {
    this.disk = disk;
    this.found = new TreeMap<>();
    this.limit = limit;
    for (Path entry : disk.list(lease.path)) {
      String name = SpoolNames.of(entry);
      long firstSequence = SpoolNames.firstSequence(name);
      if (firstSequence < 0) {
        if (SpoolNames.isSegmentOrSpare(name)) {
          delete(entry);
        } else if (!SpoolNames.belongsInSpool(name)) {
          warnings.add("ignored " + entry + ": not a file of a spool");
        }
        continue;
      }
      FileInfo info = disk.stat(entry);
      String fault = info == null ? "was removed" : Trust.fileFault(disk, entry, info);
      if (fault == null) {
        found.put(firstSequence, new Segment(firstSequence, entry));
      } else {
        warnings.add("ignored " + entry + ": " + fault);
      }
    }
  }

  /** Those found, by first sequence. */
  public OrphanSegments(Disk disk, NavigableMap<Long, Segment> found) {
    this.disk = disk;
    this.found = found;
    this.limit = UNKNOWN;
  }

  /** Frees memory that only a living process needs. */
  private void delete(Path spare) {
    try {
      disk.delete(spare);
    } catch (IOException e) {
      // The file goes with the spool.
    }
  }

  /** Format version its writer used; ours if the first segment has no readable header. */
  private int version() throws IOException {
    if (found.isEmpty()) {
      return FrameFormat.VERSION;
    }
    try (DiskFile file = disk.open(found.firstEntry().getValue().path, Disk.Mode.READ)) {
      ByteBuffer header = FrameFormat.directBuffer(FrameFormat.SEGMENT_HEADER_BYTES);
      return FrameContent.readHeader(file, header)
          ? FrameFormat.version(header)
          : FrameFormat.VERSION;
    } catch (IOException e) {
      return FrameFormat.VERSION; // reading the records fails too, and counts the failure
    }
  }

  @Override
  public long limit() {
    return limit;
  }

  @Override
  public boolean isLive() {
    return false;
  }

  /** True until the first look. */
  @Override
  public boolean isEmpty() {
    return found.isEmpty();
  }

  @Override
  public void addNew(NavigableMap<Long, Segment> segments, long wanted) {
    segments.putAll(found);
    found.clear();
  }

  @Override
  public void retire(Segment segment) throws IOException {
    try {
      disk.delete(segment.path);
    } catch (IOException e) {
      if (!(e instanceof DirectoryNotEmptyException) && !disk.isGone(segment.path)) {
        throw e; // else replaced or removed by another process; nothing of ours is left
      }
    }
  }
}
