package dev.forebay.tiered.file;

import ch.qos.logback.core.Context;
import ch.qos.logback.core.rolling.RollingPolicy;
import ch.qos.logback.core.rolling.TriggeringPolicy;
import dev.forebay.agent.Once;
import dev.forebay.agent.Voice;
import dev.forebay.tiered.checkpoint.Checkpoint.Position;
import dev.forebay.tiered.disk.Disk;
import dev.forebay.tiered.disk.DiskFile;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.FileSystemException;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermission;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;

/**
 * The user's log: a single file, or one rolled by Logback's policies. All methods are for the
 * shipper's thread.
 *
 * <p>A roll has two halves: the footer is written and the policy, called only once since a second
 * call could overwrite its archive, moves the file away; then the file it names now is opened and
 * gets its header. If one of them throws, {@link #open} and {@link #begin} complete it, or {@link
 * #isRollDue} stays true. A file that the policy did not move gets a new section.
 *
 * <p>{@link #begin}, {@link #roll} and {@link #end} are called only when every byte appended so far
 * is accounted for in the checkpoint, so that what they write (headers, footers) can never be
 * mistaken for records after a crash. A method that throws leaves the log usable.
 */
public class RollingLog { // not final: tests watch it
  private enum Roll {
    /** The policies do not know the archives of an earlier appender yet. */
    NOT_STARTED,
    NONE,
    /** The policy wants to move the file. */
    DUE,
    /** The policy was asked to move the file; the file that it names now is not open yet. */
    FILE_DUE
  }

  /** How often, and how long each time, to wait for other processes to finish a line. */
  private static final int MOMENTS = 10;

  private static final long MOMENT_NS = 100_000;

  private final LogSettings settings;
  private final Once once;
  private final Roller roller;
  private final Archives archives;
  private final ArchiveKeeper keeper;
  private final Sections sections;

  // All fields below belong to the shipper's thread.
  private @Nullable ActiveFile active;

  /** The active file's name from the policy, stored because it changes once a roll is due. */
  private @Nullable String activeName;

  /** Identity and end of the file when it was closed, to recognise it. */
  private @Nullable Position closedAt;

  private Roll roll = Roll.NOT_STARTED;

  /** Creates a log that is not open; accesses no file. */
  public RollingLog(LogSettings settings) {
    this(settings, true);
  }

  /** Without a thread that packs archives, tests call {@link #archive}. */
  RollingLog(LogSettings settings, boolean hasThread) {
    this.settings = settings;
    this.once = new Once(settings.voice());
    RollingPolicy rolling = settings.rollingPolicy();
    this.roller = new Roller(rolling, settings.triggeringPolicy(), once);
    this.archives = new Archives(settings.disk(), rolling, once);
    this.keeper = new ArchiveKeeper(settings.disk(), archives, settings.voice(), once, hasThread);
    this.sections = new Sections(settings);
  }

  /** Whether a file has a name of an archive. */
  public static boolean isArchive(String file, String pattern, @Nullable Context context) {
    return Archives.matches(file, pattern, context);
  }

  /** The size in bytes at which a started policy wants a new file; negative if not known. */
  public static long limitOf(TriggeringPolicy<?> policy) {
    return Roller.limitOf(policy);
  }

  Voice voice() {
    return settings.voice();
  }

  String name() {
    try {
      return active == null ? nameToOpen() : active.path.toString();
    } catch (IOException e) {
      return "the log file";
    }
  }

  /** Sets permissions; if that fails, the log is written all the same. */
  private void permit(String name, Set<PosixFilePermission> wanted) throws IOException {
    Path file = LogPath.create(settings.disk(), name);
    String fault = "files have none there";
    try {
      if (settings.disk().setPermissions(file, wanted)) {
        return;
      }
    } catch (FileSystemException e) {
      fault = e.toString();
    }
    once.warn("rights", "%s does not get its <filePermissions>: %s".formatted(name, fault));
  }

  private String nameToOpen() throws IOException {
    return activeName == null ? roller.activeName(settings.file()) : activeName;
  }

  /** Opens the log, if it is not open, and writes nothing; the first time may empty it. */
  void open() throws IOException {
    if (active != null) {
      return;
    }
    try {
      if (roll == Roll.NOT_STARTED) {
        keeper.recover(name());
        roller.restart();
        roll = Roll.NONE;
      } else {
        roller.start();
      }
      keeper.clean(roller.takeCleanUp());
      String name = nameToOpen();
      if (settings.permissions() != null) {
        permit(name, settings.permissions());
      }
      active = new ActiveFile(settings.disk(), name, activeName == null && empties());
      activeName = name;
      recognise(active);
      roller.settle(); // now, since a policy may number files by those that are there
    } catch (IOException | RuntimeException e) {
      settings.watch().openingFailed(e);
      throw e;
    }
    settings.watch().opened();
  }

  /** Compares the opened file with the one closed before. */
  private void recognise(ActiveFile opened) {
    Position before = closedAt == null ? Position.NOWHERE : closedAt;
    boolean same =
        closedAt != null
            && before.fileKey().equals(opened.key)
            && before.offset() <= opened.position();
    boolean untouched = same && before.offset() == opened.position();
    sections.found(same, untouched);
    if (roll == Roll.FILE_DUE) {
      boolean isKnown = before.offset() > 0 || !opened.key.isEmpty(); // else any empty file is it
      roller.report(opened, same ? 0 : before.offset(), untouched && isKnown);
      roll = Roll.NONE;
    } else if (closedAt != null && !same && roll == Roll.NONE) {
      roller.restart(); // another process has moved the file, perhaps to an archive
    }
  }

  /** Whether the last {@link #open} emptied the log, so that missing bytes are intended. */
  boolean wasEmptied() {
    return openFile().wasEmptied;
  }

