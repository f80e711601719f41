package dev.forebay.tiered.flight;

import dev.forebay.tiered.spool.Loop;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;

/** What the threads of a flight recorder hand to each other. */
final class FlightOrders {

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

  /** Orders done so far. Written by the shipper's thread; read by the flusher's. */
  private volatile long done;

  /** A dump is wanted: its order follows. */
  @SuppressWarnings("NonAtomicVolatileUpdate") // one writer
  void addWanted() {
    wanted++;
  }

  /** Whether all dumps that were wanted are done, and in the log. Any thread. */
  boolean areDone() {
    return done == wanted && notes.isEmpty();
  }

  long done() {
    return done;
  }

  /** An order is done, or was given up. */
  @SuppressWarnings("NonAtomicVolatileUpdate") // one writer
  void addDone() {
    done++;
  }
}
