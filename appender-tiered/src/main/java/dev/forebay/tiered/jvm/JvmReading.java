package dev.forebay.tiered.jvm;

import dev.forebay.tiered.disk.Disk;
import dev.forebay.tiered.disk.DiskFile;
import dev.forebay.tiered.disk.FileInfo;
import dev.forebay.tiered.disk.Trust;
import dev.forebay.tiered.spool.SegmentFeed;
import dev.forebay.tiered.spool.SpoolDirectory;
import dev.forebay.tiered.spool.SpoolLease;
import java.io.Closeable;
import java.io.IOException;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import org.jspecify.annotations.Nullable;

/**
 * Looks what the JVM writes to one output, holds it by links, counts its lines and passes them to
 * the listener, while the shipper's thread reads the same files. For the flusher's thread, since
 * HotSpot deletes what is not linked in time, also while the log's disk hangs.
 */
public final class JvmReading implements Closeable {

  /** The most lines that one turn counts. */
  static final int MAX_LINES = 4096;

  final LineSpool spool;

  final UlOutput output;

  private final UlFiles files;
  private final LineCutter lines = new LineCutter();
  private final JvmAccount account;
  private final LineListener listener;

  /** The file being counted; null if none was begun. */
  private UlFiles.@Nullable Generation current;

  private @Nullable DiskFile file;

  /** Number of the first file to begin. */
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
   * Completes a spool that a dead JVM has left: links what it wrote after the last look, and counts
   * the lines. A kill at any point leaves what the next call can do again. For the holder of the
   * ship lock.
   *
   * @return its files; null if they cannot be shipped now
   */
  public static @Nullable SegmentFeed rescue(SpoolDirectory directory, SpoolLease lease) {
    try {
      if (LineFiles.endOf(directory.disk(), lease.path) < 0) {
        rescue(new LineSpool(directory, lease, Long.MAX_VALUE), directory);
      }
      return LineFiles.sealed(directory, lease.path);
    } catch (IOException e) {
      if (!(e instanceof NoSuchFileException) || lease.isIntact()) { // else its owner removed it
        directory.warnings.add(
            "Cannot take over the JVM's log in %s: %s; retrying".formatted(lease.path, e));
      }
      return null;
    }
  }

  private static void rescue(LineSpool dead, SpoolDirectory directory) throws IOException {
    Path note = dead.path().resolve(LineSpool.OUTPUT);
    FileInfo info = dead.disk().stat(note);
    String fault = info == null ? null : Trust.fileFault(dead.disk(), note, info);
    if (fault != null) {
      directory.warnings.add("Left untouched %s: %s %s".formatted(dead.path(), note, fault));
      return;
    }
    if (info == null) { // the JVM has not written there, or its owner has yet to lock it
      dead.discard();
      return;
    }
    UlOutput output = UlOutput.ofDead(dead, JvmReading::isOfThisJvm, directory.warnings::add);
    try (JvmReading reading = new JvmReading(dead, output, new JvmAccount(), LineListener.NONE)) {
      reading.countRest();
    }
    dead.seal();
  }

  private static boolean isOfThisJvm(Path output) {
    try {
      return new VmLog().writes(output);
    } catch (UnsupportedOperationException e) {
      return false;
    }
  }

  /** Counts from the last file whose first record is known. */
  private void countRest() throws IOException {
    files.restore();
    for (LineFile named : LineFiles.files(spool.disk(), spool.path())) {
      if (named.first() != LineFile.UNKNOWN) {
        UlFiles.Generation begun = named.isOurs() ? null : files.from(named.number());
        current = begun != null && begun.number == named.number() ? begun : null;
        first = named.number() + 1;
        spool.resume(named);
      }
    }
    end();
    UlFiles.Generation last = current;
    if (last != null && !isWhole) { // the JVM may have been killed in the middle of a line
      try {
        spool.end(last.bytes - last.name.from());
        spool.add(last.number + 1, new byte[] {'\n'}, Gap.NONE);
      } catch (IOException e) {
        // A full tmpfs has room again once these lines are shipped.
      }
    }
  }

  /** The next line that is not counted; for an output that stays when this ends. */
  ReadMark mark() {
    UlFiles.Generation counted = current;
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
      UlFiles.Generation from = current;
      if (from != null && file == null) {
        file = spool.disk().open(from.link, Disk.Mode.READ);
        lines.begin(file, from.name.from());
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

  private boolean beginNext(UlFiles.@Nullable Generation last) throws IOException {
    UlFiles.Generation next = files.from(last == null ? first : last.number + 1);
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

  /** What the JVM has written up to the last look, read or not. */
  long writtenBytes() {
    return files.writtenBytes();
  }

  /** Counts the rest, once no more is written to the files. */
  void end() throws IOException {
    files.end();
    while (count() > 0) {
      // until nothing is left
    }
  }

  @Override
  public void close() {
    DiskFile.closeQuietly(file); // it was only read
    file = null;
  }
}
