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
 * Keeps what is in a rolled file until its compressed archive is on the disk.
 *
 * <p>Logback's policies write the compressed file, do not force it, and delete the original, some
 * versions also when they failed. So before a roll the file gets a second name, a hard link, hidden
 * and beside the archive that is to be made of it. When that is the only name left, the archive is
 * compared with it, written again if it is not whole, forced, and only then the link is removed.
 * Links that a crash left are looked at by the next start.
 *
 * <p>What others put at the name of an archive is never touched. A roll to a name that is taken
 * does not take place: the log goes on in its file, until the policy comes to a name that is free.
 * What takes the name later, before the archive is there, keeps it; the archive is then packed
 * under a name of its own.
 *
 * <p>Nothing else here stops a roll: where a file system has no hard links, or the archive goes to
 * another one, the file is rolled without. For the shipper's thread.
 */
final class ArchiveKeeper {

  private static final long POLL_NS = 10_000_000;
  private static final int MAX_POLLS = 200;

  private final Disk disk;
  private final Archives archives;
  private final Consumer<String> warnings;
  private final FailureStreak failures;
  private final FailureStreak leftovers;

  /** Links whose file the compressor may still have. */
  private final List<KeptLink> pending = new ArrayList<>();

  /** Links whose archive could not be made; one of them is tried again at each roll. */
  private final Deque<KeptLink> left = new ArrayDeque<>();

  /**
   * The directory of the next archive, where it is not the one that a new log file is forced in.
   */
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
   * Before the policy moves the file.
   *
   * @param name of the active file, as the policy spells it
   * @return why the policy must not move it; null if it may
   */
  @Nullable String keep(Path active, String name) {
    check();
    retry(active);
    target = null;
    newest = null;
    String archive = archives.next();
    if (archive == null || archive.equals(name)) {
      return null; // unknown, or it only gets a successor
    }
    try {
      Path path = LogPath.absolute(archive);
      Path obstacle = obstacle(archive, name);
      if (obstacle != null) {
        return "the name of its archive, %s, is taken; remove or rename what is there"
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

  /** What stands at a name that the roll would use; null where all are free. */
  private @Nullable Path obstacle(String archive, String active) throws IOException {
    for (String name : List.of(archive, archives.unpacked(archive))) {
      Path path = LogPath.absolute(name);
      if (!name.equals(active) && isTaken(path)) {
        return path;
      }
    }
    return null;
  }

  /** Where we cannot look, a policy cannot move anything to. */
  private boolean isTaken(Path archive) {
    try {
      return disk.stat(archive) != null && !(archives.makeRoom() && Files.exists(archive));
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
    if (!isOurs(kept)) { // or else an earlier roll made it and failed
      disk.link(kept.path(), active);
    }
    pending.add(kept);
    newest = kept;
    disk.forceDirectory(archive.resolveSibling(""));
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
    KeptLink kept = newest;
    try {
      FileInfo link = kept == null ? null : disk.stat(kept.path());
      FileInfo next = link == null ? null : disk.stat(LogPath.resolve(disk, nextName));
      if (kept != null && link != null && next != null && next.key().equals(link.key())) {
        disk.delete(kept.path());
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
        leave(kept, e);
      }
    }
  }

  private void retry(Path active) {
    KeptLink kept = left.poll();
    if (kept != null) {
      recover(kept, active);
    }
  }

  private void leave(KeptLink kept, Exception cause) {
    left.add(kept);
    leftovers.failed(
        "%s keeps the lines of the archive %s, which cannot be made; tried again at each roll and each start: %s"
            .formatted(kept.path(), kept.archive(), cause));
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
    left.clear();
    leftovers.succeeded();
  }

  /**
   * Before the policies look at the archives: sees to what a crash left. Whatever stands in the
   * directories, and whatever a policy says to it, costs a warning and not the log.
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
      warnings.accept("Cannot look for archives beside " + activeName + ": " + e);
      return;
    }
    List<Path> strange = new ArrayList<>();
    for (Path path : found) {
      KeptLink kept = parse(path);
      if (kept != null && !recover(kept, active)) {
        strange.add(path);
      }
    }
    if (!strange.isEmpty()) {
      warnings.accept(
          "%s is named like a file that keeps an archive's lines, but is another one, perhaps a copy; it and %d more are left alone"
              .formatted(strange.get(0), strange.size() - 1));
    }
  }

  private @Nullable KeptLink parse(Path path) {
    try {
      KeptLink kept = KeptLink.parse(path);
      return kept != null && archives.has(kept.archive().toString()) ? kept : null;
    } catch (InvalidPathException e) {
      return null; // bytes that are no text in this locale, which no pattern gives
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

  /** False where there is a file, but not one of ours. */
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
      leave(kept, e);
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
   * A file that still has another name was not compressed to its end. Logback goes on with none of
   * these: with a name of its own it is ours to finish, under the name of a log it stays that.
   *
   * @param other null where there is none beside the log or its archives
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
   * Makes the archive durable, if it is what it should be, and gives up the link, and its twin.
   *
   * @param fresh whether this run has seen it come about
   */
  private void complete(KeptLink kept, @Nullable Path twin, boolean fresh) throws IOException {
    ArchiveContent content = contentOf(kept.archive(), kept, fresh);
    boolean taken = content == ArchiveContent.OTHER;
    Path archive = taken ? kept.spare() : kept.archive();
    switch (taken ? contentOf(archive, kept, fresh) : content) {
      case WHOLE -> force(archive);
      case PART -> compress(kept, archive);
      case OTHER -> throw new IOException("its name is taken, and so is " + archive);
    }
    disk.forceDirectory(archive.resolveSibling(""));
    if (twin != null) {
      disk.delete(twin); // first: without the link nobody would look for it
    }
    disk.delete(kept.path());
    if (left.isEmpty()) {
      leftovers.succeeded();
    }
    switch (content) {
      case WHOLE -> {}
      case PART ->
          warnings.accept("The archive %s was not whole and was written again".formatted(archive));
      case OTHER ->
          warnings.accept(
              "What stands at %s is not the archive made for this name, which was packed as %s; no policy will remove that"
                  .formatted(kept.archive(), archive));
    }
  }

  /** What is no file of ours is not opened: a pipe would wait for its other end. */
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
    disk.delete(archive); // a part of the same
    disk.link(archive, output); // unlike a move it replaces nothing that came meanwhile
    disk.delete(output);
  }

  private void force(Path file) throws IOException {
    try (DiskFile opened = disk.open(file, Disk.Mode.READ)) {
      opened.force();
    }
  }
}
