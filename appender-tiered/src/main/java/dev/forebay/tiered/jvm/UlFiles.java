package dev.forebay.tiered.jvm;

import dev.forebay.tiered.disk.Disk;
import dev.forebay.tiered.disk.FileInfo;
import dev.forebay.tiered.spool.Gap;
import dev.forebay.tiered.spool.LineFile;
import dev.forebay.tiered.spool.Trust;
import java.io.IOException;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.function.LongPredicate;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * The files of one output of the JVM's log, in the order in which it has written them.
 *
 * <p>HotSpot rotates by giving the file it has written the name of the oldest archive, which it
 * deletes before: {@code log.0} to {@code log.N-1} in turn, then {@code log.0} again. So a number
 * says nothing about age. Each file, the one being written too, gets a link of ours as soon as it
 * is seen: what is linked cannot be lost. The link stays until HotSpot has no name for the file any
 * more, so a file without link is always one not seen yet, also for the next process.
 *
 * <p>Each file is found through its predecessor. While that still has the archive's name it got,
 * the file after it has not been deleted, and has either the next archive's name or is the one
 * being written. Both names are looked at again after linking, since HotSpot may rotate at any
 * moment.
 *
 * <p>Where the JVM writes to a place of the user, files of earlier processes may lie there too:
 * they do not count, as if we had seen them. Nor does what the JVM cannot have written: anything
 * but a file of our user with one name. That is asked before and after the link is made.
 */
final class UlFiles {

  /** Rotations that one look follows; the next one follows more. */
  private static final int MAX_STEPS = 64;

  private static final int UNKNOWN = -1;

  private final Disk disk;
  private final Path directory;
  private final Path written;
  private final int fileCount;
  private final UlArchives archives;
  private final long fileBytes;
  private final Predicate<FileInfo> counts;

  /** Oldest first; the last one may still be written. */
  private final List<Generation> linked = new ArrayList<>();

  /** Size of the last one at the last look. */
  private long newestBytes;

  /** Identities of archives that were given up, since their order is unknown. */
  private Set<String> passedOver = Set.of();

  /** Where to begin. */
  private final ReadMark begin;

  /**
   * What the number of an archive is ahead of that of its generation; {@link #UNKNOWN} until one
   * that others opened is seen in an archive.
   */
  private int shift;

  /**
   * @param directory for our links, on the same file system
   */
  UlFiles(Disk disk, Path directory, UlOutput output) {
    this.disk = disk;
    this.directory = directory;
    this.written = output.file();
    Rotation rotation = output.rotation();
    this.fileCount = rotation.fileCount();
    this.archives = new UlArchives(disk, written, fileCount);
    this.fileBytes = rotation.fileBytes();
    this.counts = output.lifetime();
    this.begin = output.begin();
    this.shift = output.isOurs() ? 0 : UNKNOWN;
  }

  /** Takes up the links of a dead process. */
  void restore() throws IOException {
    List<LineFile> names = new ArrayList<>();
    Set<Long> explained = new HashSet<>();
    for (Path entry : disk.list(directory)) {
      LineFile name = LineFile.of(entry);
      if (name != null && name.isOurs()) {
        explained.add(name.number() + 1);
      } else if (name != null) {
        names.add(name);
      }
    }
    names.sort(null);
    for (LineFile name : names) {
      FileInfo info = disk.stat(directory.resolve(name.name()));
      if (info != null && Trust.isOwnFile(info, disk.userId(), Integer.MAX_VALUE)) {
        Gap before = explained.contains(name.number()) ? Gap.NONE : missingBefore(name);
        add(new Generation(name, directory.resolve(name.name()), info.key(), before));
      }
    }
  }

  /** A number is left out before what was linked after a gap. */
  private Gap missingBefore(LineFile name) {
    Generation last = newest();
    if (last == null && name.first() != LineFile.UNKNOWN) {
      return Gap.NONE;
    }
    long missing = name.number() - (last == null ? -1 : last.number) - 1;
    return missing == 0 ? Gap.NONE : Gap.atLeast((missing - 1) * fileBytes);
  }

