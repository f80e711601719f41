package dev.forebay.tiered.ship;

import dev.forebay.agent.NanoClock;
import dev.forebay.tiered.disk.Disk;
import dev.forebay.tiered.spool.SpoolDirectory;
import java.nio.file.Path;
import java.util.function.LongSupplier;

/**
 * Ships the spools of a log that nobody writes any more, as the next start of its process would:
 * with a queue and a shipper of its own. For the shipper's thread.
 */
public final class StrayRun {

  /** More than an unreadable segment has before it is given up. */
  private static final int MAX_FAILURES = 6;

  /** Turns in which another process held the locks. */
  private static final int MAX_IDLE = 100;

  private final SpoolQueue queue;
  private final Shipper shipper;
  private final StrayListener listener;
  private int idle;

  /**
   * @param file a log of one file, which is kept and has neither header nor footer
   * @param listener told of warnings, and of recovered records
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

  /** Whether nothing is left, or what is left has to wait for another start. */
  public boolean isOver() {
    return queue.isEmpty() || listener.failures() >= MAX_FAILURES || idle >= MAX_IDLE;
  }

  /** Closes the file and frees the spools; what is not shipped stays. */
  public void close() {
    listener.tellFailure();
    shipper.onClose();
  }
}
