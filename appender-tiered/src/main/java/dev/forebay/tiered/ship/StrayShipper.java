package dev.forebay.tiered.ship;

import dev.forebay.agent.NanoClock;
import dev.forebay.tiered.disk.Disk;
import dev.forebay.tiered.disk.FileInfo;
import dev.forebay.tiered.spool.LogIdentity;
import dev.forebay.tiered.spool.LogNote;
import dev.forebay.tiered.spool.SpoolDirectory;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayDeque;
import java.util.HashSet;
import java.util.List;
import java.util.Queue;
import java.util.Set;
import java.util.function.Function;
import java.util.function.LongSupplier;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Handles strays while the shipper is idle: spools of other logs whose processes are gone. A log
 * whose name changes with each run, or whose {@code <file>} was changed, has no next start that
 * would ship them. Strays for a file in the directory of our own log are shipped to that file;
 * others are reported with their location. For the shipper's thread.
 */
public final class StrayShipper {

  /** Long enough for the other appenders of one configuration to start. */
  private static final long FIRST_LOOK_NS = 3_000_000_000L;

  private static final long LOOK_EVERY_NS = 60_000_000_000L;

  /** Strays get a turn after this time even if the shipper is never idle. */
  private static final long LONGEST_WAIT_NS = 1_000_000_000;

  /** How many unknown directories are inspected at a time. */
  private static final int MAX_LOOKED_INTO = 100;

  /**
   * Where to look for strays.
   *
   * @param base a directory for spools
   * @param reports whether strays that have to stay there are reported
   */
  public record Site(Path base, boolean reports) {}

  private final Disk disk;
  private final List<Site> sites;
  private final Supplier<LogIdentity> own;
  private final Function<String, Destination> beside;
  private final StrayNotices notices;
  private final ShippingListener listener;
  private final NanoClock clock;
  private final LongSupplier wallClockMs;

  private final Set<Path> left = new HashSet<>();
  private final Queue<Stray> found = new ArrayDeque<>();
  private @Nullable StrayRun run;
  private final Interval look = new Interval();
  private long lastTurnNs;

  /**
   * @param sites where strays can be
   * @param own our log; called after the shipper's first turn
   * @param beside a log of one file with this name in the directory of ours, never rolled, without
   *     header or footer
   * @param notices which strays were reported to the user
   * @param listener receives warnings and recovered records
   * @param wallClockMs for the age of quarantined segments
   */
  public StrayShipper(
      Disk disk,
      List<Site> sites,
      Supplier<LogIdentity> own,
      Function<String, Destination> beside,
      StrayNotices notices,
      ShippingListener listener,
      NanoClock clock,
      LongSupplier wallClockMs) {
    this.disk = disk;
    this.sites = sites;
    this.own = own;
    this.beside = beside;
    this.notices = notices;
    this.listener = listener;
    this.clock = clock;
    this.wallClockMs = wallClockMs;
    this.lastTurnNs = clock.nanoTime();
    look.done(lastTurnNs, FIRST_LOOK_NS);
  }

  /**
   * Does some of the work.
   *
   * @param idle whether there is nothing else to do
   * @return how much was done
   */
  int doWork(boolean idle) {
    long nowNs = clock.nanoTime();
    boolean wanted = run != null || !found.isEmpty() || look.isDue(nowNs);
    if (wanted && (idle || nowNs - lastTurnNs >= LONGEST_WAIT_NS)) {
      lastTurnNs = nowNs;
      return turn(nowNs);
    }
    return 0;
  }

  /** Until the next look for strays, nanoseconds; 0 while there is something to do. */
  long dueInNs(long nowNs) {
    return run == null && found.isEmpty() ? look.dueInNs(nowNs) : 0;
  }

  private int turn(long nowNs) {
    StrayRun current = run;
    if (current != null) {
      int records = current.doWork();
      if (current.isOver()) {
        run = null;
        current.close();
      }
      return records;
    }
    Stray next = found.poll();
    if (next != null) {
      decide(next);
      return 1;
    }
    look.done(nowNs, LOOK_EVERY_NS);
    for (Site site : sites) {
      look(site);
    }
    return 0;
  }

  private void look(Site site) {
    try {
      LogIdentity ours = own.get();
      for (SpoolDirectory directory : SpoolDirectory.all(disk, site.base(), notices::isShipped)) {
        if (found.size() < MAX_LOOKED_INTO
            && !directory.isOf(ours)
            && !left.contains(directory.path())) {
          found.add(new Stray(directory, site.reports()));
        }
      }
    } catch (IOException e) {
      // Retried with the next look; our own spool has its own messages.
    }
  }

  private void decide(Stray stray) {
    try {
      long records = stray.unshipped(wallClockMs.getAsLong());
      if (records == 0) {
        return;
      }
      LogNote note = stray.note();
      String obstacle = note == null ? "" : obstacle(note);
      if (obstacle == null && note != null) {
        left.add(stray.path());
        Destination file = beside.apply(note.fileName());
        run = new StrayRun(disk, stray.directory(), file, listener, clock, wallClockMs);
      } else if (stray.reports(wallClockMs.getAsLong())) {
        left.add(stray.path());
        report(stray.path(), records, note, String.valueOf(obstacle));
      }
    } catch (IOException e) {
      left.add(stray.path());
    }
  }

  /** Why we do not ship to a log; empty for a log elsewhere, null if we can. */
  private @Nullable String obstacle(LogNote note) throws IOException {
    LogIdentity ours = own.get();
    if (!note.isBeside(ours)) {
      return "";
    }
    Path directory = ours.path().getParent();
    FileInfo info = directory == null ? null : disk.stat(directory.resolve(note.fileName()));
    if (info == null || info.kind() == FileInfo.Kind.FILE && info.links() <= 1 && isOurs(info)) {
      return null;
    }
    return ", which is not a regular file of ours with a single name";
  }

  private boolean isOurs(FileInfo info) {
    return info.ownerId() < 0 || disk.userId() < 0 || info.ownerId() == disk.userId();
  }

  private void report(Path directory, long records, @Nullable LogNote note, String obstacle) {
    if (notices.shouldReport(directory)) {
      listener.warn(
          "%d records of a dead process are waiting in %s for the log %s%s; start an appender for that log to ship them"
              .formatted(
                  records, directory, note == null ? "(name unknown)" : note.path(), obstacle));
    }
  }

  /** Closes the current run; unshipped records stay. */
  void close() {
    StrayRun current = run;
    if (current != null) {
      current.close();
    }
  }
}
