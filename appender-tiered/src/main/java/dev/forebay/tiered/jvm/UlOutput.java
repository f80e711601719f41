package dev.forebay.tiered.jvm;

import dev.forebay.tiered.disk.Disk;
import dev.forebay.tiered.disk.DiskFile;
import dev.forebay.tiered.spool.LineSpool;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.function.Consumer;
import java.util.function.Predicate;

/**
 * An output of a JVM's log: one of ours, in our directory, or one of the command line.
 *
 * @param file what the JVM writes
 * @param rotation how it rotates it
 * @param decorators what each line begins with, as in {@code -Xlog}
 * @param lifetime of that JVM
 * @param begin where to begin
 */
record UlOutput(
    Path file, Rotation rotation, String decorators, Lifetime lifetime, ReadMark begin) {

  private static final int MAX_TEXT_BYTES = 8192;

  /** The fields of a note: rotation, lifetime, where to begin, and the path, with its blanks. */
  private static final int FIELDS = 6;

  /** One that the JVM is to open. */
  static UlOutput ours(LineSpool spool, JvmSettings settings) {
    return ours(spool, settings.rotation(), settings.decorators());
  }

  private static UlOutput ours(LineSpool spool, Rotation rotation, String decorators) {
    Path file = spool.path().resolve(LineSpool.LOG);
    return new UlOutput(file, rotation, decorators, Lifetime.ALWAYS, ReadMark.NONE);
  }

  /** One that this JVM has; an appender before may have read a part of it. */
  static UlOutput takenUp(VmLogOutput output) {
    Path file = output.file().toAbsolutePath();
    return new UlOutput(
        file,
        output.rotation(),
        output.decorators(),
        Lifetime.ofThisJvm(),
        ReadMark.of(System.getProperties(), file));
  }

  /**
   * The one whose lines a dead process has left. Where nothing tells what it was, only the files
   * that are linked are its own.
   *
   * @param isOfThisJvm whether this JVM writes to a file now
   */
  static UlOutput ofDead(LineSpool spool, Predicate<Path> isOfThisJvm, Consumer<String> warnings)
      throws IOException {
    Path note = spool.path().resolve(LineSpool.OUTPUT);
    String[] fields = read(spool.disk(), note).split(" ", FIELDS);
    try {
      int at = 0;
      Rotation rotation =
          new Rotation(Integer.parseInt(fields[at++]), Long.parseLong(fields[at++]));
      Lifetime dead = new Lifetime(Long.parseLong(fields[at++]), Long.MAX_VALUE);
      if (dead.equals(Lifetime.ALWAYS)) {
        return ours(spool, rotation, "");
      }
      long offset = Long.parseLong(fields[at++]);
      ReadMark begin = new ReadMark(fields[at++], offset);
      Path file = Path.of(fields[at]);
      boolean isKnown = isOfThisJvm.test(file);
      Lifetime known = isKnown ? dead.endedBefore(Lifetime.ofThisJvm()) : Lifetime.NEVER;
      return new UlOutput(file, rotation, "", known, begin);
    } catch (IllegalArgumentException | ArrayIndexOutOfBoundsException e) {
      warnings.accept(
          "The file %s is damaged: of the JVM's log there, only what was seen before the JVM's end is shipped"
              .formatted(note));
      return new UlOutput(
          note.resolveSibling(LineSpool.LOG), Rotation.NONE, "", Lifetime.NEVER, ReadMark.NONE);
    }
  }

  private static String read(Disk disk, Path path) throws IOException {
    ByteBuffer bytes = ByteBuffer.allocate(MAX_TEXT_BYTES);
    try (DiskFile file = disk.open(path, Disk.Mode.READ)) {
      int count;
      do {
        count = file.read(bytes, bytes.position());
      } while (count > 0);
    }
    return StandardCharsets.UTF_8.decode(bytes.flip()).toString();
  }

  boolean isOurs() {
    return lifetime.equals(Lifetime.ALWAYS);
  }

  /** Notes what it is before the JVM writes there, for whoever finds the spool after our death. */
  void noteIn(LineSpool spool) throws IOException {
    String text =
        "%d %d %d %d %s %s"
            .formatted(
                rotation.fileCount(),
                rotation.fileBytes(),
                lifetime.fromMs(),
                begin.offset(),
                begin.key(),
                file);
    Path unused = spool.write(LineSpool.OUTPUT, text.getBytes(StandardCharsets.UTF_8));
  }
}
