package dev.forebay.tiered.file;

import ch.qos.logback.core.rolling.RollingPolicy;
import dev.forebay.agent.AgentThread;
import dev.forebay.tiered.disk.Disk;
import dev.forebay.tiered.disk.DiskFile;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * The user's log: a single file, or one rolled by Logback's policies. All methods are for the
 * shipper's thread.
 *
 * <p>A roll has two halves. If one of them throws, {@link #open} and {@link #begin} complete it, or
 * {@link #isRollDue} stays true:
 *
 * <ol>
 *   <li>The footer is written and the policy moves the file away. The policy is called only once: a
 *       second call could overwrite the archive it has just created.
 *   <li>The file that the policy names now is opened and gets its header. The header stays due
 *       until it is completely written.
 * </ol>
 *
 * <p>If the policy did not move the file, the log continues in it with a new section.
 */
public final class RollingLog implements LogFile {
  private enum Roll {
    NONE,
    /** The policy wants a roll but has not been asked to move the file yet. */
    DUE,
    /** The policy was asked to move the file; the file it names now is not open yet. */
    FILE_DUE
  }

  /** How often, and how long each time, to wait for others to finish the line they are writing. */
  private static final int MOMENTS = 10;

  private static final long MOMENT_NS = 100_000;

  private final LogSettings settings;
  private final Roller roller;
  private final Archives archives;
  private final ArchiveKeeper keeper;
  private final Sections sections;
  private final RollReports rolls;

  // All fields below belong to the shipper's thread.
  private @Nullable ActiveFile active;

  /** The active file's name from the policy, stored because it changes once a roll is due. */
  private @Nullable String activeName;

  /** Identity and end of the file when it was closed, to recognise it. */
  private @Nullable Position closedAt;

  private Roll roll = Roll.NONE;

  /** Whether the policies know all archives, including those of an earlier appender. */
  private boolean policiesCurrent;

  private boolean kept;
  private boolean emptied;

  /** Creates a log that is not open; accesses no file. */
  public RollingLog(LogSettings settings) {
    this(settings, AgentThread::start);
  }

  RollingLog(LogSettings settings, Consumer<AgentThread> starter) {
    this.settings = settings;
    RollingPolicy rolling = settings.rollingPolicy();
    this.rolls = new RollReports(settings.warnings());
    this.roller = new Roller(rolling, settings.triggeringPolicy(), settings.warnings());
    this.kept = settings.append() || rolling != null;
    this.archives = new Archives(rolling, settings.warnings());
    this.keeper = new ArchiveKeeper(settings.disk(), archives, settings.warnings(), starter);
    this.sections = new Sections(settings, roller);
  }

  /** A lock beside a log on the same disk. */
  LogLock lock(Path identity) {
    return new LogLock(settings.disk(), identity, settings.warnings());
  }

  Consumer<String> warnings() {
    return settings.warnings();
  }

  @Override
  public String name() {
    ActiveFile file = active;
    if (file != null) {
      return file.path().toString();
    }
    try {
      return activeName == null ? roller.activeName(settings.file()) : activeName;
    } catch (IOException e) {
      return "the log file";
    }
  }

  @Override
  public void open() throws IOException {
    if (active == null) {
      try {
        openFileAtPath();
      } catch (IOException | RuntimeException e) {
        settings.watch().openingFailed(e);
        throw e;
      }
      settings.watch().opened();
    }
  }

  private void openFileAtPath() throws IOException {
    if (policiesCurrent) {
      roller.start();
    } else {
      keeper.recover(name());
      roller.restart();
      policiesCurrent = true;
    }
    String name = activeName == null ? roller.activeName(settings.file()) : activeName;
    emptied = !kept;
    ActiveFile opened = ActiveFile.open(settings.disk(), name, emptied);
    kept = true;
    activeName = name;
    active = opened;
    recognise(opened);
  }

  /** Compares the opened file with the one closed before. */
  private void recognise(ActiveFile opened) {
    Position before = closedAt;
    long size = opened.position();
    boolean same =
        before != null && before.fileKey().equals(opened.key()) && before.offset() <= size;
    boolean untouched = same && before != null && before.offset() == size;
    sections.found(same, untouched);
    if (before != null && !same && roll == Roll.NONE) {
      roller.restart(); // others have moved the file, perhaps to an archive
    }
    if (roll == Roll.FILE_DUE) {
      rolls.report(opened, untouched);
      roll = Roll.NONE;
    } else if (!untouched) {
      roller.lengthIs(size);
    }
  }

  boolean isOpen() {
    return active != null;
  }

  @Override
  public boolean wasEmptied() {
    return emptied;
  }

  @Override
  public Position position() {
    ActiveFile file = openFile();
    return new Position(file.key(), file.position());
  }

  @Override
  public boolean isUndisturbed() throws IOException {
    return openFile().isUndisturbed(settings.disk(), nameOfOpenFile());
  }

  @Override
  public boolean followAppends() throws IOException {
    ActiveFile file = openFile();
    long length = lengthLeftByOthers(file);
    if (length < file.position()) {
      return false;
    }
    file.continueAt(length);
    sections.followed();
    roller.lengthIs(length);
    return true;
  }

  /**
   * The length of the open file; -1 if its name leads elsewhere. A write that crosses a page may be
   * partly visible, so this method waits briefly for others to complete a torn line.
   */
  private long lengthLeftByOthers(ActiveFile file) throws IOException {
    long length = file.lengthAt(settings.disk(), nameOfOpenFile());
    for (int look = 0;
        look < MOMENTS
            && length > file.position()
            && !file.endsWithLine(length)
            && sections.repairs(file);
        look++) {
      LockSupport.parkNanos(this, MOMENT_NS);
      length = file.lengthAt(settings.disk(), nameOfOpenFile());
    }
    return length;
  }

  @Override
  public boolean isRemoved() {
    return settings.disk().isRemoved(openFile().path());
  }

  @Override
  public int append(ByteBuffer bytes) throws IOException {
    int written = openFile().write(bytes);
    roller.changedBy(written);
    return written;
  }

  @Override
  public long settledForNs(long nowMs) {
    return roll != Roll.NONE || rolls.isAskedFor() ? 0 : roller.settledForNs(nowMs);
  }

  @Override
  public void force() throws IOException {
    openFile().force();
  }

  @Override
  public void truncate(Position to) throws IOException {
    ActiveFile file = openFile();
    if (!file.key().equals(to.fileKey())) {
      truncateMoved(to);
    } else if (file.position() > to.offset()) {
      long cutBytes = file.position() - to.offset();
      try {
        file.truncate(to.offset());
      } catch (IOException e) {
        sections.mayEndTorn();
        throw e;
      }
      roller.changedBy(-cutBytes);
    }
  }

  private void truncateMoved(Position to) throws IOException {
    try (DiskFile file = find(to, Disk.Mode.UPDATE)) {
      if (file != null) {
        file.truncate(to.offset());
        file.force();
      }
    }
  }

  @Override
  public @Nullable DiskFile openForReading(Position position) throws IOException {
    return find(position, Disk.Mode.READ);
  }

  private @Nullable DiskFile find(Position position, Disk.Mode mode) throws IOException {
    ActiveFile file = active;
    try {
      Path path = file == null ? LogPath.resolve(settings.disk(), name()) : file.path();
      return new ArchiveSearch(settings.disk())
          .open(position.fileKey(), path, archives.pattern(), mode);
    } catch (NoSuchFileException e) {
      return null;
    }
  }

  @Override
  public void begin() throws IOException {
    sections.begin(openFile());
  }

  @Override
  public boolean isRollDue() {
    if (roll == Roll.NONE
        && active != null
        && (roller.isDue(nameOfOpenFile())
            || rolls.makeDueIfAsked(roller, nameOfOpenFile(), position().offset()))) {
      roll = Roll.DUE;
    }
    return roll != Roll.NONE;
  }

  @Override
  public void rollIsNeedless() {
    rolls.answer("the log has no records yet");
  }

  /**
   * Asks for a roll before the next record. Any thread; wake the shipper then. The answer is "" for
   * a roll that succeeded, otherwise why there was none.
   */
  public CompletableFuture<String> requestRoll() {
    return rolls.ask();
  }

  @Override
  public long bytesUntilRoll() {
    return roller.bytesUntilDue(openFile().position());
  }

  @Override
  public void roll() throws IOException {
    if (roll == Roll.NONE) {
      return;
    }
    open();
    if (roll == Roll.DUE) {
      sections.end(openFile());
      moveAndOpenNext();
    }
    begin();
  }

  /** The old file stays open until the next one is: the shipper tells them apart by identity. */
  private void moveAndOpenNext() throws IOException {
    ActiveFile old = openFile();
    String obstacle = keeper.keep(old.path(), nameOfOpenFile());
    rolls.policySaid(obstacle == null ? roller.rollover() : obstacle);
    roll = Roll.FILE_DUE;
    String next = roller.activeName(nameOfOpenFile());
    activeName = next;
    keeper.moved(next);
    closedAt = position();
    active = null;
    try {
      open();
    } finally {
      old.close();
    }
  }

  @Override
  public void end() throws IOException {
    if (active != null) {
      sections.end(openFile());
    }
  }

  @Override
  public void close() {
    ActiveFile file = active;
    if (file != null) {
      closedAt = position();
      active = null;
      file.close();
    }
  }

  @Override
  public void stop() {
    close();
    roller.stop();
    keeper.stop();
  }

  void archive() { // as the archivist's thread does, for tests without it
    keeper.archive();
  }

  private ActiveFile openFile() {
    return required(active);
  }

  private String nameOfOpenFile() {
    return required(activeName);
  }

  private static <T> T required(@Nullable T ofOpenLog) {
    if (ofOpenLog == null) {
      throw new IllegalStateException("the log is not open");
    }
    return ofOpenLog;
  }
}
