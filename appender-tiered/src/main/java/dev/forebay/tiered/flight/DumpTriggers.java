package dev.forebay.tiered.flight;

import ch.qos.logback.classic.spi.ILoggingEvent;
import dev.forebay.observe.Levels;
import dev.forebay.pipeline.CallDurability;
import dev.forebay.tiered.spool.Loop;
import java.util.ArrayDeque;
import java.util.HashMap;
import java.util.Map;
import java.util.Queue;
import org.jspecify.annotations.Nullable;

/**
 * Decides when a dump is made and where it ends. One order at a time; triggers with other values of
 * the key wait meanwhile. Those too soon after one with the same value are only counted. For the
 * flusher's thread, or a log call in its turn.
 */
final class DumpTriggers {

  /** Values of the key with a dump in one interval: in a storm each request may fail. */
  static final int MAX_VALUES = 8;

  private final Flight flight;

  /** Turns that take whatever a ring held when the first of them began. */
  private final int turnsOfRing;

  /** The order that is under way. */
  private Flight.@Nullable Order order;

  private boolean hasDue;
  private long dueNs;
  private int turnsAfterDue;

  private final Queue<Flight.Cause> waiting = new ArrayDeque<>();

  /** When the last event with a value of the key caused a dump. */
  private final Map<String, Long> triggeredNs = new HashMap<>();

  private long leftOut;
  private long notRecorded;

  DumpTriggers(Flight flight, int turnsOfRing) {
    this.flight = flight;
    this.turnsOfRing = turnsOfRing;
  }

  /** Whether an event is to cause a dump. Asks foreign markers, which may throw. */
  boolean include(ILoggingEvent event, int level) {
    return level >= flight.settings.dumpFrom()
        || CallDurability.hasMarker(event, flight.settings.dumpMarker());
  }

  /**
   * An event is about to be recorded that {@link #include} says yes to.
   *
   * @param value its value of the MDC key
   */
  void trigger(@Nullable Loop recorded, int level, long timeMs, EventKey.Value value, long nowNs) {
    if (isInDump(value)) {
      return;
    }
    triggeredNs.values().removeIf(at -> nowNs - at >= flight.settings.minIntervalNs());
    if (recorded == null
        || triggeredNs.containsKey(value.text)
        || Math.max(triggeredNs.size(), waiting.size()) >= MAX_VALUES
        || (order != null && !value.exists())) {
      leftOut++;
      return;
    }
    triggeredNs.put(value.text, nowNs);
    String marker = Dumps.reason("marker-" + flight.settings.dumpMarker());
    Flight.Cause cause =
        new Flight.Cause(
            level >= flight.settings.dumpFrom() ? Levels.of(level).name() : marker, timeMs, value);
    flight.owed.incrementAndGet();
    if (order == null) {
      order(recorded, cause);
    } else {
      waiting.add(cause);
    }
  }

  /** Whether the dump under way is of the same request: then it has this event too. */
  private boolean isInDump(EventKey.Value value) {
    Flight.Order current = order;
    EventKey.Value wanted =
        current == null || current.hold().hasEnd() ? null : current.cause().key();
    return wanted != null && wanted.exists() && wanted.text.equals(value.text);
  }

  /** Follows the order in each turn, and takes what waits, first a dump that was asked for. */
  void beginTurn(Loop recorded, long nowNs) {
    followOrder(nowNs);
    Flight.Cause next = order == null ? next() : null;
    if (next != null) {
      order(recorded, next);
    }
  }

  private Flight.@Nullable Cause next() {
    String reason = flight.asked.get();
    if (reason == null) {
      return waiting.poll();
    }
    flight.owed.incrementAndGet(); // before requests stop
    flight.asked.set(null);
    return new Flight.Cause(Dumps.reason("hand-" + reason), flight.wallClockMs.getAsLong(), null);
  }

  private void followOrder(long nowNs) {
    Flight.Order current = order;
    if (current == null) {
      return;
    }
    if (!hasDue) { // its trigger may have been logged since the turn began that took it
      hasDue = true;
      dueNs = nowNs + flight.settings.afterNs();
    }
    if (current.hold().isReleased()) {
      order = null;
    } else if (!current.hold().hasEnd()
        && (flight.ending || nowNs - dueNs >= 0)
        && ++turnsAfterDue > turnsOfRing) {
      if (flight.ending) {
        end(current.loop());
      } else {
        current.loop().end(current.hold());
      }
      flight.host.wakeShipper();
    }
  }

  private Flight.Order order(Loop recorded, Flight.Cause cause) {
    Flight.Order fresh = new Flight.Order(cause, recorded, recorded.hold(), leftOut, notRecorded);
    order = fresh;
    hasDue = false;
    turnsAfterDue = 0;
    flight.orders.add(fresh);
    leftOut = 0;
    notRecorded = 0;
    flight.host.wakeShipper();
    return fresh;
  }

  /** An event could not be recorded; the next dump says so. */
  void addNotRecorded() {
    notRecorded++;
  }

  /**
   * The order of a loop ends now, and so do those that wait: it is given up, or there is little
   * time. The newest hold keeps what the older ones do.
   */
  void end(Loop recorded) {
    Flight.Order current = order;
    if (current != null && current.loop() == recorded && !current.hold().hasEnd()) {
      recorded.end(current.hold());
    }
    for (Flight.Cause next = next(); next != null; next = next()) {
      recorded.end(order(recorded, next).hold());
    }
  }

  /** Whether no turn is needed to end an order or to begin one. */
  boolean isSettled() {
    Flight.Order current = order;
    return current == null
        ? flight.asked.get() == null && waiting.isEmpty()
        : current.hold().hasEnd();
  }
}
