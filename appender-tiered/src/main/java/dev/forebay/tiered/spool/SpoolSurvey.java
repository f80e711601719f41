package dev.forebay.tiered.spool;

import dev.forebay.tiered.disk.Disk;
import dev.forebay.tiered.disk.FileInfo;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Set;

/**
 * The bytes that all spools of a user occupy now, of all logs and of live and dead processes.
 *
 * @param ownBytes length of the segments and spares of known spools and loops
 * @param othersBytes the same of all other spools
 * @param loopBytes the same of flight recorders' loops that are not known
 */
public record SpoolSurvey(long ownBytes, long othersBytes, long loopBytes) {

  /**
   * Sums the sizes of the files. Files that disappear in the meantime do not count.
   *
   * @param userDirectory the directory that holds the spools of all logs
   * @param known what counts as our own
   */
  public static SpoolSurvey of(Disk disk, Path userDirectory, Set<InstanceId> known) {
    long own = 0;
    long others = 0;
    long loops = 0;
    for (Path log : list(disk, userDirectory)) {
      if (!LogIdentity.isKey(SpoolNames.of(log))) {
        continue;
      }
      for (Path spool : list(disk, log)) {
        String name = SpoolNames.of(spool);
        if (SpoolNames.isSpoolLike(name)) {
          long bytes = bytesIn(disk, spool);
          if (known.contains(SpoolNames.instance(name))) {
            own += bytes;
          } else if (name.startsWith(SpoolNames.FLIGHT)) {
            loops += bytes;
          } else {
            others += bytes;
          }
        }
      }
    }
    return new SpoolSurvey(own, others, loops);
  }

  static long bytesIn(Disk disk, Path spool) {
    long bytes = 0;
    for (Path file : list(disk, spool)) {
      if (SpoolNames.isSegmentOrSpare(SpoolNames.of(file))) {
        bytes += sizeOf(disk, file);
      }
    }
    return bytes;
  }

  private static long sizeOf(Disk disk, Path file) {
    try {
      FileInfo info = disk.stat(file);
      return info == null ? 0 : info.sizeBytes();
    } catch (IOException e) {
      return 0;
    }
  }

  static List<Path> list(Disk disk, Path directory) {
    try {
      return disk.list(directory);
    } catch (IOException e) {
      return List.of(); // just removed, or not a directory
    }
  }
}
