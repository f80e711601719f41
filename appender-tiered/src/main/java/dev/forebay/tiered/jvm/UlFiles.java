package dev.forebay.tiered.jvm;

import dev.forebay.tiered.disk.Disk;
import dev.forebay.tiered.disk.FileInfo;
import dev.forebay.tiered.disk.Trust;
import java.io.IOException;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.function.LongPredicate;
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
 * <p>A look reads which file has which name, twice: if both are the same, HotSpot has not rotated
 * between. While the last linked file still has a name, the ones after it follow in the next
 * archives, then the one being written. A link counts if it is to the file that was seen.
 *
 * <p>Where the JVM writes to a place of the user, files of earlier processes may lie there too:
 * they do not count, as if we had seen them. Nor does what the JVM cannot have written: anything
 * but a file of our user with one name. That is asked before and after the link is made.
 */
final class UlFiles {

  /** Rotations that one look follows; the next one follows more. */
  private static final int MAX_STEPS = 64;

  private static final int UNKNOWN = -1;

  /** Stands for a name without a file. */
  private static final FileInfo NOTHING = new FileInfo(FileInfo.Kind.OTHER, 0, "-", -1, -1, -1, 0);

  /** One of the files, held by a link of ours. For the flusher's thread. */
  static final class Generation {

    final long number;

    /** The link's name when it was made. */
    final LineFile name;

    /** Identity of the file, under whatever name. */
    final String key;

    /** The gap before the file's first byte. */
    final Gap before;

    Path link;

    /** The file's length; -1 while the JVM may write to it. */
    long bytes = -1;

    private Generation(LineFile name, Path link, String key, Gap before) {
      this.number = name.number();
      this.name = name;
      this.link = link;
      this.key = key;
      this.before = before;
    }

    /** Whether the JVM has closed it. */
    boolean isComplete() {
      return bytes >= 0;
    }
  }

  private final Disk disk;
  private final Path directory;
  private final UlOutput output;
  private final int fileCount;
  private final long fileBytes;

  /** Oldest first; the last one may still be written. */
  private final List<Generation> linked = new ArrayList<>();

  /** Size of the last file at the last look. */
  private long newestBytes;

  /** Identities of archives that were read before, or given up since their order is unknown. */
  private Set<String> passedOver = Set.of();

  /** The archive slot of the last file, now or after its rotation; {@link #UNKNOWN} until seen. */
  private int slot;

  /**
   * @param directory for our links, on the same file system
   */
  UlFiles(Disk disk, Path directory, UlOutput output) {
    this.disk = disk;
    this.directory = directory;
    this.output = output;
    this.fileCount = output.rotation().fileCount();
    this.fileBytes = output.rotation().fileBytes();
    this.slot = output.isOurs() ? fileCount - 1 : UNKNOWN;
  }

