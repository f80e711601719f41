package dev.forebay.tiered.durable;

import dev.forebay.tiered.disk.Disk;
import dev.forebay.tiered.disk.DiskFile;
import dev.forebay.tiered.disk.FileInfo;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.InvalidPathException;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * Keeps a rolled file's content until its compressed archive is on the disk.
 *
 * <p>Logback's policies write the compressed file without forcing it and delete the original, some
 * versions even after a failure. So before a roll the file gets a second name: a hidden hard link
 * next to its future archive. Once that is the only name left, the archive is compared with it,
 * rewritten if it is incomplete, and forced; only then the link is removed. The next start handles
 * links left by a crash.
 *
 * <p>Files that others put at the name of an archive are never touched. If the name is taken, the
 * log is not rolled: it continues in its file until the policy arrives at a free name. If the name
 * is taken later, before the archive is created, the archive gets a name of its own.
 *
 * <p>Nothing else here stops a roll: if the file system has no hard links, or the archive is on
 * another one, the file is rolled without a link. For the shipper's thread.
 */
final class ArchiveKeeper {

  private static final long POLL_NS = 10_000_000;
  private static final int MAX_POLLS = 200;

  private final Disk disk;
  private final Archives archives;
  private final Consumer<String> warnings;
  private final FailureStreak failures;
  private final FailureStreak leftovers;

  /** Links whose file the compressor may still use. */
  private final List<KeptLink> pending = new ArrayList<>();

  /** Links whose archive could not be created; one of them is retried at each roll. */
  private final Deque<KeptLink> postponed = new ArrayDeque<>();

  /** The directory of the next archive; null if it is the active file's, which is forced anyway. */
  private @Nullable Path target;

  /** The newest link. */
  private @Nullable KeptLink newest;

  ArchiveKeeper(Disk disk, Archives archives, Consumer<String> warnings) {
    this.disk = disk;
    this.archives = archives;
    this.warnings = warnings;
    this.failures = new FailureStreak(warnings);
    this.leftovers = new FailureStreak(warnings);
  }

