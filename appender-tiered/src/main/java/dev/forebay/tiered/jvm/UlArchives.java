package dev.forebay.tiered.jvm;

import dev.forebay.tiered.disk.Disk;
import dev.forebay.tiered.disk.FileInfo;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * The files that the JVM has written before the one it writes, as they lie there now.
 *
 * @param disk where they are
 * @param written the file that the JVM writes
 * @param count how many there can be
 */
record UlArchives(Disk disk, Path written, int count) {

  /** The JVM gives all numbers the same length. */
  Path path(int slot) {
    String number = String.valueOf(slot);
    int digits = String.valueOf(count - 1).length();
    return written.resolveSibling(
        written.getFileName() + "." + "0".repeat(digits - number.length()) + number);
  }

  @Nullable FileInfo at(int slot) throws IOException {
    return disk.stat(path(slot));
  }

  /** Whether this file has the archive's name now. */
  boolean isAt(int slot, String key) throws IOException {
    FileInfo info = at(slot);
    return info != null && info.key().equals(key);
  }

  /** All that are wanted; fewer while the JVM rotates. */
  List<FileInfo> all(Predicate<FileInfo> wanted) throws IOException {
    List<FileInfo> archives = new ArrayList<>();
    for (int slot = 0; slot < count; slot++) {
      FileInfo info = at(slot);
      if (info != null && wanted.test(info)) {
        archives.add(info);
      }
    }
    return archives;
  }

  /** The first of a row of wanted ones; -1 if none is wanted, or all are. */
  int firstOf(Predicate<FileInfo> wanted) throws IOException {
    boolean wasWanted = true;
    for (int i = -1; i < count; i++) {
      FileInfo info = count == 0 ? null : at(Math.floorMod(i, count));
      boolean isWanted = info != null && wanted.test(info);
      if (isWanted && !wasWanted) {
        return i;
      }
      wasWanted = isWanted;
    }
    return -1;
  }

  static List<String> keysOf(List<FileInfo> archives) {
    return archives.stream().map(FileInfo::key).toList();
  }

  /** The archive after the youngest; -1 if several could be that. */
  int oldest(List<FileInfo> archives) {
    int oldest = -1;
    int falls = 0;
    for (int slot = 0; slot < archives.size(); slot++) {
      int next = (slot + 1) % archives.size();
      if (!isYounger(archives.get(next), archives.get(slot))) {
        falls++;
        oldest = next;
      }
    }
    return falls == 1 && archives.size() == count ? oldest : -1;
  }

  /** The clock of files has a coarse resolution; tmpfs gives inodes in increasing order. */
  static boolean isYounger(FileInfo one, FileInfo other) {
    return one.modifiedMs() == other.modifiedMs()
        ? Long.compareUnsigned(inode(one), inode(other)) > 0
        : one.modifiedMs() > other.modifiedMs();
  }

  private static long inode(FileInfo info) {
    try {
      return Long.parseUnsignedLong(info.inode());
    } catch (NumberFormatException e) { // a file system without
      return 0;
    }
  }
}
