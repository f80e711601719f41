package dev.forebay.tiered.file;

import dev.forebay.agent.NanoClock;
import dev.forebay.agent.Once;
import dev.forebay.agent.Voice;
import dev.forebay.tiered.disk.Disk;
import dev.forebay.tiered.disk.FileInfo;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;
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
 * <p>A foreign file at the name of an archive is never touched. If the name is taken, the log is
 * not rolled: it continues in its file until the policy arrives at a free name. If the name is
 * taken later, before the archive is created, the archive gets a name of its own.
 *
 * <p>Nothing else here stops a roll: a policy that is not Logback's own, or whose archives are on
 * another file system, gets the file itself. For the shipper's thread.
 */
final class ArchiveKeeper {

  /**
   * After that, by the last write to our log, an earlier pattern left it, not another's process.
   */
  private static final long UNCLAIMED_MS = TimeUnit.DAYS.toMillis(1);

  private final Disk disk;
  private final Archives archives;
  private final Voice voice;
  private final boolean hasThread;
  private final Once once;

  /** The archivist of this run; null if the run has kept no file yet. */
  private @Nullable Archivist archivist;

  ArchiveKeeper(Disk disk, Archives archives, Voice voice, Once once, boolean hasThread) {
    this.disk = disk;
    this.archives = archives;
    this.voice = voice;
    this.hasThread = hasThread;
    this.once = once;
  }

  /** Has the policy move the active file away; returns the name of the file to write now. */
  String roll(ActiveFile active, Roller roller) throws IOException {
    String name = active.name;
    String archive = archives.next();
    if (archive == null || archive.equals(name)) { // the file may keep its name
      roller.rollover(null);
      return roller.activeName(name);
    }
    Path path = null;
    KeptFile kept = null;
    Path obstacle = null;
    try {
      path = LogPath.absolute(archive);
      if (archives.makesRoom()) { // it would move unchecked files away
        archive();
      }
      obstacle = obstacle(archive, name);
      if (obstacle == null) {
        LogPath.createDirectories(disk, archive);
        kept = archives.arePackedHere() ? keep(LogPath.absolute(name), path) : null;
        if (kept != null) {
          disk.open(LogPath.absolute(name), Disk.Mode.LOG).close();
          disk.forceDirectory(path.resolveSibling(""));
        }
      }
      once.over("keeping");
    } catch (IOException | RuntimeException e) {
      once.warn(
          "keeping",
          "A power cut may lose the archive %s while it is compressed: %s".formatted(archive, e));
    }
    FileInfo empty = kept == null ? null : statOrNull(LogPath.absolute(name));
    roller.rollover(
        obstacle == null
            ? null
            : "the name of its archive, %s, is taken; remove or rename that file"
                .formatted(obstacle));
    String next = roller.activeName(name);
    try {
      if (kept != null && !takeBackIfNotMoved(kept, empty, LogPath.absolute(next))) {
        archivist().add(kept, false);
      }
      Path directory = path == null ? null : path.resolveSibling(""); // null in some locales
      if (directory != null // else it is forced with the next file
          && !directory.equals(active.path.resolveSibling(""))
          && disk.stat(directory) != null) {
        disk.forceDirectory(directory);
      }
    } catch (IOException e) {
      once.warn("keeping", "A power cut may lose the archive %s: %s".formatted(archive, e));
    }
    return next;
  }

  private @Nullable FileInfo statOrNull(Path path) {
    try {
      return disk.stat(path);
    } catch (IOException e) {
      return null;
    }
  }

  /**
   * A taken name that the roll would use; null if all are free, or cannot be checked: then the
   * policy cannot move a file there either.
   */
  private @Nullable Path obstacle(String archive, String active) throws IOException {
    for (String name : List.of(archive, archives.unpacked(archive))) {
      Path path = LogPath.absolute(name);
      boolean isMadeFree = archives.makesRoom() && Files.exists(path);
      if (!name.equals(active) && statOrNull(path) != null && !isMadeFree) {
        return path;
      }
    }
    return null;
  }

  /** Keeps the file; null for a log that is a link, since the policy moves the link. */
  private @Nullable KeptFile keep(Path active, Path archive) throws IOException {
    FileInfo file = disk.stat(active);
    if (file == null || !KeptFile.isOurs(file, disk) || file.inode().isEmpty()) {
      return null;
    }
    KeptFile kept = KeptFile.of(archive, file.inode());
    disk.move(active, kept.path());
    return kept;
  }

  /** If the log continues in the empty file that the policy got, it does so in its own. */
  private boolean takeBackIfNotMoved(KeptFile kept, @Nullable FileInfo empty, Path next) {
    FileInfo info = statOrNull(next);
    if (info == null || empty == null || !info.key().equals(empty.key())) {
      return false;
    }
    try {
      disk.move(kept.path(), next);
      return true;
    } catch (IOException e) {
      once.warn("keeping", "The log cannot continue in its file, which becomes an archive: " + e);
      return false;
    }
  }

  private Archivist archivist() {
    if (archivist == null) {
      archivist = new Archivist(disk, NanoClock.SYSTEM, voice);
    }
    if (hasThread) {
      archivist.start();
    }
    return archivist;
  }

  /** Has archives removed, once those that wait for it are packed. */
  void clean(@Nullable Supplier<Future<?>> cleanUp) {
    if (cleanUp != null) {
      archivist().clean(cleanUp);
    }
  }

  /** Does what the archivist's thread does in a turn. */
  void archive() {
    if (archivist != null) {
      archivist.look(false);
    }
  }

  /** Ends the run; the next start handles what is not completed within a bounded time. */
  void stop() {
    if (archivist != null) {
      archivist.stop();
      archivist = null;
    }
  }

  /**
   * Finds leftovers of a crash, before the policies scan the archives: where an archive is missing,
   * they find an empty one, so that they neither use its number again nor keep it beyond their
   * limits. Unexpected files and failures of a policy cause a warning but do not stop the log.
   */
  void recover(String activeName) {
    if (archives.pattern() == null) {
      return;
    }
    try {
      Path active = LogPath.absolute(activeName);
      List<Path> foreign = new ArrayList<>();
      for (Path path : archives.names(active, KeptFile.ENDING)) {
        if (!handOver(path, active)) {
          foreign.add(path);
        }
      }
      if (!foreign.isEmpty()) {
        voice.warn(
            "%s is named like a file that keeps an archive's lines, but is a different file, perhaps a copy; it and %d more are left untouched"
                .formatted(foreign.get(0), foreign.size() - 1));
      }
    } catch (IOException | RuntimeException e) {
      if (archives.areCompressed()) {
        voice.warn("Cannot look for archives next to " + activeName + ": " + e);
      }
    }
  }

  /** False for a file that is not ours, although its name matches the pattern. */
  private boolean handOver(Path path, Path active) throws IOException {
    KeptFile kept = KeptFile.parse(path);
    FileInfo info = kept == null ? null : disk.stat(path);
    if (kept == null || info == null) {
      return true;
    }
    boolean isNamed = archives.has(kept.archive().toString());
    if (!kept.is(info, disk)) {
      return !isNamed || info.kind() != FileInfo.Kind.FILE;
    }
    if (isNamed || isUnclaimed(info, active)) {
      kept.reserve(disk);
      archivist().add(kept, true);
    }
    return true;
  }

  private boolean isUnclaimed(FileInfo kept, Path active) throws IOException {
    FileInfo log = disk.stat(active);
    return log != null && log.modifiedMs() - kept.modifiedMs() > UNCLAIMED_MS;
  }
}
