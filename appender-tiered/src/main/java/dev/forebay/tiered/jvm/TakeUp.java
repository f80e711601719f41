package dev.forebay.tiered.jvm;

import dev.forebay.tiered.disk.Disk;
import dev.forebay.tiered.disk.FileInfo;
import dev.forebay.tiered.spool.LineSpool;
import dev.forebay.tiered.spool.Trust;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * Finds the output that the command line has put on tmpfs, so that the log begins with the JVM's
 * first line. One that does not rotate is not meant: it would grow there without end.
 *
 * @param outputs of this JVM
 * @param directory for our links, so it must be on the same file system
 * @param warnings why one is not taken up
 */
record TakeUp(List<VmLogOutput> outputs, Disk disk, Path directory, Consumer<String> warnings) {

  /** The one to be read; null if there is none, or nothing tells which. */
  @Nullable UlOutput find() throws IOException {
    List<VmLogOutput> fit =
        outputs.stream().filter(output -> isInMemory(output) && output.fileCount() > 0).toList();
    String fault = null;
    if (fit.size() > 1) {
      fault =
          "the command line has %d outputs on tmpfs, %s: none is shipped; leave one, or write what this log is to have into <what>"
              .formatted(fit.size(), fit.stream().map(VmLogOutput::name).toList());
    } else if (!fit.isEmpty()) {
      fault = fault(fit.get(0));
    }
    if (fault != null) {
      warnings.accept(fault);
    }
    return fault != null || fit.isEmpty() ? null : UlOutput.takenUp(fit.get(0));
  }

  private boolean isInMemory(VmLogOutput output) {
    return output.isFile()
        && !output.file().endsWith(LineSpool.LOG)
        && disk.isInMemory(parent(output.file()));
  }

  /** The file itself may just be rotated. */
  private static Path parent(Path file) {
    Path parent = file.toAbsolutePath().getParent();
    return parent == null ? file : parent;
  }

  /** Why an output is not shipped; null if it is. */
  private @Nullable String fault(VmLogOutput output) throws IOException {
    if (output.fileBytes() > JvmSettings.MAX_FILE_BYTES) {
      return "the JVM's %s is not shipped: its files are larger than 1 GB; write a smaller filesize"
          .formatted(output.name());
    }
    if (String.valueOf(output.file().getFileName()).contains("%")) { // %t, or one of newer JVMs
      return "the JVM's %s is not shipped: only the JVM knows what its variables stand for; use no other than %%p"
          .formatted(output.name());
    }
    Path place = parent(output.file());
    FileInfo theirs = disk.stat(place);
    FileInfo ours = disk.stat(directory);
    if (theirs == null || ours == null || !theirs.device().equals(ours.device())) {
      return "the JVM's %s is not shipped: it is on another file system than <spoolDirectory> %s; write both on one tmpfs"
          .formatted(output.name(), directory.getParent());
    }
    String planted = planted(place, theirs, disk.stat(output.file()));
    return planted == null
        ? null
        : "the JVM's %s is not shipped, since others may plant files there: %s; required: a file of one name in %s, such as: mkdir -m 700 /dev/shm/app; -Xlog:…:file=/dev/shm/app/gc.log. Until then this log has another output, with <what> or its default"
            .formatted(output.name(), planted, Trust.requiredDirectory(disk.userId()));
  }

  /** Where others may plant a pipe, or a file of theirs, under the name of an archive. */
  private @Nullable String planted(Path place, FileInfo directory, @Nullable FileInfo file) {
    if (Trust.directoryFault(directory, disk.userId()) != null) {
      return place + " " + Trust.rights(directory);
    }
    return file == null || Trust.isOwnFile(file, disk.userId(), 1)
        ? null
        : "it %s, %s and %d names".formatted(Trust.kindOf(file), Trust.rights(file), file.links());
  }
}