  /** Links the files that are new since the last look. */
  void look() throws IOException {
    boolean isNew = true;
    for (int step = 0; step < MAX_STEPS && isNew; step++) {
      isNew = linkNext();
    }
  }

  /** No file is written any more: the last one is complete too. */
  void end() throws IOException {
    look();
    Generation last = newest();
    if (last != null) {
      close(last);
    }
  }

  @Nullable Generation newest() {
    return linked.isEmpty() ? null : linked.get(linked.size() - 1);
  }

  /** The first one with at least this number; null if there is none. */
  @Nullable Generation from(long number) {
    for (Generation generation : linked) {
      if (generation.number >= number) {
        return generation;
      }
    }
    return null;
  }

  /** What the JVM has written up to the last look, as if no file were shorter than the others. */
  long writtenBytes() {
    Generation last = newest();
    return last == null ? 0 : last.number * fileBytes + newestBytes;
  }

  /**
   * Frees what only we have a name for.
   *
   * @param isNeeded whether the file of a number still is
   */
  void release(LongPredicate isNeeded) throws IOException {
    Generation last = newest();
    for (Generation one : List.copyOf(linked)) {
      boolean isNamed = last == null || one.number >= last.number - fileCount;
      if (!isNamed && !isNeeded.test(one.number)) {
        disk.delete(one.link);
        linked.remove(one);
      }
    }
  }

  private boolean linkNext() throws IOException {
    Generation last = newest();
    if (last == null) {
      return linkFirst();
    }
    FileInfo now = disk.stat(written);
    if (now == null) { // for a moment while it is rotated
      return false;
    }
    if (now.key().equals(last.key)) {
      newestBytes = now.sizeBytes();
      return false;
    }
    int slot = slotOf(last);
    if (slot < 0) {
      return linkAfterGap(last);
    }
    Path archive = archives.path((slot + 1) % fileCount);
    FileInfo there = disk.stat(archive);
    if (there == null || isKnown(there)) {
      return linkWritten(last, archive, there);
    }
    Generation next = tryLink(last.number + 1, archive, Gap.NONE);
    if (next == null) {
      return true; // rotated meanwhile: look again
    }
    if (!archives.isAt(slot, last.key)) { // then the archive may have been replaced too
      disk.delete(next.link);
      return linkAfterGap(last);
    }
    add(next);
    return true;
  }

  /** What the process has written lies in a row, unless it has rotated through all archives. */
  private boolean linkFirst() throws IOException {
    passOverRead();
    List<FileInfo> before = archives.all(this::isNew);
    if (fileCount > 0 && before.size() == fileCount) {
      return linkAfterGap(null);
    }
    int slot = archives.firstOf(this::isNew);
    Generation first = tryLink(0, slot < 0 ? written : archives.path(slot), Gap.NONE);
    if (first == null) {
      return disk.stat(written) != null;
    }
    if (!isUnrotated(before, first)) {
      disk.delete(first.link); // it may be a later one
      return true;
    }
    add(first);
    return true;
  }

  /** Archives that are older than the file to begin with have been read. */
  private void passOverRead() throws IOException {
    FileInfo found = disk.stat(written);
    List<FileInfo> all = archives.all(info -> true);
    for (FileInfo archive : all) {
      found = archive.key().equals(begin.key()) ? archive : found;
    }
    if (found != null && found.key().equals(begin.key())) {
      FileInfo first = found;
      passedOver =
          Set.copyOf(
              UlArchives.keysOf(
                  all.stream().filter(info -> UlArchives.isYounger(first, info)).toList()));
    }
  }

  private boolean isNew(FileInfo info) {
    return !isKnown(info);
  }

  /** Whether the new archives are the same as before one of them, perhaps, was linked. */
  private boolean isUnrotated(List<FileInfo> before, Generation next) throws IOException {
    List<FileInfo> now = archives.all(info -> info.key().equals(next.key) || isNew(info));
    return UlArchives.keysOf(before).equals(UlArchives.keysOf(now));
  }

