package dev.forebay.tiered.jvm;

import dev.forebay.tiered.disk.Disk;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/** Outputs of the JVM's log that may stall the JVM, because they are on a disk. */
record OtherOutputs(List<VmLogOutput> outputs, Disk disk) {

  /** What to tell the user. */
  List<String> warnings() {
    List<String> warnings = new ArrayList<>();
    for (VmLogOutput output : outputs) {
      if (output.isFile() && !disk.isInMemory(existing(output.file()))) {
        warnings.add(
            output.isAsync()
                ? "-Xlog:async writes %s on a disk: while that hangs, the JVM drops lines and cannot exit; remove -Xlog:async and that -Xlog, and write its selection \"%s\" into <what>"
                    .formatted(output.file(), output.what())
                : "the JVM also writes %s on a disk: pauses wait while that hangs; remove that -Xlog, and write its selection \"%s\" into <what>"
                    .formatted(output.file(), output.what()));
      }
    }
    return warnings;
  }

  /** The file may just be rotated; then its directory tells. */
  private static Path existing(Path file) {
    Path parent = file.toAbsolutePath().getParent();
    return parent == null ? file : parent;
  }
}
