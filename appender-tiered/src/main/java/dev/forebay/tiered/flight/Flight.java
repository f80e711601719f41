package dev.forebay.tiered.flight;

import dev.forebay.agent.Agent;
import dev.forebay.observe.Ledger;
import dev.forebay.tiered.spool.Loop;
import java.util.function.LongFunction;
import org.jspecify.annotations.Nullable;

/** The flight recorder of one start of an appender: what records, what dumps, and its numbers. */
public final class Flight {
  private final FlightRecorder recorder;
  private final FlightDumper dumper;

  /** Opens no file yet. */
  public Flight(FlightSettings settings, FlightContext context, Ledger ledger) {
    FlightOrders orders = new FlightOrders();
    this.recorder = new FlightRecorder(settings, context, ledger, orders);
    this.dumper = new FlightDumper(settings, context, orders);
  }

  /**
   * Sets what exists later. Before the threads start.
   *
   * @param opener creates the loop at this time of the clock; null while that is not possible
   * @param wakeShipper causes a turn of the shipper's thread
   * @param wakeFlusher causes a turn of the flusher's thread
   * @param onFirstEvent run by the shipper's thread after the first event
   */
  public void connect(
      LongFunction<@Nullable Loop> opener,
      Runnable wakeShipper,
      Runnable wakeFlusher,
      Runnable onFirstEvent) {
    recorder.connect(opener, wakeShipper, wakeFlusher);
    dumper.connect(wakeFlusher, onFirstEvent);
  }

  /** For the flusher's thread. */
  public FlightRecorder recorder() {
    return recorder;
  }

  /** For the shipper's thread. */
  public Agent dumper() {
    return dumper;
  }

  /**
   * Asks for a dump of what is recorded now. Any thread; does not wait.
   *
   * @param reason becomes a part of the file's name
   * @return false if a dump is asked for already, or nothing is recorded
   */
  public boolean dump(String reason) {
    return recorder.ask(reason);
  }

  /** Bytes of the loop. Any thread, as all that follow. */
  public long usedBytes() {
    return recorder.usedBytes();
  }

  /** Dumps written. */
  public long dumps() {
    return dumper.dumps();
  }

  /** Dumps that could not be written. */
  public long failedDumps() {
    return dumper.failedDumps();
  }

  /** Copies of events in dumps. */
  public long dumpedEvents() {
    return dumper.dumpedEvents();
  }

  /** The newest dump; "" before the first. */
  public String lastDump() {
    return dumper.lastDump();
  }
}
