package dev.forebay.tiered.jvm;

import dev.forebay.tiered.disk.Disk;
import dev.forebay.tiered.disk.FileInfo;
import dev.forebay.tiered.spool.InstanceId;
import dev.forebay.tiered.spool.JvmDirectory;
import dev.forebay.tiered.spool.SpoolDirectory;
import dev.forebay.tiered.spool.SpoolWriter;
import dev.forebay.tiered.spool.Trust;
import java.io.IOException;
import java.nio.file.Path;
import java.util.function.Predicate;

/**
 * Makes a spool of what a dead process has left in the JVM's files, before any spool of that
 * process is shipped. For the holder of the ship lock.
 *
 * <p>First the position is moved over the lines that are in the process's spool; from then on it
 * says that the rest is in none. Then the rest becomes a spool, in one step. A kill at any point
 * leaves what the next call can do again.
 */
public final class JvmRescue {

  private final SpoolDirectory directory;
  private final Ends ends;

  /** How far a spool goes. */
  @FunctionalInterface
  public interface Ends {
    /** Sequence after the last record that is, or was, in this spool; 0 if there is none. */
    long of(InstanceId spool) throws IOException;
  }

  /**
   * @param ends of spools in this directory, shipped ones too
   */
  public JvmRescue(SpoolDirectory directory, Ends ends) {
    this.directory = directory;
    this.ends = ends;
  }

  /**
   * Does so for all dead processes.
   *
   * @param isTaken whether a spool was taken over by the caller
   * @return whether there is a new spool
   * @throws IOException if lines could be written twice should a spool be shipped now
   */
  public boolean run(Predicate<InstanceId> isTaken) throws IOException {
    if (directory.jvmDirectories().isEmpty()) {
      return false;
    }
    boolean isAny = false;
    for (JvmDirectory dead : directory.orphanJvmDirectories()) {
      try (dead) {
        isAny |= rescue(dead);
      }
    }
    for (Path live : directory.jvmDirectories()) {
      JvmPosition position = PositionFile.peek(directory.disk(), live);
      if (position != null && isTaken.test(position.spool())) {
        throw new IOException("the process of " + live + " is just ending");
      }
    }
    return isAny;
  }

  private boolean rescue(JvmDirectory dead) throws IOException {
    Disk disk = dead.disk();
    Path path = dead.path().resolve(JvmDirectory.POSITION);
    FileInfo info = disk.stat(path);
    if (info == null) {
      dead.discard(); // killed before the JVM wrote there
      return false;
    }
    String fault = Trust.fileFault(info, disk.userId());
    if (fault != null) {
      directory.warn("Left untouched %s: %s %s".formatted(dead.path(), path, fault));
      return false;
    }
    try (PositionFile file = PositionFile.open(disk, path);
        UlReader reader = new UlReader(disk)) {
      JvmPosition position = file.load();
      if (position != null) {
        dead.followSpool(position.spool());
      }
      UlFiles files =
          new UlFiles(
              disk,
              dead.path(),
              UlOutput.ofDead(dead, file.rotation(), JvmRescue::isOfThisJvm, directory::warn));
      files.restore();
      if (position == null) {
        directory.warn(
            "The file %s is damaged: lines of the JVM's log may be duplicated".formatted(path));
        position = JvmPosition.outside(0, 0);
      }
      files.end();
      JvmPosition rest = settle(position, file, new Lines(files, reader, position));
      return toSpool(dead, new Lines(files, reader, rest), rest);
    }
  }

  private static boolean isOfThisJvm(Path output) {
    try {
      return new VmLog().outputs().stream().anyMatch(now -> now.isFile(output));
    } catch (VmLogException e) {
      return false;
    }
  }

  /** Moves the position over the lines that are in the spool. */
  private JvmPosition settle(JvmPosition position, PositionFile file, Lines lines)
      throws IOException {
    if (position.spool().equals(JvmPosition.NOWHERE)) {
      return position;
    }
    long inSpool = ends.of(position.spool()) - position.sequence();
    boolean isOwnMissing = inSpool < 0 && position.afterOwn();
    for (long line = 0; line < inSpool && lines.next(); line++) {
      lines.consume();
    }
    JvmPosition rest =
        new JvmPosition(
            JvmPosition.NOWHERE,
            0,
            lines.generation,
            lines.offset,
            false,
            isOwnMissing ? position.gap() : Gap.NONE);
    file.save(rest);
    return rest;
  }

  private boolean toSpool(JvmDirectory dead, Lines lines, JvmPosition rest) throws IOException {
    if (!rest.gap().exists() && !lines.next() && !lines.gap.exists()) {
      dead.discard();
      return false;
    }
    try {
      dead.becomeSpool(writer -> write(rest.gap(), lines, writer));
      return true;
    } catch (IOException e) {
      directory.warn(
          "Cannot take over the JVM's log in %s: %s; retrying".formatted(dead.path(), e));
      return false;
    }
  }

  private static void write(Gap first, Lines lines, SpoolWriter writer) throws IOException {
    Gap gap = first;
    boolean isWhole = true;
    while (lines.next() || lines.gap.exists()) {
      gap = gap.and(lines.takeGap());
      if (gap.exists()) {
        append(writer, gap.line(), 0, gap.line().length);
        gap = Gap.NONE;
      }
      if (lines.next()) {
        append(writer, lines.reader.bytes(), lines.reader.start(), lines.reader.length());
        isWhole = lines.reader.bytes()[lines.reader.start() + lines.reader.length() - 1] == '\n';
        lines.consume();
      }
    }
    if (gap.exists()) {
      append(writer, gap.line(), 0, gap.line().length);
    }
    if (!isWhole) {
      append(writer, new byte[] {'\n'}, 0, 1); // the JVM was killed in the middle of a line
    }
  }

  private static void append(SpoolWriter writer, byte[] bytes, int start, int length)
      throws IOException {
    int level = UlLevel.of(bytes, start, length);
    if (writer.append(bytes, start, length, level) != SpoolWriter.Outcome.ADDED) {
      writer.flush(); // throws the reason
      throw new IOException("no room");
    }
  }

  /** The lines of all files from a position on. */
  private static final class Lines {
    private final UlFiles files;
    private final UlReader reader;
    private long generation;
    private long offset;

    /** What is missing before the next one. */
    private Gap gap = Gap.NONE;

    Lines(UlFiles files, UlReader reader, JvmPosition from) throws IOException {
      this.files = files;
      this.reader = reader;
      this.generation = from.generation();
      this.offset = from.offset();
      reader.close();
    }

    /** Whether there is another one. */
    boolean next() throws IOException {
      for (Generation current = files.from(generation);
          current != null;
          current = files.from(generation)) {
        if (!reader.isIn(current)) {
          if (current.number > generation || offset == 0) {
            gap = gap.and(current.before);
          }
          reader.begin(current, current.number == generation ? offset : 0);
          generation = current.number;
        }
        if (reader.next()) {
          return true;
        }
        generation++;
        offset = 0;
      }
      return false;
    }

    Gap takeGap() {
      Gap taken = gap;
      gap = Gap.NONE;
      return taken;
    }

    void consume() {
      reader.consume();
      offset = reader.offset();
    }
  }
}