  /** The next one is not archived, so it is the one being written. */
  private boolean linkWritten(Generation last, Path archive, @Nullable FileInfo before)
      throws IOException {
    Generation next = tryLink(last.number + 1, written, Gap.NONE);
    if (next == null) {
      return false;
    }
    FileInfo after = disk.stat(archive);
    boolean isSame =
        before == null ? after == null : after != null && after.key().equals(before.key());
    if (!isSame) {
      disk.delete(next.link); // rotated meanwhile: it may be a later one
      return true;
    }
    add(next);
    return true;
  }

  /**
   * HotSpot has deleted the last one's name: it has rotated through all archives. The oldest
   * archive left is the next one; if nothing tells which that is, the file being written.
   */
  private boolean linkAfterGap(@Nullable Generation last) throws IOException {
    List<FileInfo> there = archives.all(this::isNew);
    int oldest = archives.oldest(there);
    long number = last == null ? -1 : last.number;
    Generation next;
    if (oldest >= 0) {
      int ahead =
          last == null || shift == UNKNOWN
              ? 1
              : Math.floorMod(oldest - last.number - shift - 1, fileCount) + 1;
      Gap gap = Gap.atLeast((ahead - 1) * fileBytes);
      next = tryLink(number + ahead + 1, archives.path(oldest), gap); // one for a line of ours
    } else {
      long bytes = there.stream().mapToLong(FileInfo::sizeBytes).sum();
      next = tryLink(number + fileCount + 2, written, Gap.atLeast(bytes));
    }
    if (next == null) {
      return disk.stat(written) != null;
    }
    if (!isUnrotated(there, next)) {
      disk.delete(next.link); // it may be a later one
      return true;
    }
    passedOver = oldest >= 0 ? Set.of() : Set.copyOf(UlArchives.keysOf(there));
    shift = oldest >= 0 ? Math.floorMod(oldest - next.number, fileCount) : UNKNOWN;
    add(next);
    return true;
  }

  /** The number of its archive; -1 if it has been deleted. */
  private int slotOf(Generation generation) throws IOException {
    for (int i = 0; i < fileCount; i++) {
      int slot = Math.floorMod(generation.number + shift + i, fileCount);
      if (archives.isAt(slot, generation.key)) {
        shift = Math.floorMod(slot - generation.number, fileCount);
        return slot;
      }
    }
    return -1;
  }

  /** Whether a file was seen already, or does not count: it is not after the last one. */
  private boolean isKnown(FileInfo info) {
    return isKnown(info, 1);
  }

  private boolean isKnown(FileInfo info, int names) {
    return passedOver.contains(info.key())
        || linked.stream().anyMatch(generation -> generation.key.equals(info.key()))
        || !counts.test(info)
        || !Trust.isOwnFile(info, disk.userId(), names);
  }

  /** Null if the file has just been renamed, or is none that the JVM can have written. */
  private @Nullable Generation tryLink(long number, Path file, Gap before) throws IOException {
    FileInfo named = disk.stat(file);
    if (named == null || isKnown(named)) {
      return null;
    }
    long from = named.key().equals(begin.key()) ? begin.offset() : 0;
    LineFile name = new LineFile(number, from, LineFile.UNKNOWN, false);
    Path link = directory.resolve(name.name());
    try {
      disk.link(link, file);
    } catch (NoSuchFileException e) {
      return null;
    } catch (FileAlreadyExistsException e) { // a link that could not be undone
      disk.delete(link);
      return null;
    }
    FileInfo info = disk.stat(link);
    if (info == null || isKnown(info, 2)) { // another one of that name
      disk.delete(link);
      return null;
    }
    return new Generation(name, link, info.key(), before);
  }

  private void add(Generation next) throws IOException {
    Generation last = newest();
    if (last != null) {
      close(last);
    }
    linked.add(next);
    newestBytes = 0;
  }

  private void close(Generation complete) throws IOException {
    FileInfo info = disk.stat(complete.link);
    complete.bytes = info == null ? 0 : info.sizeBytes();
  }
}
