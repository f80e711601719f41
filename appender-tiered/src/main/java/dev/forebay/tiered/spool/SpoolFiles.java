package dev.forebay.tiered.spool;

import dev.forebay.tiered.disk.Disk;
import dev.forebay.tiered.disk.FileInfo;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.UUID;

/** Where the files of a log's spools are, for those who look at them without a lock. */
public final class SpoolFiles {

  /** After this time nobody is expected to come for what a dead process left. */
  public static final long LIMIT_AGE_MS = 7L * 24 * 60 * 60 * 1000;

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

  /** Whether this is the name of a spool, not of a loop or a JVM's directory. */
  public static boolean isSpool(Path entry) {
    return SpoolNames.of(entry).startsWith(SpoolNames.SPOOL);
  }

  /** The loops of flight recorders in a log's directory, oldest first. */
  public static List<Path> loops(Disk disk, Path directory) throws IOException {
    return new SpoolEntries(disk, directory, new Warnings()).startingWith(SpoolNames.FLIGHT);
  }

  /** Length of the JVM's files in one of the directories of JVMs. */
  public static long jvmBytes(Disk disk, Path directory) throws IOException {
    return LineSpool.bytesIn(disk, directory);
  }

  /** How many lines a dead JVM has left there; 0 as long as they are not counted. */
  public static long jvmEnd(Disk disk, Path directory) throws IOException {
    return Math.max(0, LineSpool.endOf(disk, directory));
  }

  /** Deletes one of the directories of JVMs unless it has an owner; returns its length. */
  public static long deleteJvm(Disk disk, Path directory) throws IOException {
    long bytes = jvmBytes(disk, directory);
    new SpoolEntries(disk, directory.resolveSibling(""), new Warnings()).deleteAbandoned(directory);
    return disk.stat(directory) == null ? bytes : 0;
  }

  /** The identity in the name of one of the {@link #spools}. */
  public static InstanceId instance(Path spool) {
    return SpoolNames.instance(SpoolNames.of(spool));
  }

  /** Length of a spool's or loop's segments and spares. */
  public static long bytes(Disk disk, Path spool) {
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

  /** A name for something damaged that is put aside, and deleted after 7 days. */
  public static Path aside(Path file) {
    return file.resolveSibling(SpoolNames.BAD + SpoolNames.of(file) + "-" + UUID.randomUUID());
  }
}
