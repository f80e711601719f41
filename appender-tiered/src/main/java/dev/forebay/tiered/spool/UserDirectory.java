package dev.forebay.tiered.spool;

import dev.forebay.tiered.disk.Disk;
import dev.forebay.tiered.disk.FileInfo;
import java.io.IOException;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Path;
import java.security.SecureRandom;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * The private directory of our user below a base that everybody may write to. Names there can be
 * taken by others before us, so nothing is trusted for its name.
 */
final class UserDirectory {
  private static final int ROOT = 0;
  private static final int STICKY = 01000;

  private final Disk disk;
  private final Path base;
  private final Warnings warnings;
  private final String name;

  private UserDirectory(Disk disk, Path base, Warnings warnings) {
    this.disk = disk;
    this.base = base;
    this.warnings = warnings;
    this.name = nameOf(disk);
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
              + Warnings.printable(base + ": " + e)
              + "; required: a directory that user "
              + disk.userId()
              + " can list and write to",
          e);
    }
  }

  /** Where it is unless somebody took the name. */
  static Path usual(Disk disk, Path base) {
    return base.resolve(nameOf(disk));
  }

  private static String nameOf(Disk disk) {
    return "forebay-" + (disk.userId() < 0 ? "user" : disk.userId());
  }

  /** Creates a private directory, or says what is wrong with the one that stands there. */
  static @Nullable String claim(Disk disk, Path directory) throws IOException {
    FileInfo info = disk.stat(directory);
    if (info == null) {
      try {
        disk.createDirectory(directory);
      } catch (FileAlreadyExistsException e) {
        // Somebody was faster; what they made is judged like anything else.
      }
      info = disk.stat(directory);
    }
    return info == null ? "was removed" : Trust.directoryFault(info, disk.userId());
  }

  private void checkBase() throws IOException {
    FileInfo info = disk.stat(base);
    if (info == null) {
      throw unusable("does not exist");
    }
    if (info.kind() != FileInfo.Kind.DIRECTORY) {
      throw unusable(Trust.kindOf(info));
    }
    boolean isShared = info.mode() >= 0 && (info.mode() & STICKY) != 0;
    if (Trust.isForeign(info, disk.userId()) && info.ownerId() != ROOT && !isShared) {
      throw unusable("belongs to user " + info.ownerId());
    }
  }

  private SpoolUnusableException unusable(String fault) {
    return new SpoolUnusableException(
        "spool directory "
            + Warnings.printable(base.toString())
            + " "
            + fault
            + "; required: an existing directory of user "
            + disk.userId()
            + " or root, or a shared one with the sticky bit");
  }

  private Path choose() throws IOException {
    Path preferred = base.resolve(name);
    String fault = claim(disk, preferred);
    if (fault == null) {
      return preferred;
    }
    Path other = existingOther();
    if (other == null) {
      other = base.resolve(name + "-" + HexFormat.of().toHexDigits(new SecureRandom().nextLong()));
      String otherFault = claim(disk, other);
      if (otherFault != null) {
        throw new SpoolUnusableException(
            other + " " + otherFault + "; required: " + Trust.requiredDirectory(disk.userId()));
      }
    }
    warnings.add(
        "refused "
            + preferred
            + ": "
            + fault
            + "; required: "
            + Trust.requiredDirectory(disk.userId())
            + "; using "
            + other);
    return other;
  }

  /** The first good one by name, so that all processes of this user meet in the same place. */
  private @Nullable Path existingOther() throws IOException {
    Pattern pattern = Pattern.compile(Pattern.quote(name) + "-[0-9a-f]{16}");
    List<Path> candidates = new ArrayList<>();
    for (Path entry : disk.list(base)) {
      if (pattern.matcher(SpoolNames.of(entry)).matches()) {
        candidates.add(entry);
      }
    }
    candidates.sort(null);
    for (Path candidate : candidates) {
      FileInfo info = disk.stat(candidate);
      if (info != null && Trust.directoryFault(info, disk.userId()) == null) {
        return candidate;
      }
    }
    return null;
  }
}
