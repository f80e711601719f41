package dev.forebay.tiered.disk;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;

/** Finds the user that owns this process's files; the JDK has no call for it. */
final class UserId {
  private static final Path STATUS = Path.of("/proc/self/status");

  /** Fields of the line are: real, effective, saved and file system user id. */
  private static final int FILE_SYSTEM_ID_FIELD = 4;

  private UserId() {}

  /** The numeric id, or -1 on systems without user ids. */
  static int ofThisProcess() {
    try {
      return Files.isReadable(STATUS)
          ? fromStatus(List.of(SystemFile.read(STATUS).split("\n", -1)))
          : fromNewFile();
    } catch (IOException | UnsupportedOperationException | NumberFormatException e) {
      return -1;
    }
  }

  /** Not the owner of {@code /proc/self}, which is root if the process may not be dumped. */
  static int fromStatus(List<String> lines) {
    for (String line : lines) {
      if (line.startsWith("Uid:")) {
        return Integer.parseInt(line.split("\t", -1)[FILE_SYSTEM_ID_FIELD]);
      }
    }
    return -1;
  }

  static int fromNewFile() throws IOException {
    Path file = Files.createTempFile("forebay", null);
    try {
      return (Integer) Files.getAttribute(file, "unix:uid");
    } finally {
      Files.delete(file);
    }
  }
}