  /** Takes up the links of a dead process. */
  void restore() throws IOException {
    slot = UNKNOWN;
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

  /** The gap before a link: a number is left out there. */
  private Gap missingBefore(LineFile name) {
    Generation last = newest();
    if (last == null && name.first() != LineFile.UNKNOWN) {
      return Gap.NONE;
    }
    long missing = name.number() - (last == null ? LineFile.FIRST : last.number + 1);
    return missing <= 0 ? Gap.NONE : Gap.atLeast((missing - 1) * fileBytes);
  }

  /** Links the files that are new since the last look. */
  void look() throws IOException {
    for (int step = 0; step < MAX_STEPS; step++) {
      Generation last = newest();
      FileInfo now = disk.stat(output.file());
      if (now != null && last != null && now.key().equals(last.key)) {
        newestBytes = now.sizeBytes();
        return;
      }
      if (!linkNew(last)) {
        return;
      }
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

  /** The first file with at least this number; null if there is none. */
  @Nullable Generation from(long number) {
    return linked.stream().filter(one -> one.number >= number).findFirst().orElse(null);
  }

  /** What the JVM has written up to the last look, as if all files had the same length. */
  long writtenBytes() {
    Generation last = newest();
    return last == null ? 0 : (last.number - LineFile.FIRST) * fileBytes + newestBytes;
  }

  /**
   * Deletes our links to files for which the JVM has no name any more.
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

  /** The name of an archive; the JVM gives all numbers the same length. */
  static Path archive(Path written, int count, int slot) {
    String number = String.valueOf(slot);
    int digits = String.valueOf(count - 1).length();
    return written.resolveSibling(
        written.getFileName() + "." + "0".repeat(digits - number.length()) + number);
  }

  /** The file that has each name now: of the archives, and last of the one being written. */
  private List<FileInfo> names() throws IOException {
    List<FileInfo> there = new ArrayList<>();
    for (int at = 0; at <= fileCount; at++) {
      FileInfo info = disk.stat(name(at));
      there.add(info == null ? NOTHING : info);
    }
    return there;
  }

  private Path name(int at) {
    return at < fileCount ? archive(output.file(), fileCount, at) : output.file();
  }

  /** Links new files in order. Returns whether another look can find more. */
  private boolean linkNew(@Nullable Generation last) throws IOException {
    List<FileInfo> there = names();
    List<String> keys = keys(there);
    if (!keys.equals(keys(names()))) {
      return true; // rotated meanwhile
    }
    if (last == null && !passOverRead(there)) {
      return false;
    }
    List<FileInfo> archives = newArchives(there);
    boolean areAll = fileCount > 0 && archives.size() == fileCount;
    long number = last == null ? LineFile.FIRST : last.number + 1;
    int at = last == null ? UNKNOWN : keys.indexOf(last.key);
    if (last != null && at >= 0) {
      slot = at;
      return at < fileCount && linkFrom(at + 1, there, number, Gap.NONE);
    }
    if (last == null && !areAll) { // what the process has written lies in a row
      return linkFrom(firstNew(there), there, number, Gap.NONE);
    }
    // HotSpot rotated through all. If the oldest is unknown, the file being written is next.
    int oldest = areAll ? oldest(archives) : UNKNOWN;
    int ahead = fileCount + 1;
    long bytes = archives.stream().mapToLong(FileInfo::sizeBytes).sum();
    if (oldest >= 0) {
      boolean isKnown = last != null && slot != UNKNOWN;
      ahead = isKnown ? Math.floorMod(oldest - slot - 1, fileCount) + 1 : 1;
      bytes = (ahead - 1) * fileBytes;
    }
    return linkFrom(oldest, there, number + ahead, Gap.atLeast(bytes)); // one for a line of ours
  }

  /**
   * Links the archives that are new, in their order, then the file being written.
   *
   * @param start the first archive; negative if they are passed over
   * @param there the files, under the names that they had
   */
  private boolean linkFrom(int start, List<FileInfo> there, long number, Gap before)
      throws IOException {
    List<Integer> order = new ArrayList<>();
    for (int i = 0;
        start >= 0 && i < fileCount && isNew(there.get((start + i) % fileCount), 1);
        i++) {
      order.add((start + i) % fileCount);
    }
    if (isNew(there.get(fileCount), 1)) {
      order.add(fileCount);
    }
    Set<String> passed =
        !before.exists() ? passedOver : start < 0 ? Set.copyOf(keys(newArchives(there))) : Set.of();
    for (int i = 0; i < order.size(); i++) {
      int at = order.get(i);
      if (!link(number + i, at, there.get(at), i == 0 ? before : Gap.NONE)) {
        return true; // renamed or deleted meanwhile
      }
      passedOver = passed;
      boolean isKnown = slot != UNKNOWN && (start >= 0 || !before.exists());
      slot = at < fileCount ? at : isKnown ? (slot + 1) % fileCount : UNKNOWN;
    }
    return !order.isEmpty();
  }

  /** Archives that are older than the file to begin with have been read. */
  private boolean passOverRead(List<FileInfo> there) {
    int begin = keys(there).indexOf(output.begin().key());
    if (begin < 0) {
      return true;
    }
    FileInfo first = there.get(begin);
    passedOver = Set.of(); // of a look before, after which the JVM has rotated
    List<FileInfo> archives = newArchives(there);
    passedOver = Set.copyOf(keys(archives.stream().filter(one -> isYounger(first, one)).toList()));
    return isNew(first, 1); // the spool before may not be shipped yet
  }

  private List<FileInfo> newArchives(List<FileInfo> there) {
    return there.subList(0, fileCount).stream().filter(info -> isNew(info, 1)).toList();
  }

  /** The first of a row of new archives; negative if none is new. */
  private int firstNew(List<FileInfo> there) {
    for (int i = 0; i < fileCount; i++) {
      if (isNew(there.get(i), 1) && !isNew(there.get((i + fileCount - 1) % fileCount), 1)) {
        return i;
      }
    }
    return UNKNOWN;
  }

  /** The archive after the youngest, of all there can be; negative if several could be that. */
  private static int oldest(List<FileInfo> archives) {
    int oldest = UNKNOWN;
    int falls = 0;
    for (int i = 0; i < archives.size(); i++) {
      int next = (i + 1) % archives.size();
      if (!isYounger(archives.get(next), archives.get(i))) {
        falls++;
        oldest = next;
      }
    }
    return falls == 1 ? oldest : UNKNOWN;
  }

  /** The clock of files has a coarse resolution; tmpfs gives inodes in increasing order. */
  private static boolean isYounger(FileInfo one, FileInfo other) {
    return one.modifiedMs() == other.modifiedMs()
        ? Long.compareUnsigned(inode(one), inode(other)) > 0
        : one.modifiedMs() > other.modifiedMs();
  }

  private static long inode(FileInfo info) {
    try {
      return Long.parseUnsignedLong(info.inode());
    } catch (NumberFormatException e) { // a file system without
      return 0;
    }
  }

  private static List<String> keys(List<FileInfo> files) {
    return files.stream().map(FileInfo::key).toList();
  }

  /** Whether a file was not seen yet, and counts: it is after the last one. */
  private boolean isNew(FileInfo info, int names) {
    return !passedOver.contains(info.key())
        && linked.stream().noneMatch(generation -> generation.key.equals(info.key()))
        && output.lifetime().test(info)
        && Trust.isOwnFile(info, disk.userId(), names);
  }

  /** False if the name is that of another file meanwhile, or of none that the JVM has written. */
  private boolean link(long number, int at, FileInfo seen, Gap before) throws IOException {
    long from = seen.key().equals(output.begin().key()) ? output.begin().offset() : 0;
    LineFile name = new LineFile(number, from, LineFile.UNKNOWN, false);
    Path link = directory.resolve(name.name());
    try {
      disk.link(link, name(at));
      FileInfo info = disk.stat(link);
      if (info != null && info.key().equals(seen.key()) && isNew(info, 2)) { // another name
        add(new Generation(name, link, info.key(), before));
        return true;
      }
    } catch (NoSuchFileException e) {
      return false;
    } catch (FileAlreadyExistsException e) {
      // a link that could not be removed
    }
    disk.delete(link);
    return false;
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
