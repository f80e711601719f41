package dev.forebay.tiered.durable;

import ch.qos.logback.core.rolling.RollingPolicy;
import ch.qos.logback.core.rolling.TriggeringPolicy;
import dev.forebay.tiered.disk.Disk;
import dev.forebay.tiered.disk.DiskFile;
import dev.forebay.tiered.ship.Destination;
import dev.forebay.tiered.ship.Position;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.concurrent.locks.LockSupport;
import java.util.function.IntUnaryOperator;
import org.jspecify.annotations.Nullable;

/**
 * The user's log file, one or rolled by Logback's policies. All methods are for the shipper's
 * thread.
 *
 * <p>A roll has two halves, and whatever throws in between, {@link #isRollDue} stays true until
 * both are done, by {@link #roll} or by {@link #open} and {@link #begin}:
 *
 * <ol>
 *   <li>The footer is written and the policy moves the file away, once: a second call of the policy
 *       could overwrite the archive it has just made.
 *   <li>The file that the policy names now is opened and gets its header. The header is owed until
 *       it is written whole.
 * </ol>
 *
 * <p>When the policy did not move the file, the log continues in it with a new section.
 *
 * <p>{@link #begin} is for after every {@link #open}, once all that was appended is accounted for:
 * it writes what {@link Sections} says is owed.
 */
public final class RollingLog implements Destination {
  private enum Roll {
    NONE,
    /** The policy said yes, and was not yet told to move the file. */
    DUE,
    /** The policy has moved what it could; the file it names now is not open yet. */
    FILE_OWED,
    /** That file is open; its header is not written. */
    HEADER_OWED
  }

  /** How often, and how long, others get a moment to finish the line that they are writing. */
  private static final int MOMENTS = 10;

  private static final long MOMENT_NS = 100_000;

  private final LogSettings settings;
  private final Roller roller;
  private final Archives archives;
  private final ArchiveKeeper keeper;
  private final Sections sections;
  private final FailureStreak rollFailures;

  // All fields below belong to the shipper's thread.
  private @Nullable ActiveFile active;

  /** As the policy spells it; policies answer differently as soon as a roll is due. */
  private @Nullable String activeName;

  /** Identity and end of the file when it was closed, to know it again. */
  private @Nullable Position closedAt;

  private Roll roll = Roll.NONE;

  /** Why the policy did not do its part of the roll that is under way, or not all of it. */
  private @Nullable String rollFailure;

  /** Whether the policies have seen all archives; not those of an appender that was here before. */
  private boolean policiesCurrent;

  private boolean kept;
  private boolean emptied;
  private boolean ended;

