package dev.forebay.tiered.inspect;

import dev.forebay.agent.NanoClock;
import dev.forebay.agent.Voice;
import dev.forebay.tiered.file.FileDestination;
import dev.forebay.tiered.file.LogSettings;
import dev.forebay.tiered.file.RollingLog;
import dev.forebay.tiered.flight.Flight;
import dev.forebay.tiered.flight.FlightDumper;
import dev.forebay.tiered.flight.FlightSettings;
import dev.forebay.tiered.jvm.JvmReading;
import dev.forebay.tiered.ship.ShippingListener;
import dev.forebay.tiered.ship.StrayRun;
import dev.forebay.tiered.spool.SpoolDirectory;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.time.InstantSource;
import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;

/**
 * Moves what dead processes left to a file of the user's, as the next start of their application
 * would to its log: their records, and beside it dumps of their flight recorders.
 */
public final class SpoolMove {

  private static final long PAUSE_NS = 10_000_000;

  private final LogSpools spools;
  private final Path to;
  private final Voice voice;

  /**
   * What became of the records that have left the spools.
   *
   * @param written to the file
   * @param found in the log or the file before
   */
  public record Moved(long written, long found) {}

  /**
   * Touches nothing yet.
   *
   * @param to an existing file is appended to; dumps have its directory and begin with its name
   */
  public SpoolMove(LogSpools spools, Path to, Voice voice) {
    this.spools = spools;
    this.to = to;
    this.voice = voice;
  }

  /** Dumps all loops there are, each with an INFO, and deletes it when its dump is complete. */
  public void dump() throws Exception {
    String former = spools.log();
    Flight.Host host =
        new Flight.Host() {
          @Override
          public SpoolDirectory directory() {
            return spools.directory();
          }

          @Override
          public @Nullable Path former() {
            return former.isEmpty() ? null : Path.of(former);
          }
        };
    FlightDumper dumper =
        new FlightDumper(
            new Flight(
                FlightSettings.OF_THE_DEAD,
                to,
                spools.directory().disk(),
                true,
                host,
                voice,
                NanoClock.SYSTEM,
                () -> 0),
            () -> 0);
    try {
      while (dumper.doWork() != 0) {
        // until nothing is left, or cannot be written
      }
    } finally {
      dumper.onClose();
    }
  }

  /**
   * Moves all records there are, with the shipper's own protocol: under the log's ship lock, forced
   * before they leave the spool. If it is killed, the same move with the same file continues at the
   * exact byte. Returns earlier while another process ships, or if the file cannot be written.
   */
  public Moved run() throws IOException {
    FileDestination file = destination();
    Account account = new Account();
    StrayRun run =
        new StrayRun(
            spools.directory(),
            file,
            JvmReading::rescue,
            account,
            NanoClock.SYSTEM,
            InstantSource.system()::millis);
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
      voice.warn("records stay in the spool: " + failure);
    }
    return new Moved(file.written(), Math.max(0, account.released - file.written()));
  }

  /** Lines that the former log holds are not written again. */
  private FileDestination destination() throws IOException {
    String former = spools.log();
    RollingLog log = file(to.toString());
    return new FileDestination(log, former.isEmpty() ? log : file(former), true, NanoClock.SYSTEM);
  }

  private RollingLog file(String path) {
    return new RollingLog(
        LogSettings.plain(spools.directory().disk(), path, null, ByteBuffer.allocate(0), voice));
  }

  private final class Account implements ShippingListener {
    long released;

    @Override
    public void recovered(long records) {
      released += records;
    }

    @Override
    public void warn(String text) {
      voice.warn(text);
    }
  }
}
