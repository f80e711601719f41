package dev.forebay.tiered.apart;

import dev.forebay.agent.NanoClock;
import dev.forebay.agent.TimeLimit;
import dev.forebay.agent.Voice;
import dev.forebay.tiered.disk.Disk;
import dev.forebay.tiered.spool.SpoolDirectory;
import dev.forebay.tiered.spool.SpoolHead;
import dev.forebay.tiered.spool.SpoolNames;
import dev.forebay.tiered.spool.UserDirectory;
import java.io.Closeable;
import java.io.IOException;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;

/**
 * Ships the spools of all logs below some directories that say in a description how, each log on a
 * thread of its own while it has something to do. Thread-safe.
 *
 * <p>New spools and new records are noticed by watching the directories; in addition, all of them
 * are looked at every ten seconds.
 */
public final class ShipService implements Closeable {

  private static final long LOOK_MS = 10_000;
  private static final int MOST_PAST = 1000;
  private static final long CLOSE_NS = 5_000_000_000L;

  final Disk disk;
  final NanoClock clock = NanoClock.SYSTEM;
  final InstantSource wall = InstantSource.system();
  final Voice voice;
  private final List<Path> bases;
  private final Watch watch;

  /** By directory; guarded by this. */
  private final Map<Path, DescribedLog> logs = new TreeMap<>();

  /** Counts of those without a spool now, the newest ones. Guarded by this. */
  private final Map<Path, ShippedLog> past =
      new LinkedHashMap<>() {
        @Override
        protected boolean removeEldestEntry(Map.Entry<Path, ShippedLog> eldest) {
          return size() > MOST_PAST;
        }
      };

  /** What was unable to be looked at, and why. Guarded by this. */
  private final Map<Path, String> unreadable = new TreeMap<>();

  private boolean isLooked;
  private boolean isClosed;

  /**
   * Accesses nothing yet.
   *
   * @param bases each a {@code <spoolDirectory>}
   * @param voice for messages, which name the log; any thread
   */
  public ShipService(Disk disk, List<Path> bases, Voice voice) {
    this.disk = disk;
    this.bases = List.copyOf(bases);
    this.voice = voice;
    this.watch = new Watch(() -> look(false), this::changed, voice, clock);
  }

  /** Begins to look and to ship, on threads of its own. */
  public void start() {
    watch.start(LOOK_MS);
  }

  /**
   * Looks for logs that are not known.
   *
   * @param isNews whether those that are known look for spools too
   */
  synchronized void look(boolean isNews) {
    if (isClosed) {
      return;
    }
    for (Path base : bases) {
      watch.add(base);
      try {
        Path own = UserDirectory.existing(disk, base);
        if (own != null) {
          watch.add(own); // before its content is listed
        }
        for (SpoolDirectory directory : SpoolDirectory.all(disk, base, path -> false)) {
          look(directory, isNews || !watch.isWatching());
        }
        unreadable.remove(base);
      } catch (NoSuchFileException e) {
        unreadable.remove(base); // an application has just removed what was empty
      } catch (IOException e) {
        if (unreadable.put(base, e.toString()) == null) {
          voice.warn("Cannot look for spools below %s: %s".formatted(base, e));
        }
      }
    }
    isLooked = true;
  }

  private void look(SpoolDirectory directory, boolean isNews) {
    Path path = directory.path();
    watch.add(path);
    DescribedLog known = logs.get(path);
    DescribedLog next = known == null ? new DescribedLog(this, directory) : known;
    boolean isUsed = next.look(watch, isNews);
    if (isUsed) {
      logs.put(path, next);
    } else {
      logs.remove(path);
    }
  }

  /** Entries of a directory that is watched have changed: unknown ones if there are no names. */
  synchronized void changed(Path directory, Set<String> names) {
    if (isClosed) {
      return;
    }
    DescribedLog of = logs.get(directory.resolveSibling(""));
    boolean hasHead = names.isEmpty() || names.contains(SpoolHead.NAME);
    if (of != null && SpoolNames.isSpool(directory)) {
      if (hasHead && of.isNew(directory)) { // it may have come after the look for it
        look(of.directory, true);
      } else if (hasHead) {
        of.wake();
      }
    } else if (SpoolNames.isSpool(directory) && !hasHead) {
      if (names.stream().anyMatch(SpoolNames::isSegment)) { // its owner ships itself
        watch.remove(directory);
      }
    } else if (bases.contains(directory)
        && !names.isEmpty()
        && names.stream().noneMatch(name -> name.startsWith("forebay-"))) {
      return; // what others have there
    } else if (!logs.containsKey(directory) || names.isEmpty()) {
      look(true);
    } else {
      lookIfNew(logs.get(directory), names);
    }
  }

  private void lookIfNew(DescribedLog log, Set<String> names) {
    Set<String> spools = new HashSet<>(names);
    spools.removeIf(
        name -> !name.startsWith(SpoolNames.SPOOL) && !name.startsWith(SpoolNames.LINES));
    if (log.isRungBy(spools)) {
      log.wake();
    } else if (!spools.isEmpty()) {
      look(true);
    }
  }

  /** A log has no spool any more, or is described in another way. */
  void ended(DescribedLog log) {
    Path path = log.directory.path();
    ShippedLog last = log.facts().ended();
    synchronized (this) {
      past.put(path, last.after(past.remove(path)));
      if (logs.get(path) == log) {
        logs.remove(path);
      }
    }
    look(true); // there may be a new spool by now
  }

  /** All logs that were found, by directory. Any thread. */
  public List<ShippedLog> logs() {
    Map<Path, DescribedLog> now;
    Map<Path, ShippedLog> all;
    synchronized (this) {
      now = new TreeMap<>(logs);
      all = new TreeMap<>(past);
    }
    now.forEach((path, log) -> all.put(path, log.facts().after(all.get(path))));
    return List.copyOf(all.values());
  }

  /** Whether all that was there at the start is among the {@link #logs}. */
  public synchronized boolean hasLooked() {
    return isLooked;
  }

  /**
   * Whether at the last look no living process had a spool and nothing was left that we can ship.
   */
  public synchronized boolean isDrained() {
    return isLooked && logs.values().stream().noneMatch(DescribedLog::isShippable);
  }

  /** As {@link #close(long)}, in 5 s. */
  @Override
  public void close() {
    close(CLOSE_NS);
  }

  /**
   * Ships what dead processes have left, commits what is copied and frees the locks; applications
   * continue to spool.
   *
   * @param timeoutNs when what is not shipped is left
   */
  public void close(long timeoutNs) {
    look(true); // what has come since the last time is shipped too
    List<DescribedLog> all;
    synchronized (this) {
      isClosed = true;
      all = new ArrayList<>(logs.values());
    }
    watch.close();
    all.forEach(DescribedLog::requestStop);
    TimeLimit limit = new TimeLimit(clock, timeoutNs);
    for (DescribedLog log : all) {
      log.join(limit);
    }
  }
}
