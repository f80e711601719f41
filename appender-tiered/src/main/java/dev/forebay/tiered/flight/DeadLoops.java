package dev.forebay.tiered.flight;

import dev.forebay.agent.Once;
import dev.forebay.tiered.spool.RecordSource;
import dev.forebay.tiered.spool.SpoolDirectory;
import dev.forebay.tiered.spool.SpoolNames;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import java.util.Queue;
import org.jspecify.annotations.Nullable;

/**
 * Finds the loops that dead processes have left of our log, and deletes each when it is dumped. One
 * without a note is only deleted: its process has ended in order or wants no dump. For the
 * shipper's thread.
 */
final class DeadLoops {

  /** How often to look for processes that have died. */
  private static final long LOOK_NS = 10_000_000_000L;

  /** How often to look until the log is known. */
  private static final long FIRST_LOOK_NS = 100_000_000L;

  /** How often to look for unfinished dumps that have no loop. */
  private static final long CLEAR_NS = Dumps.UNFINISHED_AGE_MS * 1_000_000;

  private final Flight flight;

  /** Where a dead process may have left a dump unfinished. */
  private final List<Dumps> places = new ArrayList<>();

  /** Locked by us, and neither dumped nor closed. */
  private final Queue<RecordSource> found = new ArrayDeque<>();

  private final Once once;
  private long nextLookNs;
  private long nextClearNs;

  DeadLoops(Flight flight, Dumps dumps) {
    this.flight = flight;
    this.once = new Once(flight.voice);
    this.nextLookNs = flight.clock.nanoTime();
    this.nextClearNs = nextLookNs;
    places.add(dumps);
    Path former = flight.host.former();
    if (former != null) {
      places.add(new Dumps(flight.disk, former));
    }
  }

  /** The next loop to be dumped; null if there is none. Looks for some if it is time. */
  @Nullable RecordSource next(long nowNs) {
    if (found.isEmpty() && nowNs - nextLookNs >= 0) {
      look(nowNs);
    }
    return found.poll();
  }

  private void look(long nowNs) {
    SpoolDirectory own = flight.host.directory();
    nextLookNs = nowNs + (own == null ? FIRST_LOOK_NS : LOOK_NS);
    if (own == null) {
      return;
    }
    try {
      for (RecordSource loop : own.orphans(SpoolNames.FLIGHT)) {
        deleteUnfinished(loop);
        if (flight.settings.dumpAtCrash() && loop.hasNote()) {
          found.add(loop);
        } else {
          delete(loop);
        }
      }
      for (String warning : own.takeWarnings()) {
        flight.voice.warn(warning);
      }
    } catch (IOException e) {
      warn(own.path(), e);
    }
    if (nowNs - nextClearNs >= 0) {
      nextClearNs = nowNs + CLEAR_NS;
      try {
        places.get(0).removeUnfinished(flight.wallClockMs.getAsLong());
      } catch (IOException e) {
        // The next look, a day later, tries again.
      }
    }
  }

  /** Deletes the dump that a process had begun when it died. */
  private void deleteUnfinished(RecordSource loop) {
    for (Dumps dumps : places) {
      try {
        flight.disk.delete(dumps.unfinished(loop.instanceId()));
      } catch (IOException e) {
        // Left: the loop's dump replaces it, or it is deleted when it is old.
      }
    }
  }

  /** A loop is dumped. */
  void dumped(RecordSource loop) {
    once.over("loops");
    delete(loop);
  }

  private void delete(RecordSource loop) {
    try {
      loop.discard();
    } catch (IOException e) {
      failed(loop, e);
    }
  }

  /** A loop could not be dumped or deleted: the next look finds it again. */
  void failed(RecordSource loop, Throwable cause) {
    warn(loop.path(), cause);
    loop.close();
  }

  /** Leaves loops that are not dumped to other processes. */
  void close() {
    found.forEach(RecordSource::close);
    found.clear();
  }

  private void warn(Path path, Throwable cause) {
    once.warn(
        "loops",
        "cannot dump what a dead process recorded in %s: %s; it stays there until the next try"
            .formatted(path, cause),
        cause);
  }

  long dueInNs(long nowNs) {
    return found.isEmpty() ? Math.max(0, nextLookNs - nowNs) : 0;
  }
}
