package dev.forebay.tiered.ship;

import dev.forebay.agent.NanoClock;
import dev.forebay.agent.Once;
import dev.forebay.tiered.disk.Disk;
import dev.forebay.tiered.identity.LogIdentity;
import dev.forebay.tiered.identity.LogNote;
import dev.forebay.tiered.spool.SpoolDirectory;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayDeque;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Handles strays while the shipper has nothing to copy: spools of other logs whose processes are
 * gone. A log whose name changes with each run, or whose {@code <file>} was changed, has no next
 * start that would ship them. Spools for our {@link Targets targets} are shipped, as long as it
 * takes; other spools are deleted after 7 days. For the shipper's thread.
 */
public final class StrayShipper {

  /** Which spools of other logs can be shipped, and where to. */
  public interface Targets {

    /** Our own log as located; called after the shipper's first turn. */
    Supplier<LogIdentity> own();

    /** Whether records for a log can be shipped from here. */
    boolean mayShip(LogNote log) throws IOException;

    Destination of(LogNote log) throws IOException;
  }

  /** Long enough for the other appenders of one configuration to start. */
  private static final long FIRST_LOOK_NS = 3_000_000_000L;

  private static final long LOOK_EVERY_NS = 60_000_000_000L;

  /** How often to inspect a directory that has to stay. */
  private static final long LOOK_AGAIN_NS = 3_600_000_000_000L;

  /** Strays get a turn after this time even if the shipper is never idle. */
  private static final long LONGEST_WAIT_NS = 1_000_000_000;

  /** How long this process does not look again at a place where another process ships. */
  private static final long SHIPPED_NS = 10_000_000_000L;

  /**
   * When one of this process last found that another process ships from a directory. Any thread:
   * else of a hundred appenders each would look at a hundred of a neighbour's.
   */
  private static final Map<Path, Long> ELSEWHERE = new ConcurrentHashMap<>();

  /** The same for a base with nothing but what appenders of this process ship. */
  private static final Map<Path, Long> NOTHING = new ConcurrentHashMap<>();

  private final Disk disk;
  private final List<Path> bases;
  private final Targets targets;
  private final SpoolQueue queue;

  /** The overflow directory while it has spools of other processes; otherwise null. */
  private volatile @Nullable Path overflow;

  private final NanoClock clock;

  /** Directories that have to stay, with the time of the next look. */
  private final Map<Path, Long> left = new HashMap<>();

  private final Once once;
  private final Queue<Stray> found = new ArrayDeque<>();

  private @Nullable StrayRun run;
  private final Interval look = new Interval();
  private long lastTurnNs;

  /** In the bases; shipped and reported as the orphans in the queue of our own log are. */
  public StrayShipper(
      Disk disk, List<Path> bases, Targets targets, SpoolQueue queue, NanoClock clock) {
    this.disk = disk;
    this.bases = bases;
    this.targets = targets;
    this.queue = queue;
    this.once = new Once(queue.listener);
    this.clock = clock;
    this.lastTurnNs = clock.nanoTime();
    look.done(lastTurnNs, FIRST_LOOK_NS);
  }

  /**
   * Also looks into the overflow directory; null while it has no spools of other processes, since a
   * look may wait for that disk. Any thread.
   */
  public void lookInto(@Nullable Path base) {
    overflow = base;
  }

  /** Does some of the work if there is nothing else to copy: a few batches, or one spool. */
  int doWork(boolean idle) {
    long nowNs = clock.nanoTime();
    boolean isOurTurn = idle || nowNs - lastTurnNs >= LONGEST_WAIT_NS;
    if (!isOurTurn || dueInNs(nowNs) > 0) {
      return 0;
    }
    lastTurnNs = nowNs;
    if (run != null) {
      int records = run.doWork();
      if (run.isOver()) {
        endRun();
      }
      return records;
    }
    if (!found.isEmpty()) {
      for (Stray next = found.peek(); next != null; next = found.peek()) {
        boolean isSkipped = isLeftOut(next.directory.path()); // by now
        if (isSkipped || !inspect(next, nowNs)) {
          found.remove();
          end(next);
        }
        if (!isSkipped) {
          return 1;
        }
      }
      return 1;
    }
    look.done(nowNs, LOOK_EVERY_NS);
    left.values().removeIf(againNs -> nowNs - againNs >= 0);
    bases.forEach(base -> look(base, false));
    Path beyond = overflow;
    if (beyond != null) {
      look(beyond, true);
    }
    return 0;
  }

