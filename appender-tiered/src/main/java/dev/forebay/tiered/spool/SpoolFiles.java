package dev.forebay.tiered.spool;

import dev.forebay.tiered.disk.Disk;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;

/** Where the files of a log's spools are, for those who look at them without a lock. */
public final class SpoolFiles {

  private SpoolFiles() {}

  /** The lock of a log's only shipper. */
  public static Path shipLock(Path directory) {
    return directory.resolve(SpoolNames.SHIP_LOCK);
  }

  /** The lock that the owner of a spool holds while it lives. */
  public static Path lock(Path spool) {
    return spool.resolve(SpoolNames.LOCK);
  }

  /** The spools in a log's directory that are not completely shipped, oldest first. */
  public static List<Path> spools(Disk disk, Path directory) throws IOException {
    return new SpoolEntries(disk, directory, new Warnings()).startingWith(SpoolNames.SPOOL);
  }

  /** The loops of flight recorders in a log's directory, oldest first. */
  public static List<Path> loops(Disk disk, Path directory) throws IOException {
    return new SpoolEntries(disk, directory, new Warnings()).startingWith(SpoolNames.FLIGHT);
  }

  /** The directories in a log's directory into which JVMs write their own logs, oldest first. */
  public static List<Path> jvmDirectories(Disk disk, Path directory) throws IOException {
    return new SpoolEntries(disk, directory, new Warnings()).startingWith(SpoolNames.JVM);
  }

  /** Length of the JVM's files in one of the {@link #jvmDirectories}. */
  public static long jvmBytes(Disk disk, Path directory) throws IOException {
    return JvmDirectory.bytesIn(disk, directory);
  }

  /** The identity in the name of one of the {@link #spools}. */
  public static InstanceId instance(Path spool) {
    return SpoolNames.instance(SpoolNames.of(spool));
  }

  /** Length of a spool's or loop's segments and spares. */
  public static long bytes(Disk disk, Path spool) {
    return SpoolSurvey.bytesIn(disk, spool);
  }

  /** The damaged segments in a log's directory that were put aside. */
  public static List<Path> quarantined(Disk disk, Path directory) throws IOException {
    return disk.list(directory).stream()
        .filter(entry -> SpoolNames.of(entry).startsWith(SpoolNames.BAD))
        .sorted()
        .toList();
  }
}
