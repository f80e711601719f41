package dev.forebay.tiered.ship;

import dev.forebay.agent.NanoClock;
import dev.forebay.tiered.disk.Disk;
import dev.forebay.tiered.spool.InstanceId;
import dev.forebay.tiered.spool.SpoolDirectory;
import java.nio.file.Path;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/**
 * Ships the spools of a log that no process writes any more, as the next start of its process
 * would: with its own queue and shipper. For the shipper's thread.
 */
public final class StrayRun {

  /** More failures than are allowed for an unreadable segment before it is skipped. */
  private static final int MAX_FAILURES = 6;

  /** Most consecutive turns in which another process holds the locks. */
  private static final int MAX_IDLE = 100;

  private static final FsyncPolicy FSYNC = FsyncPolicy.every(1_000_000_000);

  private final SpoolQueue queue;
  private final Shipper shipper;
  private int idle;

  /** Failures since the last success, and the newest one. */
  private int failures;

  private @Nullable Exception failure;

  /**
   * @param file a log of one file, never rolled, without header or footer
   * @param listener receives warnings and recovered records
   * @param wallClockMs for the age of what was put aside
   */
  public StrayRun(
      Disk disk,
      SpoolDirectory directory,
      Destination file,
      ShippingListener listener,
      NanoClock clock,
      LongSupplier wallClockMs) {
    Listener both = new Listener(listener);
    this.queue = new SpoolQueue(disk, Path.of(file.name()), both, wallClockMs);
    this.shipper = new Shipper(queue, file, FSYNC, both, clock);
    queue.addDirectory(directory);
  }

  /** Does some of the work. */
  public int doWork() {
    int work = shipper.doWork();
    idle = work == 0 ? idle + 1 : 0;
    return work;
  }

  /** Whether nothing is left, or the rest has to wait for another run. */
  public boolean isOver() {
    return queue.isEmpty() || failures >= MAX_FAILURES || idle >= MAX_IDLE;
  }

  /** Why records stay in a spool; null if nothing failed. */
  public @Nullable Exception failure() {
    return failure;
  }

  /** Closes the file and frees the spools; unshipped records stay. */
  public void close() {
    shipper.onClose();
  }

  /** Passes on what the listener of our own log should know, and keeps failures from it. */
  private final class Listener implements ShippingListener {

    private final ShippingListener own;

    Listener(ShippingListener own) {
      this.own = own;
    }

    @Override
    public void recovered(long records) {
      own.recovered(records);
    }

    @Override
    public void orphanShipped(InstanceId spool, long upTo, long lost) {
      own.orphanShipped(spool, upTo, lost);
    }

    @Override
    public void warn(String text) {
      own.warn(text);
    }

    @Override
    public void failed(Exception cause) {
      failures++;
      failure = cause;
    }

    @Override
    public void unreadable(Exception cause) {
      failed(cause);
    }

    @Override
    public void worked() {
      failures = 0;
      failure = null;
    }
  }
}
