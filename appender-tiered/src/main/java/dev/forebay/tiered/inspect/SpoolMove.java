package dev.forebay.tiered.inspect;

import dev.forebay.agent.NanoClock;
import dev.forebay.tiered.disk.Disk;
import dev.forebay.tiered.file.FileDestination;
import dev.forebay.tiered.file.LogSettings;
import dev.forebay.tiered.file.RollingLog;
import dev.forebay.tiered.jvm.JvmRescue;
import dev.forebay.tiered.ship.ShippingListener;
import dev.forebay.tiered.ship.StrayRun;
import java.io.IOException;
import java.nio.file.Path;
import java.time.InstantSource;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Consumer;

/**
 * Moves the records of dead processes to a file, with the shipper's own protocol: under the log's
 * ship lock, forced before they leave the spool. If it is killed, the same move with the same file
 * continues at the exact byte.
 */
public final class SpoolMove {

  private static final long PAUSE_NS = 10_000_000;

  private final LogSpools spools;
  private final Path to;
  private final Consumer<String> warnings;
  private final InstantSource wallClock = InstantSource.system();

  /** Records that have left the spools, and those of them that were in the log already. */
  private long released;

  private long found;

  /**
   * Touches nothing yet.
   *
   * @param to an existing file is appended to
   * @param warnings receives what the user should know
   */
  public SpoolMove(LogSpools spools, Path to, Consumer<String> warnings) {
    this.spools = spools;
    this.to = to;
    this.warnings = warnings;
  }

  /**
   * Moves all there is; returns earlier while another process ships, or if the file cannot be
   * written.
   *
   * @return records written to the file
   */
  public long run() throws IOException {
    FileDestination file = destination(spools.disk());
    StrayRun run =
        new StrayRun(
            spools.directory(),
            file,
            JvmRescue::run,
            new Account(),
            NanoClock.SYSTEM,
            wallClock::millis);
    try {
      while (!run.isOver()) {
        if (run.doWork() == 0) {
          LockSupport.parkNanos(PAUSE_NS);
        }
      }
    } finally {
      run.close();
    }
    Exception failure = run.failure();
    if (failure != null) {
      warnings.accept("records stay in the spool: " + failure);
    }
    found = Math.max(0, released - file.written());
    return file.written();
  }

  /** How many records were in the log, or the file, before. */
  public long found() {
    return found;
  }

  /** Lines that the former log holds are not written again. */
  private FileDestination destination(Disk disk) throws IOException {
    String former = spools.log();
    RollingLog log = file(disk, to.toString());
    return new FileDestination(
        log, former.isEmpty() ? log : file(disk, former), to, true, NanoClock.SYSTEM);
  }

  private RollingLog file(Disk disk, String path) {
    return new RollingLog(LogSettings.plain(disk, path, warnings));
  }

  private final class Account implements ShippingListener {
    @Override
    public void recovered(long records) {
      released += records;
    }

    @Override
    public void warn(String text) {
      warnings.accept(text);
    }
  }
}
