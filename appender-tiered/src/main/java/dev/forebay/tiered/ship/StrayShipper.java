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
 * What a shipper does when it has nothing else to do: it cares for spools of other logs whose
 * processes are gone. A log with a name of its own for each run, or a changed {@code <file>}, has
 * no next start. Those for a file in the directory of its own log it ships to that file; of the
 * rest it says where they are. For the shipper's thread.
 */
public final class StrayShipper {

  /** Later than other appenders of one configuration start. */
  private static final long FIRST_LOOK_NS = 3_000_000_000L;

  private static final long LOOK_EVERY_NS = 60_000_000_000L;

  /** Own work that never ends does not hold up strays for good. */
  private static final long LONGEST_WAIT_NS = 1_000_000_000;

  /** How many directories are looked into at a time, of those that are not known yet. */
  private static final int MAX_LOOKED_INTO = 100;

  /**
   * Where strays are looked for.
   *
   * @param base a directory for spools
   * @param tells whether it is told of those that have to stay there
   */
  public record Site(Path base, boolean tells) {}

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
   * @param own our log; asked after the shipper's first turn
   * @param beside a log of one file with this name in the directory of ours, which is kept and has
   *     neither header nor footer
   * @param notices of which strays the user was told
   * @param listener told of warnings, and of recovered records
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
      for (SpoolDirectory directory : SpoolDirectory.all(disk, site.base())) {
        if (found.size() < MAX_LOOKED_INTO
            && !directory.isOf(ours)
            && !left.contains(directory.path())) {
          found.add(new Stray(directory, site.tells()));
        }
      }
    } catch (IOException e) {
      // The next look may be luckier; our own spool has its own messages.
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
      } else if (stray.tells(wallClockMs.getAsLong())) {
        left.add(stray.path());
        tell(stray.path(), records, note, String.valueOf(obstacle));
      }
    } catch (IOException e) {
      left.add(stray.path());
    }
  }

  /** Why we do not ship to a log; null if we can. */
  private @Nullable String obstacle(LogNote note) throws IOException {
    LogIdentity ours = own.get();
    if (!note.directoryKey().equals(ours.directoryKey()) || !note.namesFile()) {
      return "";
    }
    Path directory = ours.path().getParent();
    FileInfo info = directory == null ? null : disk.stat(directory.resolve(note.fileName()));
    if (info == null || info.kind() == FileInfo.Kind.FILE && info.links() <= 1 && isOurs(info)) {
      return null;
    }
    return ", which is not a plain file of ours with one name";
  }

  private boolean isOurs(FileInfo info) {
    return info.ownerId() < 0 || disk.userId() < 0 || info.ownerId() == disk.userId();
  }

  private void tell(Path directory, long records, @Nullable LogNote note, String obstacle) {
    if (notices.isNews(directory)) {
      listener.warn(
          "%d records of a process that is gone wait in %s for the log %s%s: start an appender for that log to have them shipped"
              .formatted(
                  records, directory, note == null ? "of an unknown name" : note.path(), obstacle));
    }
  }

  /** Frees what it holds; what is not shipped stays. */
  void close() {
    StrayRun current = run;
    if (current != null) {
      current.close();
    }
  }
}
