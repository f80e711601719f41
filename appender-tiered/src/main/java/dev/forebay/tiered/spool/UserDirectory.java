package dev.forebay.tiered.spool;

import dev.forebay.observe.Printable;
import dev.forebay.tiered.disk.Disk;
import dev.forebay.tiered.disk.FileInfo;
import java.io.IOException;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Path;
import java.security.SecureRandom;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The private directory of our user below a base that every user may write to. Others can create
 * any name there before us, so a name alone is never trusted.
 */
final class UserDirectory {
  private static final int ROOT = 0;
  private static final int STICKY = 01000;
  private static final int SUFFIX_DIGITS = 16;
  private static final int WRITABLE_BY_ALL = 0002;

  private final Disk disk;
  private final Path base;
  private final Warnings warnings;
  private final Path preferred;

  private UserDirectory(Disk disk, Path base, Warnings warnings) {
    this.disk = disk;
    this.base = base;
    this.warnings = warnings;
    this.preferred = base.resolve("forebay-" + (disk.userId() < 0 ? "user" : disk.userId()));
  }

  /** Finds or creates it. */
  static Path choose(Disk disk, Path base, Warnings warnings) throws SpoolUnusableException {
    try {
      UserDirectory directory = new UserDirectory(disk, base, warnings);
      directory.checkBase();
      return directory.choose();
    } catch (SpoolUnusableException e) {
      throw e;
    } catch (IOException e) {
      throw new SpoolUnusableException(
          "cannot use spool directory "
              + Printable.text(base + ": " + e)
              + "; required: a directory that user "
              + disk.userId()
              + " can list and write to",
          e);
    }
  }

  /** Finds it and creates nothing; null if there is none. */
  static @Nullable Path existing(Disk disk, Path base, Warnings warnings) throws IOException {
    if (disk.stat(base) == null) {
      return null;
    }
    UserDirectory directory = new UserDirectory(disk, base, warnings);
    return directory.isGood(directory.preferred) ? directory.preferred : directory.existingOther();
  }

  /** Creates a private directory, or returns what is wrong with the existing one. */
  static @Nullable String claim(Disk disk, Path directory) throws IOException {
    FileInfo info = disk.stat(directory);
    boolean isOurs = false;
    if (info == null) {
      try {
        disk.createDirectory(directory);
        isOurs = true;
      } catch (FileAlreadyExistsException e) {
        // Another process was faster; what it created is checked like anything else.
      }
      info = disk.stat(directory);
    }
    String fault = info == null ? "was removed" : Trust.directoryFault(info, disk.userId());
    if (isOurs && fault != null && info != null) {
      // Another name would have the same fault, and each attempt would leave a directory.
      disk.delete(directory);
      throw new SpoolUnusableException(
          directory
              + " "
              + fault
              + " right after it was created: this file system does not store file modes");
    }
    return fault;
  }

  /** Removes a directory if it is empty; a process about to use it recreates it. */
  static void removeIfEmpty(Disk disk, Path directory) {
    try {
      disk.delete(directory);
    } catch (IOException e) {
      // It holds other logs, or is not ours to remove.
    }
  }

  private void checkBase() throws IOException {
    FileInfo info = disk.stat(base);
    if (info == null) {
      throw unusable("does not exist");
    }
    if (info.kind() != FileInfo.Kind.DIRECTORY) {
      throw unusable(Trust.kindOf(info));
    }
    boolean isSticky = info.mode() >= 0 && (info.mode() & STICKY) != 0;
    if (Trust.isForeign(info, disk.userId()) && info.ownerId() != ROOT && !isSticky) {
      throw unusable("belongs to user " + info.ownerId());
    }
    if (info.mode() >= 0 && (info.mode() & WRITABLE_BY_ALL) != 0 && !isSticky) {
      // Accepted because container volumes are like this, and no other users are in them.
      warnings.add(
          "spool directory "
              + base
              + " is world-writable and has no sticky bit: other users can remove or replace"
              + " the spool; required: chmod +t");
    }
  }

  private SpoolUnusableException unusable(String fault) {
    return new SpoolUnusableException(
        "spool directory "
            + Printable.text(base.toString())
            + " "
            + fault
            + "; required: an existing directory of user "
            + disk.userId()
            + " or root, or a shared one with the sticky bit");
  }

  /**
   * Another user who took our preferred name can free it at any moment. So an existing other name
   * takes precedence over a free preferred one: otherwise our processes would spool to, and ship
   * from, two places.
   */
  private Path choose() throws IOException {
    if (isGood(preferred)) {
      return preferred;
    }
    Path other = existingOther();
    FileInfo info = other == null ? null : disk.stat(preferred);
    String fault = info == null ? null : Trust.directoryFault(info, disk.userId());
    if (other == null) {
      fault = claim(disk, preferred);
      if (fault == null) {
        return preferred;
      }
      other = createUnguessable();
    }
    if (fault != null) {
      warn(fault, other);
    }
    return other;
  }

  private Path createUnguessable() throws IOException {
    String suffix = HexFormat.of().toHexDigits(new SecureRandom().nextLong());
    Path made = base.resolve(SpoolNames.of(preferred) + "-" + suffix);
    String fault = claim(disk, made);
    if (fault != null) {
      throw new SpoolUnusableException(
          made + " " + fault + "; required: " + Trust.requiredDirectory(disk.userId()));
    }
    return made;
  }

  private void warn(String fault, Path other) {
    warnings.add(
        "refused "
            + preferred
            + ": "
            + fault
            + "; required: "
            + Trust.requiredDirectory(disk.userId())
            + "; using "
            + other);
  }

  private boolean isGood(Path directory) throws IOException {
    FileInfo info = disk.stat(directory);
    return info != null && Trust.directoryFault(info, disk.userId()) == null;
  }

  /** The first good one by name, so that all processes of this user choose the same one. */
  private @Nullable Path existingOther() throws IOException {
    String start = SpoolNames.of(preferred) + "-";
    List<Path> candidates = new ArrayList<>();
    for (Path entry : disk.list(base)) {
      String name = SpoolNames.of(entry);
      if (name.startsWith(start)
          && name.length() == start.length() + SUFFIX_DIGITS
          && SpoolNames.isHex(name, start.length(), name.length())) {
        candidates.add(entry);
      }
    }
    candidates.sort(null);
    for (Path candidate : candidates) {
      if (isGood(candidate)) {
        return candidate;
      }
    }
    return null;
  }
}
