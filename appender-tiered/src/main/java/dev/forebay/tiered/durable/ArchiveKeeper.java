package dev.forebay.tiered.durable;

import dev.forebay.tiered.disk.Disk;
import dev.forebay.tiered.disk.DiskFile;
import dev.forebay.tiered.disk.FileInfo;
import java.io.IOException;
import java.nio.file.InvalidPathException;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * Keeps what is in a rolled file until its compressed archive is on the disk.
 *
 * <p>Logback's policies write the compressed file, do not force it, and delete the original, also
 * when they failed. So before a roll the file gets a second name, a hard link, hidden and beside
 * the archive that is to be made of it. When that is the only name left, the archive is compared
 * with it, written again if it is not whole, forced, and only then the link is removed. Links that
 * a crash left are looked at by the next start.
 *
 * <p>Nothing here stops a roll: where a file system has no hard links, or the archive goes to
 * another one, the file is rolled without. For the shipper's thread.
 */
final class ArchiveKeeper {

  /** Behind the hidden name of the archive. */
  static final String KEPT = ".kept";

  /** A second link for the compressor, which deletes it. */
  private static final String INPUT = ".in";

  /** What the compressor writes; it insists on the ending. */
  private static final String OUTPUT = ".out";

  private static final long POLL_NS = 10_000_000;
  private static final int MAX_POLLS = 200;

  private final Disk disk;
  private final Roller roller;
  private final Consumer<String> warnings;
  private final FirstOfStreak failures;
  private final List<Path> pending = new ArrayList<>();

  /**
   * The directory of the next archive, where it is not the one that a new log file is forced in.
   */
  private @Nullable Path target;

  /** The newest link. */
  private @Nullable Path newest;

  ArchiveKeeper(Disk disk, Roller roller, Consumer<String> warnings) {
    this.disk = disk;
    this.roller = roller;
    this.warnings = warnings;
    this.failures = new FirstOfStreak(warnings);
  }

  /** Before the policy moves the file. */
  void keep(Path active) {
    check();
    target = null;
    newest = null;
    String archive = roller.archiveName();
    if (archive == null) {
      return;
    }
    try {
      LogPath.createDirectories(disk, archive);
      Path kept = keptOf(LogPath.absolute(archive));
      Path directory = kept.resolveSibling("");
      target = directory.equals(active.resolveSibling("")) ? null : directory;
      if (roller.compresses() && isOurs(disk.stat(active)) && disk.stat(kept) == null) {
        disk.link(kept, active);
        pending.add(kept);
        newest = kept;
        disk.forceDirectory(directory);
      }
      failures.succeeded();
    } catch (IOException | RuntimeException e) {
      failures.failed(
          "A power cut may lose the archive %s while it is compressed: %s".formatted(archive, e));
    }
  }

  /**
   * Right after the policy moved the file, before its old name is used again.
   *
   * @param nextName of the file that is to be written now
   */
  void moved(String nextName) {
    giveUpIfNotMoved(nextName);
    Path directory = target;
    try {
      if (directory != null && disk.stat(directory) != null) {
        disk.forceDirectory(directory);
      }
    } catch (IOException e) {
      failures.failed("A power cut may lose the newest archive in " + directory + ": " + e);
    }
    check();
  }

  /** A log that goes on in the same file must not have a second name, nor must that wait. */
  private void giveUpIfNotMoved(String nextName) {
    Path kept = newest;
    try {
      FileInfo link = kept == null ? null : disk.stat(kept);
      FileInfo next = link == null ? null : disk.stat(LogPath.resolve(disk, nextName));
      if (kept != null && link != null && next != null && next.key().equals(link.key())) {
        disk.delete(kept);
        pending.remove(kept);
      }
    } catch (NoSuchFileException e) {
      // The next file has a directory of its own, which is not made yet.
    } catch (IOException e) {
      failures.failed("Cannot see whether " + nextName + " was rolled: " + e);
    }
  }

  /** Looks whether compressions have come to their end. */
  void check() {
    for (Path kept : List.copyOf(pending)) {
      try {
        FileInfo info = disk.stat(kept);
        if (info != null && info.links() > 1) {
          continue; // the compressor still has it
        }
        pending.remove(kept); // what fails now is left to the next start
        if (info != null) {
          complete(kept, null);
        }
      } catch (IOException | RuntimeException e) {
        pending.remove(kept);
        tellLeft(kept, e);
      }
    }
  }

  /**
   * Waits a while for compressions, since the policies wait for the last one only. What is not
   * compressed then is left to the next start.
   */
  void stop() {
    check();
    for (int polls = 0; polls < MAX_POLLS && !pending.isEmpty(); polls++) {
      LockSupport.parkNanos(this, POLL_NS);
      check();
    }
    pending.clear();
  }

