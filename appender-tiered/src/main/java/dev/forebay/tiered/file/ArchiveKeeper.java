package dev.forebay.tiered.file;

import dev.forebay.agent.AgentThread;
import dev.forebay.tiered.disk.Disk;
import dev.forebay.tiered.disk.FileInfo;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.InvalidPathException;
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
 * versions even after a failure. So before a roll the file gets a hidden name next to its future
 * archive, and the policy gets an empty file, of which it makes an archive of the right name. The
 * {@link Archivist} then packs the kept file, forces that and replaces the policy's archive. The
 * next start hands over what a crash left.
 *
 * <p>Files that others put at the name of an archive are never touched. If the name is taken, the
 * log is not rolled: it continues in its file until the policy arrives at a free name. If the name
 * is taken later, before the archive is created, the archive gets a name of its own.
 *
 * <p>Nothing else here stops a roll: a policy that is not Logback's own, or whose archives are on
 * another file system, gets the file itself. For the shipper's thread.
 */
final class ArchiveKeeper {

  /** After that, a file whose name no pattern explains is no other process's any more. */
  private static final long UNCLAIMED_MS = TimeUnit.DAYS.toMillis(1);

  private final Disk disk;
  private final Archives archives;
  private final Consumer<String> warnings;
  private final Consumer<AgentThread> starter;
  private final FailureStreak failures;

  /** Of this run; null if it has kept no file yet. */
  private @Nullable Archivist archivist;

  /** The directory of the next archive; null if it is the active file's, which is forced anyway. */
  private @Nullable Path target;

  /** Of the roll that is under way. */
  private @Nullable KeptFile newest;

  /** Identity of the empty file that the policy gets instead; "" if there is none. */
  private String replacement = "";

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
    replacement = "";
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
      if (archives.arePackedHere()) {
        keep(name, path);
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

  /** A log that is a link stays, since the policy moves the link. */
  private void keep(String active, Path archive) throws IOException {
    Path path = LogPath.absolute(active);
    FileInfo file = disk.stat(path);
    if (file == null || !KeptFile.isOurs(file, disk) || file.inode().isEmpty()) {
      return;
    }
    KeptFile kept = KeptFile.of(archive, file.inode());
    disk.move(path, kept.path());
    newest = kept;
    disk.open(path, Disk.Mode.LOG).close();
    FileInfo empty = disk.stat(path);
    replacement = empty == null ? "" : empty.key();
    disk.forceDirectory(archive.resolveSibling(""));
  }

  /**
   * To be called right after the policy moved the file, before its old name is reused.
   *
   * @param nextName name of the file to be written now
   */
  void moved(String nextName) {
    KeptFile kept = newest;
    Path directory = target;
    try {
      if (kept != null && !takeBackIfNotMoved(kept, nextName)) {
        archivist().add(kept, false);
      }
      if (directory != null && disk.stat(directory) != null) {
        disk.forceDirectory(directory);
      }
    } catch (IOException e) {
      failures.failed("A power cut may lose the newest archive in " + directory + ": " + e);
    }
  }

  /** If the log continues under the name that it had, it does so in the same file. */
  private boolean takeBackIfNotMoved(KeptFile kept, String nextName) {
    try {
      Path next = LogPath.absolute(nextName);
      FileInfo info = disk.stat(next);
      if (info != null && info.key().equals(replacement)) {
        disk.move(kept.path(), next);
        return true;
      }
    } catch (IOException e) {
      failures.failed("Cannot determine whether " + nextName + " was rolled: " + e);
    }
    return false;
  }

  private Archivist archivist() {
    Archivist current = archivist;
    if (current == null) {
      current = new Archivist(disk, warnings, starter);
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
      for (Path path : new ArchiveSearch(disk).hidden(active, pattern, KeptFile.ENDING)) {
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
    KeptFile kept;
    boolean isNamed;
    try {
      kept = KeptFile.parse(path);
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
    if (isNamed || isUnclaimed(info, active)) {
      kept.reserve(disk);
      archivist().add(kept, true);
    }
    return true;
  }

  /**
   * Whether a file of a name that the pattern does not have is left by an earlier pattern, and not
   * in use by the process of another log: measured from the last write to our log.
   */
  private boolean isUnclaimed(FileInfo kept, Path active) throws IOException {
    FileInfo log = disk.stat(active);
    return log != null && log.modifiedMs() - kept.modifiedMs() > UNCLAIMED_MS;
  }
}
