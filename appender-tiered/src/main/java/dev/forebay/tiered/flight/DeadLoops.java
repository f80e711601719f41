package dev.forebay.tiered.flight;

import dev.forebay.tiered.disk.Disk;
import dev.forebay.tiered.disk.FileInfo;
import dev.forebay.tiered.spool.LogNote;
import dev.forebay.tiered.spool.RecordSource;
import dev.forebay.tiered.spool.SpoolDirectory;
import dev.forebay.tiered.spool.Voice;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayDeque;
import java.util.Queue;
import org.jspecify.annotations.Nullable;

/**
 * Finds the loops of dead processes, and deletes each when it is dumped: those of our log, and
 * those of logs beside ours that no process has open, since they may have no next start. A loop
 * without a note is only deleted: its process has ended in order or wants no dump. For the
 * shipper's thread.
 */
final class DeadLoops {

  /** How often to look for processes that have died. */
  private static final long LOOK_NS = 10_000_000_000L;

  /** How often to look until the log is known. */
  private static final long FIRST_LOOK_NS = 100_000_000L;

  /** Long enough for the other appenders of one configuration to start. */
  private static final long FIRST_STRAYS_NS = 3_000_000_000L;

  private static final int ID_DIGITS = 8;

  /**
   * A loop whose lock we hold.
   *
   * @param dumps where its dump belongs
   * @param log the path of its log, for messages
   */
  record Found(RecordSource source, Dumps dumps, String log, long timeMs, String reason) {}

  private final Disk disk;
  private final LoopPlaces places;
  private final Dumps ours;
  private final boolean dumps;
  private final Voice voice;

  /** Neither dumped nor closed. */
  private final Queue<Found> found = new ArrayDeque<>();

  private final long startNs;
  private boolean warned;
  private long nextLookNs;

  /**
   * @param ours the dumps of our log
   * @param dumps whether they are dumped; if not, ours are deleted and others left
   */
  DeadLoops(FlightContext context, Dumps ours, boolean dumps) {
    this.disk = context.disk();
    this.places = context.places();
    this.ours = ours;
    this.dumps = dumps;
    this.voice = context.voice();
    this.startNs = context.clock().nanoTime();
    this.nextLookNs = startNs;
  }

  /** The next loop to be dumped; null if there is none. Looks for some if it is time. */
  @Nullable Found next(long nowNs) {
    if (found.isEmpty() && nowNs - nextLookNs >= 0) {
      look(nowNs);
    }
    return found.poll();
  }

  private void look(long nowNs) {
    SpoolDirectory own = places.own();
    nextLookNs = nowNs + (own == null ? FIRST_LOOK_NS : LOOK_NS);
    if (own == null) {
      return;
    }
    try {
      own.orphanLoops().forEach(loop -> take(loop, ours));
      own.takeWarnings().forEach(text -> voice.warn(text, null));
      if (dumps && nowNs - startNs >= FIRST_STRAYS_NS) {
        takeStrays();
      }
    } catch (IOException e) {
      warn(own.path(), e);
    }
  }

  private void takeStrays() throws IOException {
    for (SpoolDirectory other : places.others()) {
      if (!other.isOf(places.log()) && other.hasLoops() && !other.isInUse()) {
        for (RecordSource loop : other.orphanLoops()) {
          LogNote note = loop.note();
          if (note != null && note.isBeside(places.log())) {
            take(loop, ours.beside(note.fileName()));
          } else if (loop.hasNote()) {
            loop.close();
          } else {
            delete(loop);
          }
        }
      }
    }
  }

  private void take(RecordSource loop, Dumps of) {
    if (!dumps || !loop.hasNote()) {
      delete(loop);
      return;
    }
    try {
      LogNote note = loop.note();
      String log = note == null ? of.log().toString() : note.path();
      String id = loop.instanceId().toString().substring(0, ID_DIGITS);
      found.add(new Found(loop, of, log, lastWrittenMs(loop.path()), "crash-" + id));
    } catch (IOException e) {
      failed(loop, e);
    }
  }

  /** A loop is dumped. */
  void dumped(RecordSource loop) {
    warned = false;
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

  /** Leaves what is not dumped to others. */
  void close() {
    found.forEach(loop -> loop.source().close());
    found.clear();
  }

  private void warn(Path path, Throwable cause) {
    if (!warned) {
      warned = true;
      voice.warn(
          "cannot dump what a dead process recorded in %s: %s; it stays there until the next try"
              .formatted(path, cause),
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
    return found.isEmpty() ? Math.max(0, nextLookNs - nowNs) : 0;
  }
}
