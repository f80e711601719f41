package dev.forebay.tiered.ship;

import dev.forebay.tiered.disk.Disk;
import dev.forebay.tiered.spool.SpoolLock;
import java.io.IOException;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import org.jspecify.annotations.Nullable;

/**
 * Keeps other processes from a log while no directory that they share holds its spools: a locked
 * file beside the log. For the shipper's thread, because that disk may stall.
 */
final class LogLock {

  private final Disk disk;
  private final Path path;
  private final ShippingListener listener;
  private @Nullable SpoolLock held;
  private boolean told;

  LogLock(Disk disk, Path log, ShippingListener listener) {
    this.disk = disk;
    this.path = log.resolveSibling("." + log.getFileName() + ".lock");
    this.listener = listener;
  }

  /** False while another process has it; true where no such lock can be made. */
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
      return true; // the directory is made with the log, and this is tried again
    } catch (IOException e) {
      if (!told) {
        told = true;
        listener.warn(
            "Cannot lock %s: %s; another process that has no spool directory either would write to the log too"
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
        // Empty files stay; whoever locks them next removes them.
      }
      current.close();
    }
  }
}
