package dev.forebay.tiered.spool;

import dev.forebay.tiered.disk.Disk;
import dev.forebay.tiered.disk.FileInfo;
import java.io.IOException;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;

/** Damaged segments, kept next to the spools for diagnosis. */
final class Quarantine {
  static final long LIMIT_BYTES = 16L << 20;

  private final Disk disk;
  private final Path directory;
  private final Warnings warnings;

  Quarantine(Disk disk, Path directory, Warnings warnings) {
    this.disk = disk;
    this.directory = directory;
    this.warnings = warnings;
  }

  /**
   * Takes a segment out of its spool. Deletes a segment that exceeds the size limit or cannot be
   * moved: the records after it must not wait.
   */
  void take(Segment segment, InstanceId instance) throws IOException {
    FileInfo info = disk.stat(segment.path);
    if (info != null && info.sizeBytes() > LIMIT_BYTES) {
      disk.delete(segment.path);
      warnings.add(
          "deleted damaged segment %s: it has %d bytes, at most %d are kept"
              .formatted(segment.path, info.sizeBytes(), LIMIT_BYTES));
      return;
    }
    Path kept = directory.resolve(SpoolNames.bad(instance, segment.firstSequence));
    try {
      disk.move(segment.path, kept);
    } catch (NoSuchFileException e) {
      throw e;
    } catch (IOException e) {
      disk.delete(segment.path);
      warnings.add("deleted damaged segment " + segment.path + ", which could not be moved: " + e);
      return;
    }
    warnings.add("moved damaged segment " + segment.path + " to " + kept);
    trim(0); // by size; there is no clock here
  }

  /** Deletes the oldest files beyond the size limit and all beyond the age limit. */
  void trim(long nowMs) throws IOException {
    List<Kept> all = new ArrayList<>();
    for (Path entry : disk.list(directory)) {
      FileInfo info = disk.stat(entry);
      if (SpoolNames.of(entry).startsWith(SpoolNames.BAD)
          && info != null
          && info.kind() == FileInfo.Kind.FILE) {
        all.add(new Kept(entry, info.sizeBytes(), info.modifiedMs()));
      }
    }
    all.sort(Comparator.comparingLong(Kept::modifiedMs).reversed().thenComparing(Kept::path));
    long totalBytes = 0;
    for (Kept kept : all) {
      totalBytes += kept.sizeBytes();
      if (totalBytes > LIMIT_BYTES || kept.modifiedMs() < nowMs - SpoolFiles.LIMIT_AGE_MS) {
        delete(kept.path());
      }
    }
  }

  private void delete(Path kept) {
    try {
      disk.delete(kept);
    } catch (IOException e) {
      warnings.add("cannot delete " + kept + ": " + e);
    }
  }

  private record Kept(Path path, long sizeBytes, long modifiedMs) {}
}
