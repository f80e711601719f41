package dev.forebay.tiered.ship;

import dev.forebay.agent.NanoClock;
import dev.forebay.tiered.disk.Disk;
import dev.forebay.tiered.spool.SpoolDirectory;
import java.nio.file.Path;
import java.util.function.LongSupplier;

/**
 * Ships the spools of a log that nobody writes any more, as the next start of its process would:
 * with a docket and a shipper of its own. For the shipper's thread.
 */
public final class StrayRun {

  /** As many as an unreadable spool may have before it is set aside. */
  private static final int MAX_FAILURES = 6;

  /** Turns in which another process held the locks. */
  private static final int MAX_IDLE = 100;

  private final Docket docket;
  private final Shipper shipper;
  private final StrayAccount account;
  private int idle;

  /**
   * @param file a log of one file, which is kept and has neither header nor footer
   * @param account told of warnings, and of recovered records
   * @param wallClockMs for the age of quarantined segments
   */
  public StrayRun(
      Disk disk,
      SpoolDirectory directory,
      Destination file,
      ShipmentAccount account,
      NanoClock clock,
      LongSupplier wallClockMs) {
    this.account = new StrayAccount(file.name(), account);
    this.docket = new Docket(disk, Path.of(file.name()), this.account, wallClockMs);
    this.shipper = new Shipper(docket, file, FsyncPolicy.ALWAYS, this.account, clock);
    docket.addDirectory(directory);
  }

  /** Does some of the work. */
  public int doWork() {
    int work = shipper.doWork();
    idle = work == 0 ? idle + 1 : 0;
    return work;
  }

  /** Whether nothing is left, or what is left has to wait for another start. */
  public boolean isOver() {
    return docket.isEmpty() || account.failures() >= MAX_FAILURES || idle >= MAX_IDLE;
  }

  /** Closes the file and frees the spools; what is not shipped stays. */
  public void close() {
    account.tellFailure();
    shipper.onClose();
  }
}
