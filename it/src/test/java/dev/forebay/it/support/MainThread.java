package dev.forebay.it.support;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;

/**
 * The first thread of another process. While a disk hangs, the kernel cannot end a process one of
 * whose threads waits for it; but its main thread is gone once its shutdown hooks have ended.
 */
public final class MainThread {

  private MainThread() {}

  /** Whether nothing of the process's own runs any more. */
  public static boolean isGone(long pid) throws IOException {
    try {
      String stat = Files.readString(Path.of("/proc/" + pid + "/stat"));
      return stat.charAt(stat.lastIndexOf(')') + 2) == 'Z';
    } catch (NoSuchFileException e) {
      return true;
    }
  }
}
