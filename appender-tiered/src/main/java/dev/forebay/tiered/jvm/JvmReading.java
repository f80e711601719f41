package dev.forebay.tiered.jvm;

import dev.forebay.observe.Levels;
import dev.forebay.tiered.spool.InstanceId;
import dev.forebay.tiered.spool.JvmDirectory;
import java.io.IOException;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import org.slf4j.event.Level;

/**
 * Reads the JVM's files in one directory and passes their lines to the spool, each once. For the
 * flusher's thread.
 *
 * <p>The order keeps every line in one place at least: a line is in the spool's files, then the
 * position says so, then its file is released. A record of our own is announced in the position
 * before it is written.
 */
final class JvmReading {

  /** Lines of a turn. The position is saved after each turn. */
  static final int MAX_LINES = 4096;

  private static final int OWN_LEVEL = Levels.indexOf(Level.WARN);

  private final JvmDirectory directory;
  private final UlOutput output;
  private final ReadMark begin;
  private final UlFiles files;
  private final UlReader reader;
  private final PositionFile position;
  private final LineTarget target;
  private final JvmAccount account;
  private final LineListener listener;
  private final long memoryBytes;

  /** The generation being read; lower ones are read. */
  private long generation;

  /** What is missing before the next line, to be said there. */
  private Gap gap = Gap.NONE;

  /** Whether the position, as saved, announces a record that is not taken yet. */
  private boolean isAnnounced;

  /** Whether the next line was counted as offered. */
  private boolean isOffered;

  /** Whether something was taken since the position was saved. */
  private boolean isUnsaved;

  /** The spool of the position that was saved last. */
  private InstanceId spool;

  private boolean isBlocked;

  private JvmReading(
      JvmDirectory directory,
      UlOutput output,
      ReadMark begin,
      UlFiles files,
      PositionFile position,
      LineTarget target,
      JvmSettings settings,
      InstanceId spool) {
    this.directory = directory;
    this.output = output;
    this.begin = begin;
    this.position = position;
    this.files = files;
    this.reader = new UlReader(directory.disk());
    this.target = target;
    this.spool = spool;
    this.account = settings.account();
    this.listener = settings.listener();
    Rotation rotation = output.rotation();
    this.memoryBytes =
        Math.max(settings.memoryBytes(), rotation.fileCount() * rotation.fileBytes());
    listener.begin(output.decorators());
  }

  /**
   * Begins with a new directory, if the output is ours before the JVM writes there.
   *
   * @param from where an output of the command line was left
   */
  static JvmReading begin(
      JvmDirectory directory,
      UlOutput output,
      ReadMark from,
      JvmSettings settings,
      LineTarget target)
      throws IOException {
    output.noteIn(directory);
    InstanceId spool = Objects.requireNonNull(target.spool(), "a spool");
    UlFiles files = new UlFiles(directory.disk(), directory.path(), output);
    files.beginWith(from.key());
    files.look();
    PositionFile position =
        PositionFile.create(
            directory.disk(),
            directory.path().resolve(JvmDirectory.POSITION),
            output.rotation(),
            first(files.from(0), from, spool, target.nextSequence()));
    return new JvmReading(directory, output, from, files, position, target, settings, spool);
  }

  /** Begins with what the JVM writes already. */
  static JvmReading begin(JvmOpening opening, JvmSettings settings, LineTarget target)
      throws IOException {
    JvmDirectory directory = opening.directory();
    UlOutput output = opening.output();
    InstanceId spool = Objects.requireNonNull(target.spool(), "a spool");
    UlFiles files = new UlFiles(directory.disk(), directory.path(), output);
    files.look();
    Generation first = files.from(0);
    PositionFile position = opening.position();
    position.save(first(first, ReadMark.NONE, spool, target.nextSequence()));
    return new JvmReading(
        directory, output, ReadMark.NONE, files, position, target, settings, spool);
  }

  /** Where to begin; says what is missing before, if the file to begin with is gone. */
  private static JvmPosition first(
      @Nullable Generation first, ReadMark from, InstanceId spool, long sequence) {
    if (first == null || first.key.equals(from.key())) {
      return new JvmPosition(spool, sequence, 0, from.offset(), false, Gap.NONE);
    }
    Gap gap = first.before;
    return new JvmPosition(
        spool, sequence + (gap.exists() ? 1 : 0), first.number, 0, gap.exists(), gap);
  }

  /** Whether the directory is still there. */
  boolean isIntact() {
    return directory.isIntact();
  }

  /** What it reads. */
  UlOutput output() {
    return output;
  }

  /** The next line that is not passed on; for an output that stays when this ends. */
  ReadMark mark() {
    Generation current = files.from(generation);
    Generation last = files.newest();
    if (current == null) {
      return last == null ? begin : new ReadMark(last.key, last.bytes);
    }
    return new ReadMark(current.key, offsetIn(current));
  }

  /** Where its next line begins. */
  private long offsetIn(Generation unread) {
    return reader.isIn(unread) ? reader.offset() : firstOffset(unread);
  }

  private long firstOffset(Generation first) {
    return first.key.equals(begin.key()) ? begin.offset() : 0;
  }

  /** Reads what there is, up to a limit; returns the number of lines passed on. */
  int turn() throws IOException {
    files.look();
    isBlocked = false;
    followSpool();
    int lines = read();
    if (isUnsaved) {
      settle();
    }
    if (isBlocked) {
      giveUpOldest();
    }
    return lines;
  }

  /** What the JVM has written up to the last look, read or not. */
  long writtenBytes() {
    return files.writtenBytes();
  }

