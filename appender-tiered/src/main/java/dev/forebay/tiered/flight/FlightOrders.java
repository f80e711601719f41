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

  /** From the flusher's thread to the shipper's; at most one that is not done. */
  final Queue<DumpOrder> orders = new ConcurrentLinkedQueue<>();

  /** From the flusher's thread to the shipper's: loops to be deleted after the orders before. */
  final Queue<Loop> retired = new ConcurrentLinkedQueue<>();

  /** From the shipper's thread to the flusher's: lines for the log. */
  final Queue<String> notes = new ConcurrentLinkedQueue<>();

  /** Set once by the flusher's thread: there has been an event that is not for the log. */
  volatile boolean recorded;

  /** Orders done so far. Written by the shipper's thread; read by the flusher's. */
  private volatile long done;

  long done() {
    return done;
  }

  /** An order is done, or was given up. */
  @SuppressWarnings("NonAtomicVolatileUpdate") // one writer
  void addDone() {
    done++;
  }
}
