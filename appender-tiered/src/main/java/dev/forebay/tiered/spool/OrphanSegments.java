package dev.forebay.tiered.spool;

import dev.forebay.tiered.disk.Disk;
import dev.forebay.tiered.disk.DiskFile;
import dev.forebay.tiered.disk.FileInfo;
import java.io.IOException;
import java.nio.file.DirectoryNotEmptyException;
import java.nio.file.Path;
import java.util.NavigableMap;
import java.util.TreeMap;

/** The segments that a dead process left behind. */
final class OrphanSegments implements SegmentFeed {
  private final Disk disk;
  private final NavigableMap<Long, Segment> found = new TreeMap<>();

  /** Lists them once; no other process writes to a spool whose lock we hold. */
  OrphanSegments(Disk disk, SpoolLease lease, Warnings warnings) throws IOException {
    this.disk = disk;
    for (Path entry : disk.list(lease.path())) {
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
      String fault = info == null ? "was removed" : Trust.fileFault(info, disk.userId());
      if (fault == null) {
        found.put(firstSequence, new Segment(firstSequence, entry));
      } else {
        warnings.add("ignored " + entry + ": " + fault);
      }
    }
  }

  /** Frees memory that only a living process needs. */
  private void delete(Path spare) {
    try {
      disk.delete(spare);
    } catch (IOException e) {
      // It goes with the spool.
    }
  }

  /** Format version its writer used; ours if the first segment has no readable header. */
  int version() throws IOException {
    if (found.isEmpty()) {
      return FrameFormat.VERSION;
    }
    try (DiskFile file = disk.open(found.firstEntry().getValue().path, Disk.Mode.READ)) {
      SegmentHeader header =
          SegmentReader.header(file, FrameFormat.directBuffer(FrameFormat.SEGMENT_HEADER_BYTES));
      return header == null ? FrameFormat.VERSION : header.version();
    } catch (IOException e) {
      return FrameFormat.VERSION; // reading the records fails too, and counts the failure
    }
  }

  @Override
  public long limit() {
    return UNKNOWN;
  }

  @Override
  public void addNew(NavigableMap<Long, Segment> segments) {
    segments.putAll(found);
    found.clear();
  }

  @Override
  public void retire(Segment segment) throws IOException {
    try {
      disk.delete(segment.path);
    } catch (DirectoryNotEmptyException e) {
      // Replaced by others; nothing of ours is there any more.
    }
  }
}