  /** Where the next byte will go. Only while open. */
  Position position() {
    ActiveFile file = openFile();
    return new Position(file.key, file.position());
  }

  /** Whether the name still leads to the open file, which ends where we wrote last. */
  boolean isUndisturbed() throws IOException {
    ActiveFile file = openFile();
    return file.length() == file.position();
  }

  /** Whether its first opening empties the file. */
  boolean empties() {
    return !settings.append() && settings.rollingPolicy() == null;
  }

  /**
   * If other processes have only appended to the open file, continues at its new end, where {@link
   * #begin} writes what is due then. A write that crosses a page may be partly visible, so this
   * method waits briefly for a torn line to be completed. False, and nothing is changed here, if
   * the file was moved, removed or truncated.
   */
  boolean followAppends() throws IOException {
    ActiveFile file = openFile();
    long length = file.length();
    for (int look = 0;
        look < MOMENTS
            && length > file.position()
            && sections.mayRepair()
            && !sections.isWhole(file, length);
        look++) {
      LockSupport.parkNanos(this, MOMENT_NS);
      length = file.length();
    }
    if (length < file.position()) {
      return false;
    }
    file.continueAt(length);
    sections.followed();
    return true;
  }

  /** Whether the open file was removed and so cannot be read; may be true if unknown. */
  boolean isRemoved() {
    ActiveFile file = openFile();
    if (!settings.disk().isRemoved(file.path)) {
      return false;
    }
    try (DiskFile moved = file.key.isEmpty() ? null : find(position(), Disk.Mode.READ)) {
      return moved == null;
    } catch (IOException e) {
      return true;
    }
  }

  /** Appends from the buffer's position on, and advances it; not all if space runs out. */
  int append(ByteBuffer bytes) throws IOException {
    int written = openFile().write(bytes);
    sections.worked();
    return written;
  }

  /** How long {@link #isRollDue} need not be asked while nothing is appended, nanoseconds. */
  long settledForNs(long nowMs) {
    return roll != Roll.NONE || roller.isAskedFor() ? 0 : roller.settledForNs(nowMs);
  }

  /** Whether the open file was empty, and nothing was written to it since. */
  boolean isUntouched() {
    return openFile().isUntouched();
  }

  void force() throws IOException {
    openFile().force();
  }

  /** Cuts the active file, or durably a former one if it is found, back to a position in it. */
  void truncate(Position to) throws IOException {
    ActiveFile file = openFile();
    if (!file.key.equals(to.fileKey())) {
      try (DiskFile moved = find(to, Disk.Mode.UPDATE)) {
        if (moved != null) {
          moved.truncate(to.offset());
          moved.force();
        }
      }
    } else if (file.position() > to.offset()) {
      try {
        file.truncate(to.offset());
      } catch (IOException e) {
        sections.mayEndTorn();
        throw e;
      }
    }
  }

  /** Opens the file a position names, whatever its name is now; null if there is none. */
  @Nullable DiskFile find(Position position, Disk.Mode mode) throws IOException {
    try {
      Path path = active == null ? LogPath.resolve(settings.disk(), name()) : active.path;
      return archives.open(position.fileKey(), path, mode);
    } catch (NoSuchFileException e) {
      return null;
    }
  }

  int countUnreadable() {
    return sections.countUnreadable();
  }

  /**
   * As {@link Sections#begin}. To be called after every open, once everything found in the log is
   * accounted for; harmless to repeat.
   */
  void begin() throws IOException {
    sections.begin(openFile());
  }

  /**
   * Whether a new file is wanted before the next record. To be called between two records; stays
   * true until the policy was asked to {@link #roll} and the next file is open.
   */
  boolean isRollDue() {
    if (roll == Roll.NONE && active != null && roller.isDue(active.name, active.position())) {
      roll = Roll.DUE;
    }
    return roll != Roll.NONE;
  }

  /** Instead of {@link #isRollDue} while the file has no record and none waits. */
  void rollIsNeedless() {
    roller.answer("the log has no records yet");
  }

  /**
   * Asks for a roll before the next record. Any thread; wake the shipper then. The answer is "" for
   * a roll that succeeded, otherwise why there was none.
   */
  public CompletableFuture<String> requestRoll() {
    return roller.ask();
  }

  /**
   * Bytes that may be appended before {@link #isRollDue} must be called again; the record that
   * crosses this limit still belongs to the current file. At least 1.
   */
  long bytesUntilRoll() {
    return roller.bytesUntilDue(openFile().position());
  }

  /**
   * If a roll is due, ends the file with its footer and opens the next one with its header. The old
   * one stays open until then, if it can be moved like this: the shipper distinguishes them by
   * identity.
   */
  void roll() throws IOException {
    if (roll != Roll.DUE) {
      return;
    }
    ActiveFile old = openFile();
    sections.end(old);
    roll = Roll.FILE_DUE;
    if (!settings.disk().movesOpenFiles()) {
      old.close();
    }
    activeName = keeper.roll(old, roller);
    closedAt = position();
    active = null;
    try {
      open();
    } finally {
      old.close();
    }
    begin();
  }

  void end() throws IOException {
    if (active != null) {
      sections.end(active);
    }
  }

  /** Closes the file without writing. Never throws: a failure has no consequences by then. */
  void close() {
    ActiveFile file = active;
    if (file != null) {
      closedAt = position();
      active = null;
      file.close();
    }
  }

  /** Closes it for the last time, and stops what was started. */
  void stop() {
    close();
    roller.stop();
    keeper.stop();
  }

  void archive() { // as the archivist's thread does, for tests without it
    keeper.archive();
  }

  private ActiveFile openFile() {
    if (active == null) {
      throw new IllegalStateException("the log is not open");
    }
    return active;
  }
}