  /**
   * To be called before the policy moves the file.
   *
   * @param name name of the active file from the policy
   * @return why the policy must not move it; null if it may
   */
  @Nullable String keep(Path active, String name) {
    check();
    retry(active);
    target = null;
    newest = null;
    String archive = archives.next();
    if (archive == null || archive.equals(name)) {
      return null; // unknown, or the file keeps its name and the next one gets another
    }
    try {
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
    if (file == null || !isOurs(file) || file.inode().isEmpty()) {
      return;
    }
    KeptLink kept = KeptLink.of(archive, file.inode());
    if (!isOurs(kept)) { // otherwise an earlier roll created it and failed
      disk.link(kept.path(), active);
    }
    pending.add(kept);
    newest = kept;
    disk.forceDirectory(archive.resolveSibling(""));
  }

  /**
   * To be called right after the policy moved the file, before its old name is reused.
   *
   * @param nextName name of the file to be written now
   */
  void moved(String nextName) {
    unlinkIfNotMoved(nextName);
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

  /** If the log continues in the same file, removes the link at once. */
  private void unlinkIfNotMoved(String nextName) {
    KeptLink kept = newest;
    try {
      FileInfo link = kept == null ? null : disk.stat(kept.path());
      FileInfo next = link == null ? null : disk.stat(LogPath.resolve(disk, nextName));
      if (kept != null && link != null && next != null && next.key().equals(link.key())) {
        disk.delete(kept.path());
        pending.remove(kept);
      }
    } catch (NoSuchFileException e) {
      // The next file's directory is not created yet.
    } catch (IOException e) {
      failures.failed("Cannot determine whether " + nextName + " was rolled: " + e);
    }
  }

  /** Completes the archives whose compression has ended. */
  void check() {
    for (KeptLink kept : List.copyOf(pending)) {
      try {
        FileInfo info = disk.stat(kept.path());
        if (info != null && info.links() > 1) {
          continue; // the compressor still has it
        }
        pending.remove(kept);
        if (isOurs(kept)) {
          complete(kept, null, true);
        }
      } catch (IOException | RuntimeException e) {
        pending.remove(kept);
        postpone(kept, e);
      }
    }
  }

  /** Whether {@link #check} waits for a compressor. */
  boolean isWaiting() {
    return !pending.isEmpty();
  }

  private void retry(Path active) {
    KeptLink kept = postponed.poll();
    if (kept != null) {
      recover(kept, active);
    }
  }

  private void postpone(KeptLink kept, Exception cause) {
    postponed.add(kept);
    leftovers.failed(
        "%s keeps the lines of the archive %s, which cannot be created; retrying at each roll and each start: %s"
            .formatted(kept.path(), kept.archive(), cause));
  }

  /**
   * Waits up to 2 s for compressions, since the policies wait only for the last one. The next start
   * handles those not finished by then.
   */
  void stop() {
    check();
    for (int polls = 0; polls < MAX_POLLS && !pending.isEmpty(); polls++) {
      LockSupport.parkNanos(this, POLL_NS);
      check();
    }
    pending.clear();
    postponed.clear();
    leftovers.succeeded();
  }

  /**
   * Handles leftovers of a crash, before the policies scan the archives. Unexpected files and
   * failures of a policy cause a warning but do not stop the log.
   */
  void recover(String activeName) {
    String pattern = archives.pattern();
    if (pattern == null || !archives.areCompressed()) {
      return;
    }
    Path active;
    List<Path> found;
    try {
      active = LogPath.absolute(activeName);
      found = new ArchiveSearch(disk).hidden(active, pattern, KeptLink.ENDING);
    } catch (IOException | RuntimeException e) {
      warnings.accept("Cannot look for archives next to " + activeName + ": " + e);
      return;
    }
    List<Path> foreign = new ArrayList<>();
    for (Path path : found) {
      KeptLink kept = parse(path);
      if (kept != null && !recover(kept, active)) {
        foreign.add(path);
      }
    }
    if (!foreign.isEmpty()) {
      warnings.accept(
          "%s is named like a file that keeps an archive's lines, but is a different file, perhaps a copy; it and %d more are left untouched"
              .formatted(foreign.get(0), foreign.size() - 1));
    }
  }

  private @Nullable KeptLink parse(Path path) {
    try {
      KeptLink kept = KeptLink.parse(path);
      return kept != null && archives.has(kept.archive().toString()) ? kept : null;
    } catch (InvalidPathException e) {
      return null; // bytes that are not text in this locale; no pattern matches them
    }
  }

  private boolean isOurs(KeptLink kept) throws IOException {
    FileInfo info = disk.stat(kept.path());
    return info != null && isOurs(info) && info.inode().equals(kept.inode());
  }

  private static boolean isFile(@Nullable FileInfo info) {
    return info != null && info.kind() == FileInfo.Kind.FILE;
  }

  private boolean isOurs(FileInfo info) {
    return isFile(info) && info.links() > 0 && info.ownerId() == disk.userId();
  }

  /** False if there is a file that is not ours. */
  private boolean recover(KeptLink kept, Path active) {
    try {
      FileInfo info = disk.stat(kept.path());
      if (info == null || !isOurs(kept)) {
        return !isFile(info);
      }
      disk.delete(kept.input());
      disk.delete(kept.output());
      info = disk.stat(kept.path());
      if (info != null) {
        finish(kept, info.links() == 1 ? null : otherName(kept, info, active));
      }
    } catch (IOException | RuntimeException e) {
      postpone(kept, e);
    }
    return true;
  }

  private @Nullable Path otherName(KeptLink kept, FileInfo info, Path active) throws IOException {
    String pattern = archives.pattern();
    return pattern == null
        ? null
        : new ArchiveSearch(disk).other(info.key(), kept.path(), active, pattern);
  }

  /**
   * Handles a file after a crash. A file that still has another name was not completely compressed,
   * and Logback never resumes that. If the other name is Logback's temporary one, we complete the
   * archive; if it is the name of a log or an uncompressed archive, the file keeps it.
   *
   * @param other its other name; null if there is none next to the log or its archives
   */
  private void finish(KeptLink kept, @Nullable Path other) throws IOException {
    if (other == null || other.toString().endsWith(".tmp")) {
      complete(kept, other, false);
      return;
    }
    if (contentOf(kept.archive(), kept, false) != ArchiveContent.OTHER) {
      disk.delete(kept.archive());
    }
    disk.delete(kept.path());
  }

  /**
   * Makes the archive durable, after rewriting it if needed, and removes the link and its twin.
   *
   * @param fresh whether the archive was created by this run
   */
  private void complete(KeptLink kept, @Nullable Path twin, boolean fresh) throws IOException {
    ArchiveContent content = contentOf(kept.archive(), kept, fresh);
    boolean taken = content == ArchiveContent.OTHER;
    Path archive = taken ? kept.spare() : kept.archive();
    switch (taken ? contentOf(archive, kept, fresh) : content) {
      case WHOLE -> force(archive);
      case PART -> compress(kept, archive);
      case OTHER -> throw new IOException("its name and " + archive + " are both taken");
    }
    disk.forceDirectory(archive.resolveSibling(""));
    if (twin != null) {
      disk.delete(twin); // first: without the link no start would find it
    }
    disk.delete(kept.path());
    if (postponed.isEmpty()) {
      leftovers.succeeded();
    }
    switch (content) {
      case WHOLE -> {}
      case PART ->
          warnings.accept("The archive %s was incomplete and was written again".formatted(archive));
      case OTHER ->
          warnings.accept(
              "%s is not the archive of this log, which was packed as %s; no policy will remove the latter"
                  .formatted(kept.archive(), archive));
    }
  }

  /** Opens only files of ours: opening a pipe would wait for its other end. */
  private ArchiveContent contentOf(Path archive, KeptLink kept, boolean fresh) throws IOException {
    FileInfo info = disk.stat(archive);
    if (info == null) {
      return ArchiveContent.PART;
    }
    if (!isOurs(info)) {
      return ArchiveContent.OTHER;
    }
    return fresh && ArchiveSeal.isRight(archive, kept.path())
        ? ArchiveContent.WHOLE
        : ArchiveContent.of(archive, kept.path());
  }

  private void compress(KeptLink kept, Path archive) throws IOException {
    Path input = kept.input();
    Path output = kept.output();
    disk.delete(input);
    disk.delete(output);
    disk.link(input, kept.path());
    archives.compress(input, output, kept.stem());
    disk.delete(input);
    if (contentOf(output, kept, true) != ArchiveContent.WHOLE) {
      disk.delete(output);
      throw new IOException("it cannot be compressed");
    }
    force(output);
    disk.delete(archive); // an incomplete one
    disk.link(archive, output); // unlike a move it never replaces a file that has just appeared
    disk.delete(output);
  }

  private void force(Path file) throws IOException {
    try (DiskFile opened = disk.open(file, Disk.Mode.READ)) {
      opened.force();
    }
  }
}
