package dev.forebay.tiered.flight;

import dev.forebay.tiered.disk.Disk;
import dev.forebay.tiered.disk.FileInfo;
import dev.forebay.tiered.spool.RecordSource;
import dev.forebay.tiered.spool.SpoolDirectory;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Finds the loops of dead processes, and deletes each when it is dumped. For the shipper's thread.
 */
final class DeadLoops {

  /** How often to look for processes that have died, and how often if nothing else happens. */
  private static final long LOOK_NS = 10_000_000_000L;

  private static final long IDLE_LOOK_NS = 60_000_000_000L;

  /** How often to look until the log is known. */
  private static final long FIRST_LOOK_NS = 100_000_000L;

  private static final int ID_DIGITS = 8;

  /** A loop whose lock we hold. */
  record Found(RecordSource source, long timeMs, String reason) {}

  /** Dumps a loop. */
  interface Dumper {
    void dump(Found found) throws IOException;
  }

  private final Disk disk;
  private final Supplier<@Nullable SpoolDirectory> directory;
  private final boolean dumps;
  private final FlightVoice voice;
  private boolean hasLooked;
  private boolean isFound;
  private boolean warned;
  private long nextLookNs;

  /**
   * @param directory finds the directory of the log's spools; null while there is none
   * @param dumps whether they are dumped, and not only deleted
   */
  DeadLoops(
      Disk disk, Supplier<@Nullable SpoolDirectory> directory, boolean dumps, FlightVoice voice) {
    this.disk = disk;
    this.directory = directory;
    this.dumps = dumps;
    this.voice = voice;
  }

  /** Looks if it is time; returns whether there was one. */
  boolean look(long nowNs, Dumper dumper) {
    if (hasLooked && nowNs - nextLookNs < 0) {
      return false;
    }
    hasLooked = true;
    SpoolDirectory found = directory.get();
    nextLookNs = nowNs + (found == null ? FIRST_LOOK_NS : LOOK_NS);
    isFound = found != null;
    if (found == null) {
      return false;
    }
    try {
      List<RecordSource> dead = found.orphanLoops();
      dead.forEach(loop -> take(loop, dumper));
      found.takeWarnings().forEach(text -> voice.warn(text, null));
      return !dead.isEmpty();
    } catch (IOException e) {
      warn(found.path(), e);
      return false;
    }
  }

  private void take(RecordSource loop, Dumper dumper) {
    try {
      if (dumps) {
        String id = loop.instanceId().toString().substring(0, ID_DIGITS);
        dumper.dump(new Found(loop, lastWrittenMs(loop.path()), "crash-" + id));
        warned = false;
      }
      loop.discard();
    } catch (IOException | RuntimeException e) {
      warn(loop.path(), e);
    } finally {
      loop.close(); // if it is not deleted, the next look takes it again
    }
  }

  private void warn(Path path, Exception cause) {
    if (!warned) {
      warned = true;
      voice.warn(
          "cannot dump what a dead process recorded in %s: %s; retrying every %d s"
              .formatted(path, cause, LOOK_NS / 1_000_000_000),
          cause);
    }
  }

  /** The time of the newest segment: the same at each attempt, and so the name of the dump. */
  private long lastWrittenMs(Path path) throws IOException {
    long newest = 0;
    for (Path file : disk.list(path)) {
      FileInfo info = file.toString().endsWith(".seg") ? disk.stat(file) : null;
      newest = info == null ? newest : Math.max(newest, info.modifiedMs());
    }
    return newest;
  }

  long dueInNs(long nowNs) {
    return isFound ? Math.max(0, nextLookNs - LOOK_NS + IDLE_LOOK_NS - nowNs) : 0;
  }
}
