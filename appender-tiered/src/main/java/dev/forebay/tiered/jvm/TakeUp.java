package dev.forebay.tiered.jvm;

import dev.forebay.tiered.disk.Disk;
import dev.forebay.tiered.disk.FileInfo;
import dev.forebay.tiered.spool.JvmDirectory;
import dev.forebay.tiered.spool.Trust;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Finds the output that the command line has put on tmpfs, so that the log begins with the JVM's
 * first line. One that does not rotate is not meant: it would grow there without end.
 *
 * @param outputs of this JVM
 * @param directory for our links, so it must be on the same file system
 */
record TakeUp(List<VmLogOutput> outputs, Disk disk, Path directory, JvmVoice voice) {

  /** The one to be read; null if there is none, or nothing tells which. */
  @Nullable UlOutput find() throws IOException {
    List<VmLogOutput> fit =
        outputs.stream().filter(output -> isInMemory(output) && output.fileCount() > 0).toList();
    if (fit.size() > 1) {
      voice.warn(
          "the command line has %d outputs on tmpfs, %s: none is shipped; leave one, or write what this log is to have into <what>"
              .formatted(fit.size(), fit.stream().map(VmLogOutput::name).toList()),
          null);
      return null;
    }
    return !fit.isEmpty() && isKnown(fit.get(0)) && isNear(fit.get(0)) && isPrivate(fit.get(0))
        ? UlOutput.takenUp(fit.get(0))
        : null;
  }

  /** What stands for {@code %t}, and other variables of newer JVMs, the JVM does not tell. */
  private boolean isKnown(VmLogOutput output) {
    boolean isKnown = !String.valueOf(output.file().getFileName()).contains("%");
    if (!isKnown) {
      voice.warn(
          "the JVM's %s is not shipped: only the JVM knows what its variables stand for; use no other than %%p"
              .formatted(output.name()),
          null);
    }
    return isKnown;
  }

  private boolean isInMemory(VmLogOutput output) {
    return output.isFile()
        && !output.file().endsWith(JvmDirectory.LOG)
        && disk.isInMemory(parent(output.file()));
  }

  /** The file itself may just be rotated. */
  private static Path parent(Path file) {
    Path parent = file.toAbsolutePath().getParent();
    return parent == null ? file : parent;
  }

  private boolean isNear(VmLogOutput output) throws IOException {
    FileInfo theirs = disk.stat(parent(output.file()));
    FileInfo ours = disk.stat(directory);
    boolean isNear = theirs != null && ours != null && theirs.device().equals(ours.device());
    if (!isNear) {
      voice.warn(
          "the JVM's %s is not shipped: it is on another file system than <spoolDirectory> %s; write both on one tmpfs"
              .formatted(output.name(), directory.getParent()),
          null);
    }
    return isNear;
  }

  /** Elsewhere others may plant a pipe, or a file of theirs, under the name of an archive. */
  private boolean isPrivate(VmLogOutput output) throws IOException {
    Path place = parent(output.file());
    FileInfo directory = disk.stat(place);
    FileInfo file = disk.stat(output.file());
    String fault = null;
    if (directory == null || Trust.directoryFault(directory, disk.userId()) != null) {
      fault = place + (directory == null ? " was removed" : " " + Trust.rights(directory));
    } else if (file != null && !Trust.isOwnFile(file, disk.userId(), 1)) {
      fault =
          "it %s, %s and %d names".formatted(Trust.kindOf(file), Trust.rights(file), file.links());
    }
    if (fault != null) {
      voice.warn(
          "the JVM's %s is not shipped, since others may plant files there: %s; required: a file of one name in %s, such as: mkdir -m 700 /dev/shm/app; -Xlog:…:file=/dev/shm/app/gc.log. Until then this log has another output, with <what> or its default"
              .formatted(output.name(), fault, Trust.requiredDirectory(disk.userId())),
          null);
    }
    return fault == null;
  }
}
