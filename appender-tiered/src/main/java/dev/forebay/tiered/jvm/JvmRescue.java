package dev.forebay.tiered.jvm;

import dev.forebay.tiered.disk.Disk;
import dev.forebay.tiered.disk.FileInfo;
import dev.forebay.tiered.spool.LineSpool;
import dev.forebay.tiered.spool.SpoolDirectory;
import dev.forebay.tiered.spool.Trust;
import java.io.IOException;
import java.nio.file.Path;

/**
 * Completes the spools that dead JVMs have left: links what they wrote after the last look, and
 * counts the lines. A kill at any point leaves what the next call can do again. For the holder of
 * the ship lock.
 */
public final class JvmRescue {

  private JvmRescue() {}

  /** Does so for all of them. */
  public static void run(SpoolDirectory directory) throws IOException {
    for (Path path : directory.lineSpools()) {
      LineSpool dead = directory.dead(path);
      if (dead != null) {
        seal(directory, dead);
      }
    }
  }

  private static void seal(SpoolDirectory directory, LineSpool dead) {
    try (dead) {
      if (!dead.isSealed()) {
        seal(dead, directory);
      }
    } catch (IOException e) {
      directory.warn(
          "Cannot take over the JVM's log in %s: %s; retrying".formatted(dead.path(), e));
    }
  }

  private static void seal(LineSpool dead, SpoolDirectory directory) throws IOException {
    Disk disk = dead.disk();
    Path note = dead.path().resolve(LineSpool.OUTPUT);
    FileInfo info = disk.stat(note);
    if (info != null) {
      String fault = Trust.fileFault(info, disk.userId());
      if (fault != null) {
        directory.warn("Left untouched %s: %s %s".formatted(dead.path(), note, fault));
        return;
      }
      UlOutput output = UlOutput.ofDead(dead, JvmRescue::isOfThisJvm, directory::warn);
      JvmReading.seal(dead, output);
    } else {
      dead.seal(); // it was killed before the JVM wrote there
    }
  }

  private static boolean isOfThisJvm(Path output) {
    try {
      return new VmLog().outputs().stream().anyMatch(now -> now.isFile(output));
    } catch (VmLogException e) {
      return false;
    }
  }
}
