package dev.forebay.tiered.jvm;

import dev.forebay.agent.Voice;
import dev.forebay.tiered.disk.Disk;
import dev.forebay.tiered.disk.DiskFile;
import dev.forebay.tiered.disk.FileInfo;
import dev.forebay.tiered.disk.Trust;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * An output of a JVM's log: one of ours, in our directory, or one of the command line.
 *
 * @param lifetime of that JVM
 * @param begin where to begin reading
 */
record UlOutput(
    Path file, Rotation rotation, String decorators, Lifetime lifetime, ReadMark begin) {

  private static final int MAX_TEXT_BYTES = 8192;

  /** The fields of a note: rotation, lifetime, where to begin, and the path, with its blanks. */
  private static final int FIELDS = 6;

  /** An output that the JVM is to open, or that a dead JVM had. */
  static UlOutput ours(LineSpool spool, Rotation rotation, String decorators) {
    Path file = spool.path().resolve(LineSpool.LOG);
    return new UlOutput(file, rotation, decorators, Lifetime.ALWAYS, ReadMark.NONE);
  }

  /**
   * The output that the command line has put on tmpfs, so that the log begins with the JVM's first
   * line. Excludes one that does not rotate: it would grow there without end.
   *
   * @param directory for our links, so it must be on the same file system
   * @param voice why one is not taken up; null to throw that
   * @return null if there is none or it is ambiguous
   */
  static @Nullable UlOutput find(
      List<VmLogOutput> outputs, Disk disk, Path directory, @Nullable Voice voice)
      throws IOException {
    List<VmLogOutput> fit = new ArrayList<>();
    for (VmLogOutput output : outputs) {
      if (output.isFile()
          && !output.file().endsWith(LineSpool.LOG)
          && output.rotation().fileCount() > 0
          && disk.isInMemory(output.directory())) {
        fit.add(output);
      }
    }
    if (fit.isEmpty()) {
      return null;
    }
    String fault =
        fit.size() > 1
            ? "the command line has %d outputs on tmpfs; leave one, or write what this log is to have into <what>"
                .formatted(fit.size())
            : fault(fit.get(0), disk, directory);
    if (fault == null) {
      return takenUp(fit.get(0));
    }
    String text =
        "the JVM's %s is not shipped, since %s"
            .formatted(String.join(", ", fit.stream().map(VmLogOutput::name).toList()), fault);
    if (voice == null) {
      throw new IllegalStateException(text);
    }
    voice.warn(text);
    return null;
  }

  /** An output that this JVM has; an earlier appender may have read a part of it. */
  static UlOutput takenUp(VmLogOutput output) {
    return new UlOutput(
        output.file(),
        output.rotation(),
        output.decorators(),
        Lifetime.ofThisJvm(),
        ReadMark.of(output.file()));
  }

  /** Why an output is not shipped; null if it is. */
  private static @Nullable String fault(VmLogOutput output, Disk disk, Path directory)
      throws IOException {
    if (output.rotation().fileBytes() > JvmSettings.MAX_FILE_BYTES) {
      return "its files are larger than 1 GB; write a smaller filesize";
    }
    if (String.valueOf(output.file().getFileName()).contains("%")) { // %t, or one of newer JVMs
      return "only the JVM knows what its variables stand for; use no other than %p";
    }
    FileInfo theirs = disk.stat(output.directory());
    FileInfo ours = disk.stat(directory);
    if (theirs == null || ours == null || !theirs.device().equals(ours.device())) {
      return "it is on another file system than <spoolDirectory> %s; write both on one tmpfs"
          .formatted(directory.getParent());
    }
    FileInfo file = disk.stat(output.file());
    if (file != null && !Trust.isOwnFile(file, disk.userId(), Integer.MAX_VALUE)) {
      return "it %s and %s".formatted(Trust.kindOf(file), Trust.rights(file));
    }
    return Trust.directoryFault(theirs, disk.userId()) == null
        ? null
        : "others may plant files there: %s %s; required: a file in %s, such as: mkdir -m 700 /dev/shm/app; -Xlog:…:file=/dev/shm/app/gc.log. Until then this log has another output, with <what> or its default"
            .formatted(
                output.directory(), Trust.rights(theirs), Trust.requiredDirectory(disk.userId()));
  }

  /**
   * The output whose lines a dead process has left. Without a note of its kind, only the linked
   * files are its own.
   *
   * @param isOfThisJvm whether this JVM writes to a file now
   */
  static UlOutput ofDead(LineSpool spool, Predicate<Path> isOfThisJvm, Voice voice)
      throws IOException {
    Path note = spool.path().resolve(LineSpool.OUTPUT);
    String[] fields = read(spool.disk(), note).split(" ", FIELDS);
    try {
      int at = 0;
      Rotation rotation =
          new Rotation(Integer.parseInt(fields[at++]), Long.parseLong(fields[at++]));
      long fromMs = Long.parseLong(fields[at++]);
      if (fromMs == Lifetime.ALWAYS.fromMs()) {
        return ours(spool, rotation, "");
      }
      long offset = Long.parseLong(fields[at++]);
      ReadMark begin = new ReadMark(fields[at++], offset);
      Path file = Path.of(fields[at]);
      Lifetime known =
          isOfThisJvm.test(file)
              ? new Lifetime(fromMs, Lifetime.ofThisJvm().fromMs())
              : Lifetime.NEVER;
      return new UlOutput(file, rotation, "", known, begin);
    } catch (IllegalArgumentException | ArrayIndexOutOfBoundsException e) {
      voice.warn(
          "The file %s is damaged: of the JVM's log there, only what was seen before the JVM's end is shipped"
              .formatted(note));
      return new UlOutput(note, Rotation.NONE, "", Lifetime.NEVER, ReadMark.NONE);
    }
  }

  private static String read(Disk disk, Path path) throws IOException {
    ByteBuffer bytes = ByteBuffer.allocate(MAX_TEXT_BYTES);
    try (DiskFile file = disk.open(path, Disk.Mode.READ)) {
      boolean unused = file.readFully(bytes, 0);
    }
    return StandardCharsets.UTF_8.decode(bytes.flip()).toString();
  }

  boolean isOurs() {
    return lifetime.equals(Lifetime.ALWAYS);
  }

  /** Notes the output before the JVM writes there, for a process that ships it later. */
  void noteIn(LineSpool spool) throws IOException {
    String text =
        String.format(
            Locale.ROOT,
            "%d %d %d %d %s %s",
            rotation.fileCount(),
            rotation.fileBytes(),
            lifetime.fromMs(),
            begin.offset(),
            begin.key(),
            file);
    Path unused = spool.write(LineSpool.OUTPUT, text.getBytes(StandardCharsets.UTF_8));
  }
}
