package dev.forebay.tiered.ship;

import dev.forebay.agent.NanoClock;
import dev.forebay.tiered.disk.Disk;
import dev.forebay.tiered.spool.SpoolDirectory;
import java.nio.file.Path;
import java.util.function.LongSupplier;

/**
 * Ships the spools of a log that no process writes any more, as the next start of its process
 * would: with its own queue and shipper. For the shipper's thread.
 */
public final class StrayRun {

  /** More failures than are allowed for an unreadable segment before it is skipped. */
  private static final int MAX_FAILURES = 6;

  /** Most consecutive turns in which another process holds the locks. */
  private static final int MAX_IDLE = 100;

  private final SpoolQueue queue;
  private final Shipper shipper;
  private final StrayListener listener;
  private int idle;

  /**
   * @param file a log of one file, never rolled, without header or footer
   * @param listener receives warnings and recovered records
   * @param wallClockMs for the age of quarantined segments
   */
  public StrayRun(
      Disk disk,
      SpoolDirectory directory,
      Destination file,
      ShippingListener listener,
      NanoClock clock,
      LongSupplier wallClockMs) {
    this.listener = new StrayListener(file.name(), listener);
    this.queue = new SpoolQueue(disk, Path.of(file.name()), this.listener, wallClockMs);
    this.shipper = new Shipper(queue, file, FsyncPolicy.ALWAYS, this.listener, clock);
    queue.addDirectory(directory);
  }

  /** Does some of the work. */
  public int doWork() {
    int work = shipper.doWork();
    idle = work == 0 ? idle + 1 : 0;
    return work;
  }

  /** Whether nothing is left, or the rest has to wait for another start. */
  public boolean isOver() {
    return queue.isEmpty() || listener.failures() >= MAX_FAILURES || idle >= MAX_IDLE;
  }

  /** Closes the file and frees the spools; unshipped records stay. */
  public void close() {
    listener.reportFailure();
    shipper.onClose();
  }
}
