package dev.forebay.tiered.jvm;

import dev.forebay.tiered.disk.Disk;
import dev.forebay.tiered.disk.DiskFile;
import dev.forebay.tiered.disk.FileInfo;
import dev.forebay.tiered.spool.JvmDirectory;
import dev.forebay.tiered.spool.Trust;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.function.Consumer;

/**
 * An output of a JVM's log: one of ours, in our directory, or one of the command line.
 *
 * @param file what the JVM writes
 * @param rotation how it rotates it
 * @param decorators what each line begins with, as in {@code -Xlog}
 * @param lifetime of that JVM
 */
record UlOutput(Path file, Rotation rotation, String decorators, Lifetime lifetime) {

  private static final int MAX_TEXT_BYTES = 8192;

  /** One that the JVM is to open. */
  static UlOutput ours(JvmDirectory directory, JvmSettings settings) {
    return new UlOutput(
        directory.path().resolve(JvmDirectory.LOG),
        settings.rotation(),
        settings.decorators(),
        Lifetime.ALWAYS);
  }

  /** One that this JVM has. */
  static UlOutput takenUp(VmLogOutput output) {
    return new UlOutput(
        output.file().toAbsolutePath(),
        output.rotation(),
        output.decorators(),
        Lifetime.ofThisJvm());
  }

  /**
   * The one whose lines a dead process has left in its directory. Where nothing tells what it was,
   * only the files that are linked are its own.
   */
  static UlOutput ofDead(
      JvmDirectory directory, Rotation rotation, Outputs now, Consumer<String> warnings)
      throws IOException {
    Path note = directory.path().resolve(JvmDirectory.OUTPUT);
    FileInfo info = directory.disk().stat(note);
    if (info == null) {
      Path file = directory.path().resolve(JvmDirectory.LOG);
      return new UlOutput(file, rotation, "", Lifetime.ALWAYS);
    }
    try {
      String text =
          Trust.fileFault(info, directory.disk().userId()) == null
              ? read(directory.disk(), note)
              : "";
      int blank = Math.max(0, text.indexOf(' '));
      Path file = Path.of(text.substring(blank).trim());
      Lifetime dead = new Lifetime(Long.parseLong(text.substring(0, blank)), Long.MAX_VALUE);
      Lifetime known = now.include(file) ? dead.endedBefore(Lifetime.ofThisJvm()) : Lifetime.NEVER;
      return new UlOutput(file, rotation, "", known);
    } catch (IllegalArgumentException e) { // no number, or no path
      warnings.accept(
          "The file %s is damaged: of the JVM's log there, only what was seen before the JVM's end is shipped"
              .formatted(note));
      return new UlOutput(note.resolveSibling(JvmDirectory.LOG), rotation, "", Lifetime.NEVER);
    }
  }

  /** The outputs of this JVM. */
  @FunctionalInterface
  interface Outputs {
    boolean include(Path file);
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

  /** Notes where it is, for whoever finds the directory after our death. */
  void noteIn(JvmDirectory directory) throws IOException {
    if (isOurs()) {
      return;
    }
    byte[] text = (lifetime.fromMs() + " " + file).getBytes(StandardCharsets.UTF_8);
    ByteBuffer bytes = ByteBuffer.wrap(text);
    try (DiskFile note =
        directory
            .disk()
            .open(directory.path().resolve(JvmDirectory.OUTPUT), Disk.Mode.CREATE_PRIVATE)) {
      while (bytes.hasRemaining()) {
        note.write(bytes, bytes.position());
      }
    }
  }
}