  /** Whether the last turn left lines for lack of room. */
  boolean isBlocked() {
    return isBlocked;
  }

  /** Links what the JVM has written, so that it is not lost meanwhile. */
  void look() throws IOException {
    files.look();
  }

  /** No more is written to the files. */
  void end() throws IOException {
    files.end();
  }

  /** A line is not counted in the position of another spool. */
  private void followSpool() throws IOException {
    InstanceId now = target.spool();
    if (now != null && !now.equals(spool) && target.flush()) {
      save(Gap.NONE, false);
    }
  }

  private int read() throws IOException {
    int lines = 0;
    while (lines < MAX_LINES && !isBlocked) {
      Generation current = files.from(generation);
      if (current == null) {
        return lines;
      }
      if (!reader.isIn(current)) {
        begin(current);
      }
      isBlocked = gap.exists() && !takeNotice();
      if (isBlocked) {
        return lines;
      }
      if (!reader.next()) {
        if (!current.isComplete() || current == files.newest()) {
          return lines;
        }
        generation = current.number + 1;
        isUnsaved = true;
      } else if (takeLine()) {
        lines++;
      } else {
        isBlocked = true;
      }
    }
    return lines;
  }

  private void begin(Generation current) throws IOException {
    reader.begin(current, firstOffset(current));
    generation = current.number;
    if (current.before.exists()) {
      gap = gap.and(current.before);
      isAnnounced = false;
      account.lose(current.before.bytes());
    }
  }

  private boolean takeLine() {
    byte[] bytes = reader.bytes();
    int start = reader.start();
    int length = reader.length();
    if (!isOffered) {
      isOffered = true;
      account.offer();
    }
    int level = UlLevel.of(bytes, start, length);
    if (!target.take(bytes, start, length, level)
        && !(target.isReady() && target.take(bytes, start, length, level))) {
      return false;
    }
    isOffered = false;
    isUnsaved = true;
    reader.consume();
    listener.line(bytes, start, length);
    return true;
  }

  private boolean takeNotice() throws IOException {
    if (!takeCounted(gap.line())) {
      return false;
    }
    gap = Gap.NONE;
    return true;
  }

  /**
   * Adds a line of our own after the last one of the JVM, of files that are {@link #end ended}.
   *
   * @return false if there is no room now, or lines of the JVM wait for it
   */
  boolean takeLast(byte[] line) throws IOException {
    return !isBlocked && !gap.exists() && isRead() && takeCounted(line);
  }

  private boolean isRead() throws IOException {
    Generation last = files.newest();
    return last == null || reader.isIn(last) && !reader.next();
  }

  /** A record of our own that is no event, and so not counted as one. */
  private boolean takeCounted(byte[] line) throws IOException {
    if (!isOffered) {
      isOffered = true;
      account.offer();
    }
    if (!takeOwn(line)) {
      return false;
    }
    isOffered = false;
    return true;
  }

  /**
   * Adds a record of our own.
   *
   * @return false if there is no room now
   */
  boolean takeOwn(byte[] line) throws IOException {
    if (!target.isReady() || target.spool() == null) {
      return false;
    }
    if (!isAnnounced) {
      if (!target.flush()) {
        return false;
      }
      save(gap, true);
    }
    if (!target.take(line, 0, line.length, OWN_LEVEL)) {
      return false;
    }
    isAnnounced = false;
    isUnsaved = true;
    return true;
  }

  /** Saves the position once everything before it is in the spool. */
  private boolean settle() throws IOException {
    if (!isAnnounced && target.flush() && target.spool() != null) {
      save(Gap.NONE, false);
      return true;
    }
    return false;
  }

  private void save(Gap missing, boolean isOwnNext) throws IOException {
    InstanceId now = Objects.requireNonNull(target.spool(), "a spool");
    long next = target.nextSequence() + (isOwnNext ? 1 : 0);
    Generation current = files.from(generation);
    long offset = current == null ? 0 : offsetIn(current);
    position.save(new JvmPosition(now, next, generation, offset, isOwnNext, missing));
    spool = now;
    isAnnounced = isOwnNext;
    isUnsaved = false;
    files.release(generation);
  }

  /** While the spool takes nothing, the oldest files go as soon as all exceed their memory. */
  private void giveUpOldest() throws IOException {
    Generation oldest = files.from(generation);
    while (oldest != null
        && oldest.isComplete()
        && oldest != files.newest()
        && files.bytesFrom(generation) > memoryBytes) {
      if (target.spool() == null || !target.flush()) {
        return;
      }
      long offset = offsetIn(oldest);
      if (!reader.isIn(oldest) && oldest.before.exists()) {
        gap = gap.and(oldest.before);
        account.lose(oldest.before.bytes());
      }
      gap = gap.and(Gap.of(oldest.bytes - offset));
      account.lose(oldest.bytes - offset);
      withdrawOffer();
      generation = oldest.number + 1;
      save(gap, true);
      oldest = files.from(generation);
    }
  }

  private void withdrawOffer() {
    if (isOffered) {
      isOffered = false;
      account.takeBack();
    }
  }

  /**
   * Deletes the directory if everything in it is in the spool, otherwise leaves it; that of an
   * output which stays is not needed in either case.
   */
  void close() throws IOException {
    boolean isDone = false;
    try {
      withdrawOffer();
      isDone = !output.isOurs() || !isBlocked && !gap.exists() && isRead() && target.flush();
      reader.close();
      position.close();
    } finally {
      if (isDone) {
        directory.discard();
      } else {
        directory.close();
      }
    }
  }
}
