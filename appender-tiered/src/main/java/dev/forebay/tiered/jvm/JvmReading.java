package dev.forebay.tiered.jvm;

import dev.forebay.tiered.disk.Disk;
import dev.forebay.tiered.disk.DiskFile;
import dev.forebay.tiered.spool.LineCutter;
import dev.forebay.tiered.spool.LineFile;
import dev.forebay.tiered.spool.LineSpool;
import java.io.IOException;
import org.jspecify.annotations.Nullable;

/**
 * Looks what the JVM writes to one output, holds it by links, counts its lines and passes them to
 * the listener, while the shipper's thread reads the same files. For the flusher's thread, since
 * HotSpot deletes what is not linked in time, also while the log's disk hangs.
 */
final class JvmReading {

  /** Lines of a turn. */
  static final int MAX_LINES = 4096;

  private final LineSpool spool;
  private final UlOutput output;
  private final UlFiles files;
  private final LineCutter lines = new LineCutter();
  private final JvmAccount account;
  private final LineListener listener;

  /** The one being counted; null if none was begun. */
  private @Nullable Generation current;

  private @Nullable DiskFile file;

  /** Number of the first one to begin. */
  private long first;

  /** Whether the last line counted has its end. */
  private boolean isWhole = true;

  private JvmReading(LineSpool spool, UlOutput output, JvmAccount account, LineListener listener) {
    this.spool = spool;
    this.output = output;
    this.files = new UlFiles(spool.disk(), spool.path(), output);
    this.account = account;
    this.listener = listener;
  }

  /** Begins with the first line of what was opened. */
  static JvmReading begin(LineSpool spool, UlOutput output, JvmSettings settings)
      throws IOException {
    JvmReading reading = new JvmReading(spool, output, settings.account(), settings.listener());
    reading.files.look();
    reading.listener.begin(output.decorators());
    return reading;
  }

  /**
   * Counts what a dead JVM has left, from the last file on of which it is known with which record
   * it begins, and seals it. A kill at any point leaves what the next call can do again.
   */
  static void seal(LineSpool dead, UlOutput output) throws IOException {
    JvmReading reading = new JvmReading(dead, output, new JvmAccount(), LineListener.NONE);
    try {
      reading.files.restore();
      for (LineFile file : LineSpool.files(dead.disk(), dead.path())) {
        if (file.first() != LineFile.UNKNOWN) {
          Generation begun = file.isOurs() ? null : reading.files.from(file.number());
          reading.current = begun != null && begun.number == file.number() ? begun : null;
          reading.first = file.number() + 1;
          dead.resume(file);
        }
      }
      reading.end();
      reading.endLine();
      dead.seal();
    } finally {
      reading.close();
    }
  }

  LineSpool spool() {
    return spool;
  }

  /** What it reads. */
  UlOutput output() {
    return output;
  }

  /** The next line that is not counted; for an output that stays when this ends. */
  ReadMark mark() {
    Generation counted = current;
    if (counted == null) {
      return output.begin();
    }
    return new ReadMark(counted.key, file == null ? counted.name.from() : lines.offset());
  }

  /** Counts what there is, up to a limit; returns the number of lines. */
  int turn() throws IOException {
    files.look();
    int lines = count();
    spool.release();
    files.release(spool::needs);
    account.lose(spool.giveUp());
    return lines;
  }

  private int count() throws IOException {
    try {
      return countLines();
    } finally {
      account.offer(spool.unpublished());
      spool.publish();
    }
  }

  private int countLines() throws IOException {
    int counted = 0;
    while (counted < MAX_LINES) {
      Generation from = current;
      if (from != null && file == null) {
        open(from);
      }
      if (from == null || from.isComplete() && !lines.next(true)) {
        if (!beginNext(from)) {
          return counted;
        }
      } else if (lines.next(from.isComplete())) {
        spool.count();
        listener.line(lines.bytes(), lines.start(), lines.length());
        isWhole = lines.bytes()[lines.start() + lines.length() - 1] == '\n';
        lines.consume();
        counted++;
      } else {
        return counted;
      }
    }
    return counted;
  }

  private boolean beginNext(@Nullable Generation last) throws IOException {
    Generation next = files.from(last == null ? first : last.number + 1);
    if (next == null) {
      return false;
    }
    if (last != null) {
      spool.end(last.bytes - last.name.from());
    }
    next.link = spool.begin(next.name, next.before);
    current = next;
    account.lose(next.before.bytes());
    close();
    return true;
  }

  private void open(Generation begun) throws IOException {
    DiskFile opened = spool.disk().open(begun.link, Disk.Mode.READ);
    file = opened;
    lines.begin(opened, begun.name.from());
  }

  /** The JVM may have been killed in the middle of a line. */
  private void endLine() {
    try {
      if (!isWhole) {
        takeLast(new byte[] {'\n'});
      }
    } catch (IOException e) {
      // A full tmpfs has room again once these lines are shipped.
    }
  }

  /** What the JVM has written up to the last look, read or not. */
  long writtenBytes() {
    return files.writtenBytes();
  }

  /** No more is written to the files: counts what is left. */
  void end() throws IOException {
    files.end();
    while (count() > 0) {
      // until nothing is left
    }
  }

  /** Adds a line of ours, after the last one of files that are {@link #end ended}. */
  void takeLast(byte[] line) throws IOException {
    Generation last = current;
    if (last != null) {
      spool.end(last.bytes - last.name.from());
    }
    spool.add(last == null ? first : last.number + 1, line);
    account.offer(spool.unpublished());
    spool.publish();
  }

  void close() throws IOException {
    DiskFile open = file;
    file = null;
    if (open != null) {
      open.close();
    }
  }
}
