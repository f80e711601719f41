package dev.forebay.tiered.file;

import dev.forebay.agent.AgentThread;
import dev.forebay.tiered.disk.Disk;
import dev.forebay.tiered.disk.FileInfo;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.InvalidPathException;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * Keeps a rolled file's content until its compressed archive is on the disk.
 *
 * <p>Logback's policies write the compressed file without forcing it and delete the original, some
 * versions even after a failure. So before a roll the file gets a second name: a hidden hard link
 * next to its future archive. Once that is the only name left, the {@link Archivist} compares the
 * archive with it, rewrites it if it is incomplete, forces it and removes the link. The next start
 * hands over links left by a crash.
 *
 * <p>Files that others put at the name of an archive are never touched. If the name is taken, the
 * log is not rolled: it continues in its file until the policy arrives at a free name. If the name
 * is taken later, before the archive is created, the archive gets a name of its own.
 *
 * <p>Nothing else here stops a roll: if the file system has no hard links, or the archive is on
 * another one, the file is rolled without a link. For the shipper's thread.
 */
final class ArchiveKeeper {

  /** After that, a link whose name no pattern explains is no other process's any more. */
  private static final long UNCLAIMED_MS = TimeUnit.DAYS.toMillis(1);

  private final Disk disk;
  private final Archives archives;
  private final Consumer<String> warnings;
  private final Consumer<AgentThread> starter;
  private final FailureStreak failures;

  /** Of this run; null if it has no link yet. */
  private @Nullable Archivist archivist;

  /** The directory of the next archive; null if it is the active file's, which is forced anyway. */
  private @Nullable Path target;

  /** The link for the roll that is under way. */
  private @Nullable KeptLink newest;

  ArchiveKeeper(
      Disk disk, Archives archives, Consumer<String> warnings, Consumer<AgentThread> starter) {
    this.disk = disk;
    this.archives = archives;
    this.warnings = warnings;
    this.starter = starter;
    this.failures = new FailureStreak(warnings);
  }

  /**
   * To be called before the policy moves the file.
   *
   * @param name name of the active file from the policy
   * @return why the policy must not move it; null if it may
   */
  @Nullable String keep(Path active, String name) {
    target = null;
    newest = null;
    String archive = archives.next();
    if (archive == null || archive.equals(name)) {
      return null; // unknown, or the file keeps its name and the next one gets another
    }
    try {
      Archivist current = archivist;
      if (current != null && archives.makesRoom()) { // it would move away what nobody looked at
        current.awaitLooks();
      }
      Path path = LogPath.absolute(archive);
      Path obstacle = obstacle(archive, name);
      if (obstacle != null) {
        return "the name of its archive, %s, is taken; remove or rename that file"
            .formatted(obstacle);
      }
      LogPath.createDirectories(disk, archive);
      Path directory = path.resolveSibling("");
      target = directory.equals(active.resolveSibling("")) ? null : directory;
      if (archives.areCompressed()) {
        link(active, path);
      }
      failures.succeeded();
    } catch (IOException | RuntimeException e) {
      failures.failed(
          "A power cut may lose the archive %s while it is compressed: %s".formatted(archive, e));
    }
    return null;
  }

  /** A taken name that the roll would use; null if all are free. */
  private @Nullable Path obstacle(String archive, String active) throws IOException {
    for (String name : List.of(archive, archives.unpacked(archive))) {
      Path path = LogPath.absolute(name);
      if (!name.equals(active) && isTaken(path)) {
        return path;
      }
    }
    return null;
  }

  /** False if we cannot check: then the policy cannot move a file there either. */
  private boolean isTaken(Path archive) {
    try {
      return disk.stat(archive) != null && !(archives.makesRoom() && Files.exists(archive));
    } catch (IOException e) {
      return false;
    }
  }

  private void link(Path active, Path archive) throws IOException {
    FileInfo file = disk.stat(active);
    if (file == null || !KeptLink.isOurs(file, disk) || file.inode().isEmpty()) {
      return;
    }
    KeptLink kept = KeptLink.of(archive, file.inode());
    if (!isOurs(kept)) { // otherwise an earlier roll created it and failed
      disk.link(kept.path(), active);
    }
    newest = kept;
    disk.forceDirectory(archive.resolveSibling(""));
  }

  /**
   * To be called right after the policy moved the file, before its old name is reused.
   *
   * @param active the path it had
   * @param nextName name of the file to be written now
   */
  void moved(Path active, String nextName) {
    KeptLink kept = newest;
    if (kept != null && !unlinkIfNotMoved(kept, nextName)) {
      archivist().add(kept, active);
    }
    Path directory = target;
    try {
      if (directory != null && disk.stat(directory) != null) {
        disk.forceDirectory(directory);
      }
    } catch (IOException e) {
      failures.failed("A power cut may lose the newest archive in " + directory + ": " + e);
    }
  }

