package dev.forebay.tiered.flight;

import dev.forebay.tiered.spool.Loop;
import java.util.Map;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.LongFunction;
import org.jspecify.annotations.Nullable;

/**
 * The flight recorder of one start of an appender: what its {@link FlightRecorder} and its {@link
 * FlightDumper} hand to each other, and its numbers.
 */
public final class Flight {

  final FlightSettings settings;
  final FlightContext context;

  /** What records now; null if nothing does. Written by the flusher's thread, read by any. */
  volatile @Nullable Loop loop;

  /** From any thread to the flusher's: the reason of a dump that somebody asks for. */
  final AtomicReference<@Nullable String> asked = new AtomicReference<>();

  /** From the flusher's thread to the shipper's; several only for a loop that is given up. */
  final Queue<DumpOrder> orders = new ConcurrentLinkedQueue<>();

  /** From the flusher's thread to the shipper's: loops to be deleted after the orders before. */
  final Queue<Loop> retired = new ConcurrentLinkedQueue<>();

  /** From the shipper's thread to the flusher's: lines for the log. */
  final Queue<String> notes = new ConcurrentLinkedQueue<>();

  /** Set once by the flusher's thread: there has been an event, so loggers are configured. */
  volatile boolean begun;

  /** Set by the thread that stops the appender or ends the JVM: dumps end now, no other begins. */
  volatile boolean ending;

  /** Dumps wanted so far. Written by the flusher's thread; read by any. */
  private volatile long wanted;

  // Written by the shipper's thread; read by any.
  private volatile long done;
  volatile long dumps;
  volatile long failedDumps;
  volatile long dumpedEvents;
  volatile String lastDump = "";

  // Set before the threads start.
  LongFunction<@Nullable Loop> opener = now -> null;
  Runnable wakeShipper = () -> {};
  Runnable wakeFlusher = () -> {};
  Runnable onFirstEvent = () -> {};

  /** Opens no file. */
  public Flight(FlightSettings settings, FlightContext context) {
    this.settings = settings;
    this.context = context;
  }

  /**
   * Sets what exists later. Before the threads start.
   *
   * @param creator creates the loop at this time of the clock; null while that is not possible
   * @param shipper causes a turn of the shipper's thread
   * @param flusher causes a turn of the flusher's thread
   * @param firstEvent run by the shipper's thread after the first event
   */
  public void connect(
      LongFunction<@Nullable Loop> creator,
      Runnable shipper,
      Runnable flusher,
      Runnable firstEvent) {
    opener = creator;
    wakeShipper = shipper;
    wakeFlusher = flusher;
    onFirstEvent = firstEvent;
  }

  /**
   * Asks for a dump of what is recorded now. Any thread; does not wait.
   *
   * @param reason becomes a part of the file's name
   * @return false if a dump is asked for already, or nothing is recorded
   */
  public boolean dump(String reason) {
    if (loop == null || !asked.compareAndSet(null, reason)) {
      return false;
    }
    wakeFlusher.run();
    return true;
  }

  /** A dump is wanted: its order follows. For the flusher's thread. */
  @SuppressWarnings("NonAtomicVolatileUpdate") // one writer
  void addWanted() {
    wanted++;
  }

  /** An order is done, or was given up. For the shipper's thread. */
  @SuppressWarnings("NonAtomicVolatileUpdate") // one writer
  void addDone() {
    done++;
  }

  /** Whether all dumps that were wanted are done, and in the log. Any thread. */
  boolean areDone() {
    return done == wanted && notes.isEmpty();
  }

  /** Shows its numbers. Any thread. */
  public void show(Map<String, Long> shown) {
    Loop used = loop;
    shown.put("recorderBytes", used == null ? 0L : used.usedBytes());
    shown.put("dumps", dumps);
    shown.put("failedDumps", failedDumps);
    shown.put("dumpedEvents", dumpedEvents); // copies: no term of the account
  }

  /** The newest dump; "" before the first. Any thread. */
  public String lastDump() {
    return lastDump;
  }
}