  /** Until the next look for strays, nanoseconds; 0 while there is something to do. */
  long dueInNs(long nowNs) {
    return run == null && found.isEmpty() ? look.dueInNs(nowNs) : 0;
  }

  private void look(Path base, boolean isOverflow) {
    if (isRecent(NOTHING.get(base))) {
      return;
    }
    try {
      List<SpoolDirectory> all = SpoolDirectory.all(disk, base, this::isLeftOut);
      for (SpoolDirectory directory : all) {
        if (!directory.isOf(targets.own().get())) {
          found.add(new Stray(directory, queue.destination.survivesPowerCuts(), isOverflow));
        }
      }
      if (all.isEmpty() && left.isEmpty() && ELSEWHERE.isEmpty()) { // our own may be their stray
        NOTHING.put(base, clock.nanoTime());
      }
    } catch (IOException e) {
      // Retried with the next look; our own spool has its own messages.
    }
  }

  private boolean isLeftOut(Path directory) {
    return left.containsKey(directory)
        || ShipLease.isShipped(directory)
        || isRecent(ELSEWHERE.get(directory));
  }

  private boolean isRecent(@Nullable Long seenNs) {
    return seenNs != null && clock.nanoTime() - seenNs < SHIPPED_NS;
  }

  /** Inspects the next spool; false if that was the last one, or it is to be shipped. */
  private boolean inspect(Stray stray, long nowNs) {
    Path path = stray.directory.path();
    try {
      LogNote note = stray.note();
      boolean isOurs = note != null && targets.mayShip(note);
      long limitMs = isOurs ? Long.MAX_VALUE : SpoolDirectory.LIMIT_AGE_MS;
      boolean isMore = stray.inspect(queue.nowMs(), limitMs);
      if (stray.isShipped) {
        ELSEWHERE.put(path, nowNs);
      } else {
        ELSEWHERE.remove(path);
      }
      if (note != null && isOurs && stray.isLeft) {
        Destination to = targets.of(note);
        StrayRun begun =
            new StrayRun(stray.directory, to, queue.rescue, queue.listener, clock, queue::nowMs);
        run = begun;
        for (Stray other : found) { // what overflowed, in one order with this
          if (other.isOverflow && other != stray && other.isOfSameLog(stray)) {
            begun.add(other.directory);
          }
        }
        return false;
      }
      if (!isMore) {
        if (stray.fault != null) {
          once.warn(stray.fault, "Cannot inspect the spool of a dead process in " + stray.fault);
        }
        if (stray.isLeft || stray.fault != null) {
          left.put(path, nowNs + LOOK_AGAIN_NS);
        }
      }
      return isMore;
    } catch (IOException e) {
      return false; // retried with the next look
    }
  }

  private void end(Stray stray) {
    if (stray.deleted > 0) {
      LogNote note = stray.note;
      queue.listener.warn(
          "Deleted %d records that dead processes left more than 7 days ago in %s for the log %s"
              .formatted(
                  stray.deleted,
                  stray.directory.path(),
                  note == null ? "(name unknown)" : note.path()));
    }
    stray.close();
  }

  void close() {
    for (Stray one = found.poll(); one != null; one = found.poll()) {
      end(one);
    }
    endRun();
  }

  /** Closes the current run; unshipped records stay, for the next look. */
  private void endRun() {
    StrayRun current = run;
    if (current == null) {
      return;
    }
    run = null;
    Exception failure = current.failure();
    current.close();
    if (failure == null) {
      once.over(current.name);
    } else {
      once.warn(
          current.name,
          "Records of a dead process cannot be shipped to %s: %s; retrying every minute, until then it may end within a line"
              .formatted(current.name, failure));
    }
  }
}
