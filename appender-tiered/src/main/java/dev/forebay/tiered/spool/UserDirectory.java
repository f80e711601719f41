package dev.forebay.tiered.spool;

import dev.forebay.observe.Printable;
import dev.forebay.tiered.disk.Disk;
import dev.forebay.tiered.disk.FileInfo;
import dev.forebay.tiered.disk.Trust;
import dev.forebay.tiered.identity.InstanceId;
import java.io.IOException;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The private directory of our user below a base that every user may write to. Another user can
 * create any name there before us, so a name alone is never trusted.
 */
public final class UserDirectory {
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
    this.base = base.toAbsolutePath();
    this.warnings = warnings;
    this.preferred = this.base.resolve("forebay-" + (disk.userId() < 0 ? "user" : disk.userId()));
  }

  static Path choose(Disk disk, Path base, Warnings warnings) throws IOException {
    UserDirectory directory = new UserDirectory(disk, base, warnings);
    String fault;
    IOException cause = null;
    try {
      fault = directory.baseFault();
      if (fault == null) {
        return directory.choose();
      }
    } catch (IOException e) {
      fault = "cannot be used: " + e;
      cause = e;
    }
    throw new IOException(
        Printable.text("spool directory " + directory.base + " " + fault)
            + "; required: an existing directory of user "
            + disk.userId()
            + " or root, or a shared one with the sticky bit, that it can list and write to",
        cause);
  }

  /** Finds it and creates nothing; null if there is none. */
  public static @Nullable Path existing(Disk disk, Path base) throws IOException {
    UserDirectory directory = new UserDirectory(disk, base, new Warnings());
    if (disk.stat(directory.base) == null) {
      return null;
    }
    return isGood(disk, directory.preferred) ? directory.preferred : directory.existingOther();
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
    String fault = info == null ? "was removed" : Trust.directoryFault(disk, directory, info);
    if (isOurs && fault != null && info != null) {
      // Another name would have the same fault, and each attempt would leave a directory.
      disk.delete(directory);
      throw new IOException(
          directory
              + " "
              + fault
              + " right after it was created: this file system does not store file modes");
    }
    return fault;
  }

  private @Nullable String baseFault() throws IOException {
    FileInfo info = disk.stat(base);
    if (info == null) {
      return "does not exist";
    }
    if (info.kind() != FileInfo.Kind.DIRECTORY) {
      return Trust.kindOf(info);
    }
    boolean isSticky = info.mode() >= 0 && (info.mode() & STICKY) != 0;
    if (Trust.isForeign(info, disk.userId()) && info.ownerId() != ROOT && !isSticky) {
      return "belongs to user " + info.ownerId();
    }
    if (info.mode() >= 0 && (info.mode() & WRITABLE_BY_ALL) != 0 && !isSticky) {
      // Accepted because container volumes are like this, and no other users are in them.
      warnings.add(
          "spool directory "
              + base
              + " is world-writable and has no sticky bit: other users can remove or replace"
              + " the spool; required: chmod +t");
    }
    return null;
  }

  /**
   * Another user who took our preferred name can free it at any moment. So an existing other name
   * takes precedence over a free preferred one: otherwise our processes would spool to, and ship
   * from, two places.
   */
  private Path choose() throws IOException {
    if (isGood(disk, preferred)) {
      return preferred;
    }
    Path other = existingOther();
    FileInfo info = other == null ? null : disk.stat(preferred);
    String fault = info == null ? null : Trust.directoryFault(disk, preferred, info);
    if (other == null) {
      fault = claim(disk, preferred);
      if (fault == null) {
        return preferred;
      }
      String suffix = HexFormat.of().toHexDigits(InstanceId.random().low()); // unguessable
      other = base.resolve(SpoolNames.of(preferred) + "-" + suffix);
      String otherFault = claim(disk, other);
      if (otherFault != null) {
        throw new IOException(
            other + " " + otherFault + "; required: " + Trust.requiredDirectory(disk.userId()));
      }
    }
    if (fault != null) {
      warnings.add(
          "refused %s: %s; required: %s; using %s"
              .formatted(preferred, fault, Trust.requiredDirectory(disk.userId()), other));
    }
    return other;
  }

  /** Whether it is a private directory of our user. */
  static boolean isGood(Disk disk, Path directory) throws IOException {
    FileInfo info = disk.stat(directory);
    return info != null && Trust.directoryFault(disk, directory, info) == null;
  }

  /** The first good one by name, so that all processes of this user choose the same one. */
  private @Nullable Path existingOther() throws IOException {
    String start = SpoolNames.of(preferred) + "-";
    List<Path> candidates = new ArrayList<>();
    for (Path entry : disk.list(base)) {
      String name = SpoolNames.of(entry);
      if (name.startsWith(start)
          && name.length() == start.length() + SUFFIX_DIGITS
          && InstanceId.isHex(name, start.length(), name.length())) {
        candidates.add(entry);
      }
    }
    candidates.sort(null);
    for (Path candidate : candidates) {
      if (isGood(disk, candidate)) {
        return candidate;
      }
    }
    return null;
  }
}
