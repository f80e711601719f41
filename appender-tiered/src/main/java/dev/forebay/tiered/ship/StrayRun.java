package dev.forebay.tiered.ship;

import dev.forebay.agent.NanoClock;
import dev.forebay.tiered.spool.SegmentFeed;
import dev.forebay.tiered.spool.SpoolDirectory;
import dev.forebay.tiered.spool.SpoolLease;
import java.util.function.BiFunction;
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

  /** The destination's name. */
  final String name;

  private final SpoolQueue queue;
  private final Shipper shipper;
  private int idle;

  /** To a destination of that log alone; the listener receives warnings and recovered records. */
  public StrayRun(
      SpoolDirectory directory,
      Destination to,
      BiFunction<SpoolDirectory, SpoolLease, @Nullable SegmentFeed> rescue,
      ShippingListener listener,
      NanoClock clock,
      LongSupplier wallClockMs) {
    this.name = to.name();
    this.queue = new SpoolQueue(to, rescue, new RecoveredOnly(listener), wallClockMs);
    this.shipper = new Shipper(queue, FSYNC, clock);
    queue.addDirectory(directory);
  }

  /** Ships what overflowed of the same log too. */
  void add(SpoolDirectory directory) {
    queue.addOverflow(directory);
  }

  public int doWork() {
    int work = shipper.doWork();
    idle = work == 0 ? idle + 1 : 0;
    return work;
  }

  /** Whether nothing is left, or the rest has to wait for another run. */
  public boolean isOver() {
    return queue.isEmpty() || shipper.retry.failures >= MAX_FAILURES || idle >= MAX_IDLE;
  }

  /** Why records stay in a spool; null if nothing failed. */
  public @Nullable Exception failure() {
    return shipper.failure;
  }

  /** Closes the destination and frees the spools; unshipped records stay. */
  public void close() {
    shipper.onClose();
  }

  /** Keeps failures from the listener of our own log. */
  record RecoveredOnly(ShippingListener own) implements ShippingListener {

    @Override
    public void recovered(long records) {
      own.recovered(records);
    }

    @Override
    public void warn(String text) {
      own.warn(text);
    }
  }
}
