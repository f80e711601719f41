package dev.forebay.tiered.jvm;

import dev.forebay.tiered.disk.Disk;
import dev.forebay.tiered.disk.FileInfo;
import dev.forebay.tiered.disk.Trust;
import dev.forebay.tiered.identity.InstanceId;
import dev.forebay.tiered.spool.OrphanSegments;
import dev.forebay.tiered.spool.Segment;
import dev.forebay.tiered.spool.SegmentContent;
import dev.forebay.tiered.spool.SegmentFeed;
import dev.forebay.tiered.spool.SpoolDirectory;
import dev.forebay.tiered.spool.SpoolNames;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/** The files of a {@link LineSpool}, also of another process. */
public final class LineFiles {

  static final String END = ".end";

  private LineFiles() {}

  /** What a dead owner has sealed; null if it was not. */
  static @Nullable SegmentFeed sealed(SpoolDirectory directory, Path spool) throws IOException {
    Disk disk = directory.disk();
    long end = endOf(disk, spool);
    if (end < 0) {
      return null;
    }
    NavigableMap<Long, Segment> found = new TreeMap<>();
    for (LineFile file : files(disk, spool)) {
      Path path = spool.resolve(file.name());
      if (isOurs(directory, path, disk.stat(path)) && file.first() != LineFile.UNKNOWN) {
        found.put(file.first(), new Segment(file.first(), path));
      }
    }
    if (!found.isEmpty()) {
      found.lastEntry().getValue().endSequence = end;
    }
    return new OrphanSegments(disk, found) {
      @Override
      public SegmentContent content(InstanceId instance) {
        return new LineContent();
      }
    };
  }

  /** Whether this is a file of this user, perhaps with more names; else says so. */
  static boolean isOurs(SpoolDirectory directory, Path path, @Nullable FileInfo info) {
    boolean isOurs =
        info != null && Trust.isOwnFile(info, directory.disk().userId(), Integer.MAX_VALUE);
    if (!isOurs) {
      directory.warnings.add("ignored " + path + ": not a file of this user");
    }
    return isOurs;
  }

  /** Sequence after its last record; -1 until it is sealed. */
  public static long endOf(Disk disk, Path directory) throws IOException {
    long end = -1;
    for (Path entry : disk.list(directory)) {
      String name = SpoolNames.of(entry);
      String digits = name.substring(0, Math.max(0, name.length() - END.length()));
      if (name.endsWith(END) && InstanceId.isHex(digits, 0, digits.length())) {
        end = Math.max(end, Long.parseUnsignedLong(digits, 16));
      }
    }
    return end;
  }

  /** The files in such a directory that have records, in order. */
  static List<LineFile> files(Disk disk, Path directory) throws IOException {
    List<LineFile> all = new ArrayList<>();
    for (Path entry : disk.list(directory)) {
      LineFile file = LineFile.of(entry);
      if (file != null) {
        all.add(file);
      }
    }
    List<LineFile> files = new ArrayList<>(all);
    files.removeIf(file -> all.stream().anyMatch(other -> other.replaces(file)));
    files.sort(null);
    return files;
  }

  /** Length of the JVM's files in such a directory; several names of a file count once. */
  public static long bytesIn(Disk disk, Path directory) throws IOException {
    Map<String, Long> bytes = new HashMap<>();
    for (Path entry : disk.list(directory)) {
      boolean isOfJvm =
          SpoolNames.of(entry).startsWith(LineSpool.LOG) || LineFile.of(entry) != null;
      FileInfo info = isOfJvm ? disk.stat(entry) : null;
      if (info != null) {
        bytes.put(info.key(), info.sizeBytes());
      }
    }
    return bytes.values().stream().mapToLong(Long::longValue).sum();
  }
}
