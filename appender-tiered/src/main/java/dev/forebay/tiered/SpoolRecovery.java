package dev.forebay.tiered;

import dev.forebay.agent.NanoClock;
import dev.forebay.observe.Printable;
import dev.forebay.tiered.disk.CurrentDisk;
import dev.forebay.tiered.disk.Disk;
import dev.forebay.tiered.durable.LogSettings;
import dev.forebay.tiered.durable.RollingLog;
import dev.forebay.tiered.ship.ShippingListener;
import dev.forebay.tiered.ship.Stray;
import dev.forebay.tiered.ship.StrayRun;
import dev.forebay.tiered.spool.LogNote;
import dev.forebay.tiered.spool.SpoolDirectory;
import java.io.FileDescriptor;
import java.io.FileOutputStream;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.InstantSource;
import java.util.concurrent.locks.LockSupport;

/**
 * A program that appends the lines of killed processes to a log if no appender will do so any more:
 * after a change back to another appender, or if the log has moved.
 *
 * <p>Without arguments, or with a {@code spoolDirectory} other than {@code /dev/shm}, it lists the
 * records waiting in the spools of this user. With the directory of one of these spools, as listed
 * or as named by a WARN, and a file, it appends the records to the file. Each record is appended
 * once, even if the program is killed and restarted with the same file. Spools of live processes
 * are left untouched.
 */
public final class SpoolRecovery {

  private static final long PAUSE_NS = 10_000_000;

  private final Disk disk = CurrentDisk.get();
  private final InstantSource wallClock = InstantSource.system();
  private final PrintStream out;
  private long recovered;

  private SpoolRecovery(PrintStream out) {
    this.out = out;
  }

  /** Lists or ships; throws if the given directory does not exist. */
  public static void main(String[] args) throws IOException {
    PrintStream out =
        new PrintStream(new FileOutputStream(FileDescriptor.out), true, StandardCharsets.UTF_8);
    SpoolRecovery recovery = new SpoolRecovery(out);
    if (args.length > 1) {
      recovery.ship(Path.of(args[0]).toAbsolutePath().normalize(), args[1]);
    } else {
      recovery.list(Path.of(args.length == 0 ? TieredOptions.DEFAULT_SPOOL_DIRECTORY : args[0]));
    }
  }

  private void list(Path base) throws IOException {
    for (SpoolDirectory directory : SpoolDirectory.all(disk, base)) {
      Stray stray = new Stray(directory, false);
      LogNote note = stray.note();
      long records = stray.unshipped(wallClock.millis());
      if (records > 0) {
        String log = note == null ? "a log of unknown name" : note.path();
        out.println(Printable.text(records + " records in " + stray.path() + " for " + log));
      }
    }
  }

  private void ship(Path spools, String file) throws IOException {
    StrayRun run =
        new StrayRun(disk, find(spools), log(file), account(), NanoClock.SYSTEM, wallClock::millis);
    try {
      while (!run.isOver()) {
        if (run.doWork() == 0) {
          LockSupport.parkNanos(PAUSE_NS);
        }
      }
    } finally {
      run.close();
    }
    out.println(recovered + " records appended to " + Printable.text(file));
  }

  private SpoolDirectory find(Path spools) throws IOException {
    Path user = spools.getParent();
    Path base = user == null ? null : user.getParent();
    if (base != null) {
      for (SpoolDirectory directory : SpoolDirectory.all(disk, base)) {
        if (directory.path().equals(spools)) {
          return directory;
        }
      }
    }
    throw new IOException("no directory with spools of this user: " + spools);
  }

  private RollingLog log(String file) {
    return new RollingLog(LogSettings.plain(disk, file, this::print));
  }

  private void print(String warning) {
    out.println(Printable.text(warning));
  }

  private ShippingListener account() {
    return new ShippingListener() {
      @Override
      public void recovered(long records) {
        recovered += records;
      }

      @Override
      public void warn(String text) {
        print(text);
      }

      @Override
      public void failed(Exception cause) {}

      @Override
      public void unreadable(Exception cause) {}

      @Override
      public void worked() {}
    };
  }
}
