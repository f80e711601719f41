package dev.forebay.tiered.disk;

import java.nio.file.attribute.PosixFilePermission;
import java.util.EnumSet;
import java.util.Set;

/**
 * The attributes of one name in the file system; links are not followed.
 *
 * @param key identity of the file that survives renaming (device and inode), or "" if the file
 *     system has none
 * @param ownerId numeric user id of the owner, or -1 if unknown
 * @param mode the low twelve mode bits, for example 0700 octal, or 01777 for a shared directory; -1
 *     if unknown
 * @param links number of names, or -1 if unknown
 * @param modifiedMs time of the last change, milliseconds since the epoch
 */
public record FileInfo(
    Kind kind, long sizeBytes, String key, int ownerId, int mode, int links, long modifiedMs) {
  private static final String INODE = "ino=";

  /** The kinds of file the pipeline distinguishes. */
  public enum Kind {
    FILE,
    DIRECTORY,
    LINK,
    /** A pipe, socket or device. */
    OTHER
  }

  /** Those of the mode; none if that is unknown. */
  public Set<PosixFilePermission> permissions() {
    Set<PosixFilePermission> all = EnumSet.noneOf(PosixFilePermission.class);
    for (PosixFilePermission one : PosixFilePermission.values()) { // from the highest bit
      if (mode >= 0 && (mode << one.ordinal() & 0400) != 0) {
        all.add(one);
      }
    }
    return all;
  }

  /** The part of the key that names the file system; or "". */
  public String device() {
    int at = key.indexOf(INODE);
    return at < 0 ? "" : key.substring(0, at);
  }

  /** The part of the key that survives a reboot, which may renumber devices; or "". */
  public String inode() {
    int at = key.indexOf(INODE);
    return at < 0 ? "" : key.substring(at + INODE.length(), key.length() - 1);
  }
}