  /**
   * Before the policies look at the archives: sees to what a crash left. Whatever stands in the
   * directories, and whatever a policy says to it, costs a warning and not the log.
   */
  void recover(String activeName) {
    String pattern = roller.archivePattern();
    if (pattern == null || !roller.compresses()) {
      return;
    }
    Path active;
    List<Path> left;
    try {
      active = LogPath.absolute(activeName);
      left = new ArchiveSearch(disk).hidden(active, pattern, KEPT);
    } catch (IOException | RuntimeException e) {
      warnings.accept("Cannot look for archives beside " + activeName + ": " + e);
      return;
    }
    for (Path kept : left) {
      if (!keepsAnArchive(kept)) {
        continue;
      }
      try {
        if (isOurs(disk.stat(kept))) {
          recover(kept, active, pattern);
        }
      } catch (IOException | RuntimeException e) {
        tellLeft(kept, e);
      }
    }
  }

  private boolean keepsAnArchive(Path kept) {
    try {
      return roller.isArchive(archiveOf(kept).toString());
    } catch (InvalidPathException e) {
      return false; // bytes that are no text in this locale, which no pattern gives
    }
  }

  private boolean isOurs(@Nullable FileInfo info) {
    return info != null
        && info.kind() == FileInfo.Kind.FILE
        && info.links() > 0
        && info.ownerId() == disk.userId();
  }

  /**
   * A file that still has another name was not compressed to its end. Logback goes on with none of
   * these: with a name of its own it is ours to finish, under the name of a log it stays that.
   */
  private void recover(Path kept, Path active, String pattern) throws IOException {
    disk.delete(inputOf(kept));
    disk.delete(outputOf(kept));
    FileInfo info = disk.stat(kept);
    if (info == null || info.links() == 1) {
      complete(kept, null);
      return;
    }
    Path other = new ArchiveSearch(disk).other(info.key(), kept, active, pattern);
    if (other != null && other.toString().endsWith(".tmp")) {
      complete(kept, other);
      return;
    }
    Path archive = archiveOf(kept);
    if (other != null && contentOf(archive, kept) != ArchiveContent.OTHER) {
      disk.delete(archive);
    }
    disk.delete(kept);
  }

  /** Makes the archive durable, if it is what it should be, and gives up the link, and its twin. */
  private void complete(Path kept, @Nullable Path twin) throws IOException {
    Path archive = archiveOf(kept);
    ArchiveContent content = contentOf(archive, kept);
    if (content == ArchiveContent.OTHER) {
      throw new IOException(archive + " is not made from it");
    }
    if (content == ArchiveContent.PART) {
      compress(kept, archive);
    } else {
      force(archive);
    }
    disk.forceDirectory(archive.resolveSibling(""));
    if (twin != null) {
      disk.delete(twin); // first: without the link nobody would look for it
    }
    disk.delete(kept);
  }

  /** What is no file is not opened: a pipe would wait for its other end. */
  private ArchiveContent contentOf(Path archive, Path kept) throws IOException {
    FileInfo info = disk.stat(archive);
    if (info == null) {
      return ArchiveContent.PART;
    }
    return info.kind() == FileInfo.Kind.FILE
        ? ArchiveContent.of(archive, kept)
        : ArchiveContent.OTHER;
  }

  private void compress(Path kept, Path archive) throws IOException {
    Path input = inputOf(kept);
    Path output = outputOf(kept);
    disk.delete(input);
    disk.delete(output);
    disk.link(input, kept);
    String name = String.valueOf(archive.getFileName());
    roller.compress(input, output, name.substring(0, name.lastIndexOf('.')));
    disk.delete(input);
    if (contentOf(output, kept) != ArchiveContent.WHOLE) {
      disk.delete(output);
      throw new IOException("it cannot be compressed");
    }
    force(output);
    disk.move(output, archive);
    warnings.accept("The archive %s was not whole and was written again".formatted(archive));
  }

  private void force(Path file) throws IOException {
    try (DiskFile opened = disk.open(file, Disk.Mode.READ)) {
      opened.force();
    }
  }

  private void tellLeft(Path kept, Exception cause) {
    warnings.accept(
        "%s keeps what belongs into the archive %s, for the next start to see to: %s"
            .formatted(kept, archiveOf(kept), cause));
  }

  private static Path keptOf(Path archive) {
    return archive.resolveSibling("." + archive.getFileName() + KEPT);
  }

  private static Path archiveOf(Path kept) {
    String name = String.valueOf(kept.getFileName());
    return kept.resolveSibling(name.substring(1, name.length() - KEPT.length()));
  }

  private static Path inputOf(Path kept) {
    return kept.resolveSibling(kept.getFileName() + INPUT);
  }

  private static Path outputOf(Path kept) {
    String archive = String.valueOf(archiveOf(kept).getFileName());
    return kept.resolveSibling(
        kept.getFileName() + OUTPUT + archive.substring(archive.lastIndexOf('.')));
  }
}