  /** If the log continues in the same file, removes the link at once. */
  private boolean unlinkIfNotMoved(KeptLink kept, String nextName) {
    try {
      FileInfo link = disk.stat(kept.path());
      FileInfo next = link == null ? null : disk.stat(LogPath.resolve(disk, nextName));
      if (link != null && next != null && next.key().equals(link.key())) {
        disk.delete(kept.path());
        return true;
      }
    } catch (NoSuchFileException e) {
      // The next file's directory is not created yet.
    } catch (IOException e) {
      failures.failed("Cannot determine whether " + nextName + " was rolled: " + e);
    }
    return false;
  }

  private Archivist archivist() {
    Archivist current = archivist;
    if (current == null) {
      String pattern = String.valueOf(archives.pattern());
      current = new Archivist(disk, pattern, warnings, starter);
      archivist = current;
    }
    return current;
  }

  /** What the archivist's thread does in a turn. */
  void archive() {
    Archivist current = archivist;
    if (current != null) {
      current.doWork();
    }
  }

  /** Ends the run; the next start handles what is not completed within a bounded time. */
  void stop() {
    Archivist last = archivist;
    archivist = null;
    if (last != null) {
      last.stop();
    }
  }

  /**
   * Finds leftovers of a crash, before the policies scan the archives: where an archive is missing,
   * they find an empty one, so that they neither use its number again nor keep it beyond their
   * limits. Unexpected files and failures of a policy cause a warning but do not stop the log.
   */
  void recover(String activeName) {
    String pattern = archives.pattern();
    if (pattern == null) {
      return;
    }
    try {
      Path active = LogPath.absolute(activeName);
      List<Path> foreign = new ArrayList<>();
      for (Path path : new ArchiveSearch(disk).hidden(active, pattern, KeptLink.ENDING)) {
        if (!handOver(path, active)) {
          foreign.add(path);
        }
      }
      if (!foreign.isEmpty()) {
        warnings.accept(
            "%s is named like a file that keeps an archive's lines, but is a different file, perhaps a copy; it and %d more are left untouched"
                .formatted(foreign.get(0), foreign.size() - 1));
      }
    } catch (IOException | RuntimeException e) {
      if (archives.areCompressed()) {
        warnings.accept("Cannot look for archives next to " + activeName + ": " + e);
      }
    }
  }

  /** False for a file that is not ours, although its name matches the pattern. */
  private boolean handOver(Path path, Path active) throws IOException {
    KeptLink kept;
    boolean isNamed;
    try {
      kept = KeptLink.parse(path);
      isNamed = kept != null && archives.has(kept.archive().toString());
    } catch (InvalidPathException e) {
      return true; // bytes that are not text in this locale; no pattern matches them
    }
    FileInfo info = kept == null ? null : disk.stat(path);
    if (kept == null || info == null) {
      return true;
    }
    if (!kept.is(info, disk)) {
      return !isNamed || info.kind() != FileInfo.Kind.FILE;
    }
    FileInfo log = disk.stat(active);
    if (log != null && log.key().equals(info.key()) && disk.stat(kept.archive()) == null) {
      disk.delete(path); // the roll has not happened: the next one has a link of its own
    } else if (isNamed) {
      archivist().addLeft(kept, active, hasArchive(kept));
    } else if (isUnclaimed(info, active)) {
      archivist().addLeft(kept, active, false);
    }
    return true;
  }

  /** Makes an empty archive if there is none; the archivist takes it for an incomplete one. */
  private boolean hasArchive(KeptLink kept) {
    try {
      if (disk.stat(kept.archive()) == null) {
        disk.open(kept.archive(), Disk.Mode.LOG).close();
      }
      return true;
    } catch (IOException e) {
      return false; // the archivist reports it if that lasts
    }
  }

  /**
   * Whether a link of a name that the pattern does not have is left by an earlier pattern, and not
   * in use by the process of another log: measured from the last write to our log.
   */
  private boolean isUnclaimed(FileInfo link, Path active) throws IOException {
    FileInfo log = link.links() > 1 ? null : disk.stat(active);
    return log != null && log.modifiedMs() - link.modifiedMs() > UNCLAIMED_MS;
  }

  private boolean isOurs(KeptLink kept) throws IOException {
    FileInfo info = disk.stat(kept.path());
    return info != null && kept.is(info, disk);
  }
}
