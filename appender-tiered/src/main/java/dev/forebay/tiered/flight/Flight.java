package dev.forebay.tiered.flight;

import dev.forebay.agent.NanoClock;
import dev.forebay.agent.Voice;
import dev.forebay.tiered.disk.Disk;
import dev.forebay.tiered.spool.Loop;
import dev.forebay.tiered.spool.LoopHold;
import dev.forebay.tiered.spool.Spool;
import dev.forebay.tiered.spool.SpoolDirectory;
import java.nio.file.Path;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/**
 * The flight recorder of one start of an appender: what its {@link FlightRecorder} and its {@link
 * FlightDumper} hand to each other, and its numbers.
 */
public final class Flight {

  /** What a recorder belongs to: an appender, or nothing for the loops of dead processes. */
  public interface Host {

    /** The directory of our log's spools; null while there is none. The shipper's thread. */
    @Nullable SpoolDirectory directory();

    /**
     * A new loop; null while that is not possible. The flusher's thread.
     *
     * @param spool the one in use, if there is one
     */
    default @Nullable Loop open(@Nullable Spool spool, long nowNs) {
      return null;
    }

    /** The log of dead processes, if it is not beside that of their dumps; else null. */
    default @Nullable Path former() {
      return null;
    }

    /** There has been an event, so loggers are configured. The shipper's thread. */
    default void onFirstEvent() {}

    /** Causes a turn of the shipper's thread. Any thread, like the next. */
    default void wakeShipper() {}

    /** Causes a turn of the flusher's thread. */
    default void wakeFlusher() {}
  }

  /**
   * What causes a dump.
   *
   * @param reason as it stands in the file's name
   * @param timeMs when it was triggered, milliseconds since the epoch
   * @param key what the trigger had; null if no event is the trigger
   */
  record Cause(String reason, long timeMs, EventKey.@Nullable Value key) {}

  /**
   * A dump to be made of a loop. Created by the flusher's thread, done by the shipper's.
   *
   * @param leftOut triggers since the last dump that caused none
   * @param notRecorded events since the last dump that the loop could not take
   */
  record Order(Cause cause, Loop loop, LoopHold hold, long leftOut, long notRecorded) {}

  final FlightSettings settings;
  final Path log;
  final Disk disk;
  final boolean forces;
  final Host host;
  final Voice voice;
  final NanoClock clock;
  final LongSupplier wallClockMs;

  /** The loop that records now; null if none does. Written by the flusher's thread, read by any. */
  volatile @Nullable Loop loop;

  /** From any thread to the flusher's: the reason of a dump that was requested. */
  final AtomicReference<@Nullable String> asked = new AtomicReference<>();

  /** From the flusher's thread to the shipper's; several only for a loop that is given up. */
  final Queue<Order> orders = new ConcurrentLinkedQueue<>();

  /** From the flusher's thread to the shipper's: loops to be deleted after the orders before. */
  final Queue<Loop> retired = new ConcurrentLinkedQueue<>();

  /** From the shipper's thread to the flusher's: lines for the log. */
  final Queue<String> notes = new ConcurrentLinkedQueue<>();

  /** Set once by the flusher's thread: there has been an event, so loggers are configured. */
  volatile boolean begun;

  /** Set by the thread that stops the appender or ends the JVM: dumps end now, no other begins. */
  volatile boolean ending;

  /**
   * Set by the thread that stops the appender: until then there is time, on the monotonic clock.
   */
  volatile long stopNs;

  /** Dumps that are wanted and neither done nor given up. Any thread. */
  final AtomicInteger owed = new AtomicInteger();

  // Written by the shipper's thread; read by any.
  volatile long dumps;
  volatile long failedDumps;
  volatile long dumpedEvents;
  volatile String lastDump = "";

  /**
   * Opens no file.
   *
   * @param log the active log file; dumps are written beside it
   * @param wallClockMs milliseconds since the epoch
   */
  public Flight(
      FlightSettings settings,
      Path log,
      Disk disk,
      boolean forces,
      Host host,
      Voice voice,
      NanoClock clock,
      LongSupplier wallClockMs) {
    this.settings = settings;
    this.log = log;
    this.disk = disk;
    this.forces = forces;
    this.host = host;
    this.voice = voice;
    this.clock = clock;
    this.wallClockMs = wallClockMs;
  }

  /**
   * Asks for a dump of what is recorded now. Any thread; does not wait.
   *
   * @param reason becomes a part of the file's name; null: none
   * @return false if a dump is asked for already, or nothing is recorded
   */
  public boolean dump(@Nullable String reason) {
    if (loop == null || !asked.compareAndSet(null, reason == null ? "dump" : reason)) {
      return false;
    }
    host.wakeFlusher();
    return true;
  }

  /** The newest dump; "" before the first. Any thread. */
  public String lastDump() {
    return lastDump;
  }
}
