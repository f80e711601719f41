package dev.forebay.tiered.inspect;

import dev.forebay.tiered.disk.Disk;
import dev.forebay.tiered.disk.FileInfo;
import dev.forebay.tiered.disk.NioDisk;
import dev.forebay.tiered.spool.SpoolDirectory;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Pattern;

/** Finds the spools of this user. */
public final class Inspector {

  private static final Pattern USER_DIRECTORY = Pattern.compile("forebay-\\d+(?:-[0-9a-f]{16})?");

  private final Disk disk = new NioDisk();

  /**
   * The spools of all logs below a directory for spools; none if there is no such directory.
   *
   * @param base an appender's {@code <spoolDirectory>}
   */
  public List<LogSpools> logs(Path base) throws IOException {
    List<LogSpools> logs = new ArrayList<>();
    for (SpoolDirectory directory : SpoolDirectory.all(disk, base)) {
      logs.add(new LogSpools(disk, directory));
    }
    return logs;
  }

  /** A directory of another user. */
  public record Foreign(Path path, int userId) {}

  /** The directories of other users for their spools, which are never looked into. */
  public List<Foreign> foreign(Path base) throws IOException {
    List<Foreign> foreign = new ArrayList<>();
    if (disk.stat(base) != null) {
      for (Path entry : disk.list(base)) {
        FileInfo info = disk.stat(entry);
        if (info != null
            && info.kind() == FileInfo.Kind.DIRECTORY
            && USER_DIRECTORY.matcher(String.valueOf(entry.getFileName())).matches()
            && info.ownerId() != disk.userId()) {
          foreign.add(new Foreign(entry, info.ownerId()));
        }
      }
    }
    return foreign;
  }

  /** The user whose spools these are. */
  public int userId() {
    return disk.userId();
  }
}
