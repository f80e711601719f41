package dev.forebay.tiered.file;

import dev.forebay.tiered.disk.Disk;
import dev.forebay.tiered.spool.SpoolLock;
import java.io.IOException;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * Keeps other processes from shipping to a log if they share no spool directory with us: a locked
 * file next to the log. For the shipper's thread, because the log's disk may stall.
 */
final class LogLock {

  private final Disk disk;
  private final Path path;
  private final Consumer<String> warnings;
  private @Nullable SpoolLock held;
  private boolean warned;

  LogLock(Disk disk, Path log, Consumer<String> warnings) {
    this.disk = disk;
    this.path = log.resolveSibling("." + log.getFileName() + ".lock");
    this.warnings = warnings;
  }

  /** False while another process holds it; true also if the lock file cannot be created. */
  boolean take() {
    SpoolLock current = held;
    if (current != null && current.isIntact()) {
      return true;
    }
    close();
    try {
      held = SpoolLock.tryTake(disk, path);
      return held != null;
    } catch (NoSuchFileException e) {
      return true; // the directory is created with the log; then this is tried again
    } catch (IOException e) {
      if (!warned) {
        warned = true;
        warnings.accept(
            "Cannot lock %s: %s; another process without a spool directory could write to the log too"
                .formatted(path, e));
      }
      return true;
    }
  }

  /** Frees the lock and removes its file. */
  void close() {
    SpoolLock current = held;
    held = null;
    if (current != null) {
      try {
        if (current.isIntact()) {
          SpoolLock.delete(disk, path);
        }
      } catch (IOException e) {
        // The empty file stays; the next process to lock it removes it.
      }
      current.close();
    }
  }
}