  /** A log that is not open yet and has touched nothing. */
  public RollingLog(LogSettings settings) {
    RollingPolicy rolling = settings.rollingPolicy();
    TriggeringPolicy<?> triggering = settings.triggeringPolicy();
    String file = settings.file();
    this.settings = settings;
    this.rollFailures = new FailureStreak(settings.warnings());
    if (rolling != null && triggering != null) {
      this.roller = new PolicyRoller(rolling, triggering, settings.warnings());
      this.kept = true;
    } else if (file != null) {
      this.roller = new NoRolling(file);
      this.kept = settings.append();
    } else {
      throw new IllegalArgumentException("neither a file nor a rolling policy that names one");
    }
    this.archives = new Archives(rolling, settings.warnings());
    this.keeper = new ArchiveKeeper(settings.disk(), archives, settings.warnings());
    this.sections = new Sections(settings, roller);
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

  /** Compares the file that was opened with the one that was closed before. */
  private void recognise(ActiveFile opened) {
    Position before = closedAt;
    long size = opened.position();
    boolean same =
        before != null && before.fileKey().equals(opened.key()) && before.offset() <= size;
    boolean untouched = same && before != null && before.offset() == size;
    sections.found(same, untouched);
    if (before != null && !same && roll == Roll.NONE) {
      roller.restart(); // somebody else has moved the file, perhaps into an archive
    }
    if (roll == Roll.FILE_OWED) {
      reportRoll(opened, untouched);
      roll = Roll.HEADER_OWED;
    } else if (!untouched) {
      roller.lengthIs(size);
    }
  }

  /** Whether the roll did what it should; told once a streak. */
  private void reportRoll(ActiveFile opened, boolean notMoved) {
    String cause = rollFailure == null ? "" : ": " + rollFailure;
    if (notMoved) {
      rollFailures.failed(
          "The log %s could not be rolled and keeps growing, it has %d bytes%s"
              .formatted(opened.path(), opened.position(), cause));
    } else if (rollFailure != null) {
      rollFailures.failed("Rolling the log " + opened.path() + " was not completed" + cause);
    } else {
      rollFailures.succeeded();
    }
    rollFailure = null;
  }

  @Override
  public boolean isOpen() {
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
    boolean undisturbed = openFile().isUndisturbed(settings.disk(), nameOfOpenFile());
    if (!undisturbed) {
      settings.watch().changedByOthers();
    }
    return undisturbed;
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
   * The length of the open file, -1 where its name leads elsewhere. A write that crosses a page can
   * be seen in part, so a torn line gets a moment: others may be finishing it.
   */
  private long lengthLeftByOthers(ActiveFile file) throws IOException {
    long length = file.lengthAt(settings.disk(), nameOfOpenFile());
    for (int look = 0;
        look < MOMENTS
            && length > file.position()
            && !file.endsWithLine(length)
            && sections.mends(file);
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
  public void force() throws IOException {
    openFile().force();
  }

  @Override
  public void truncate(long offset) throws IOException {
    ActiveFile file = openFile();
    long cutBytes = file.position() - offset;
    if (cutBytes > 0) {
      file.truncate(offset);
      roller.changedBy(-cutBytes);
    }
  }

  @Override
  public void truncateMoved(Position to) throws IOException {
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
    if (roll == Roll.HEADER_OWED) {
      roll = Roll.NONE;
    }
  }

  @Override
  public boolean isRollDue() {
    keeper.check();
    if (roll == Roll.NONE && active != null && roller.isDue(nameOfOpenFile())) {
      roll = Roll.DUE;
    }
    return roll != Roll.NONE;
  }

  @Override
  public long bytesUntilRoll() {
    return roller.bytesUntilDue(openFile().position());
  }

  @Override
  public int recordsUntilRoll(int count, IntUnaryOperator bytesOf) {
    int records = roller.recordsUntilDue(nameOfOpenFile(), count, bytesOf);
    roll = records < count ? Roll.DUE : roll;
    return records;
  }

  @Override
  public void roll() throws IOException {
    if (roll == Roll.NONE) {
      return;
    }
    open();
    if (roll == Roll.DUE) {
      sections.end(openFile());
      turnOver();
    }
    begin();
  }

  /**
   * Lets the policy move the file and opens the next one. The old file stays open until then, so
   * that its identity cannot pass to the new one, by which the shipper tells them apart.
   */
  private void turnOver() throws IOException {
    ActiveFile old = openFile();
    String obstacle = keeper.keep(old.path(), nameOfOpenFile());
    rollFailure = obstacle == null ? roller.rollover() : obstacle;
    roll = Roll.FILE_OWED;
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
    ended = true;
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
    if (ended) {
      ended = false;
      forgetRun();
      roller.stop();
      keeper.stop();
    }
  }

  /** The next open, if there is one, is a new start, with policies that start anew. */
  private void forgetRun() {
    activeName = null;
    closedAt = null;
    roll = Roll.NONE;
    sections.forget();
    policiesCurrent = false;
  }

  private ActiveFile openFile() {
    ActiveFile file = active;
    if (file == null) {
      throw new IllegalStateException("the log is not open");
    }
    return file;
  }

  private String nameOfOpenFile() {
    String name = activeName;
    if (name == null) {
      throw new IllegalStateException("the log is not open");
    }
    return name;
  }
}
