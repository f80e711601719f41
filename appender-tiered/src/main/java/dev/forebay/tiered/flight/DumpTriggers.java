package dev.forebay.tiered.flight;

import ch.qos.logback.classic.spi.ILoggingEvent;
import dev.forebay.observe.Levels;
import dev.forebay.pipeline.Markers;
import dev.forebay.tiered.spool.Loop;
import dev.forebay.tiered.spool.LoopHold;
import java.util.ArrayDeque;
import java.util.HashMap;
import java.util.Map;
import java.util.Objects;
import java.util.Queue;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/**
 * Decides when a dump is made and where it ends. One order at a time; triggers with other values of
 * the key wait meanwhile. Those too soon after one with the same value are only counted. For the
 * flusher's thread, or a log call in its turn.
 */
final class DumpTriggers {

  /** Values of the key with a dump in one interval: in a storm each request may fail. */
  static final int MAX_VALUES = 8;

  /**
   * What causes a dump.
   *
   * @param key as {@link DumpOrder#key}
   */
  private record Cause(String reason, long timeMs, EventKey.@Nullable Value key) {}

  private final FlightSettings settings;
  private final FlightOrders orders;
  private final LongSupplier wallClockMs;

  /** Turns that take whatever a ring held when the first of them began. */
  private final int turnsOfRing;

  // The order that is not done.
  private @Nullable LoopHold hold;
  private @Nullable Loop loop;
  private EventKey.@Nullable Value key;
  private boolean hasDue;
  private long dueNs;
  private int turnsAfterDue;

  private final Queue<Cause> waiting = new ArrayDeque<>();

  /** When the last event with a value of the key caused a dump. */
  private final Map<String, Long> triggeredNs = new HashMap<>();

  private long ordered;
  private long leftOut;
  private long notRecorded;
  private boolean hasTriggered;
  private boolean hasNews;

  DumpTriggers(
      FlightSettings settings, FlightOrders orders, LongSupplier wallClockMs, int turnsOfRing) {
    this.settings = settings;
    this.orders = orders;
    this.wallClockMs = wallClockMs;
    this.turnsOfRing = turnsOfRing;
  }

  /** Whether an event is to cause a dump. Asks foreign markers, which may throw. */
  boolean include(ILoggingEvent event, int level) {
    String marker = settings.dumpMarker();
    return level >= settings.dumpFrom() || (marker != null && Markers.contain(event, marker));
  }

  /**
   * An event is about to be recorded that {@link #include} says yes to.
   *
   * @param value its value of the MDC key
   */
  void trigger(@Nullable Loop recorded, int level, long timeMs, EventKey.Value value, long nowNs) {
    hasTriggered = true;
    if (isInDump(value)) {
      return;
    }
    triggeredNs.values().removeIf(at -> nowNs - at >= settings.minIntervalNs());
    if (recorded == null
        || triggeredNs.containsKey(value.text)
        || Math.max(triggeredNs.size(), waiting.size()) >= MAX_VALUES
        || (hold != null && !value.exists())) {
      leftOut++;
      return;
    }
    triggeredNs.put(value.text, nowNs);
    String marker = DumpNames.reason("marker-" + settings.dumpMarker());
    Cause cause =
        new Cause(level >= settings.dumpFrom() ? Levels.of(level).name() : marker, timeMs, value);
    orders.addWanted();
    if (hold == null) {
      order(recorded, cause);
    } else {
      waiting.add(cause);
    }
  }

  /** Whether the dump under way is of the same request: then it has this event too. */
  private boolean isInDump(EventKey.Value value) {
    LoopHold current = hold;
    EventKey.Value wanted = key;
    return current != null
        && !current.hasEnd()
        && wanted != null
        && wanted.exists()
        && wanted.text.equals(value.text);
  }

  /** Follows the order in each turn, and takes what waits, first a dump that was asked for. */
  void beginTurn(Loop recorded, long nowNs) {
    followOrder(nowNs);
    Cause next = hold == null ? next() : null;
    if (next != null) {
      order(recorded, next);
    }
  }

  private @Nullable Cause next() {
    String reason = orders.asked.get();
    if (reason == null) {
      return waiting.poll();
    }
    orders.addWanted();
    orders.asked.set(null);
    return new Cause(DumpNames.reason("hand-" + reason), wallClockMs.getAsLong(), null);
  }

  private void followOrder(long nowNs) {
    LoopHold current = hold;
    if (current == null) {
      return;
    }
    if (!hasDue) { // its trigger may have been logged since the turn began that took it
      hasDue = true;
      dueNs = nowNs + settings.afterNs();
    }
    if (orders.done() == ordered) {
      hold = null;
      loop = null;
    } else if (!current.hasEnd() && isDue(nowNs) && ++turnsAfterDue > turnsOfRing) {
      Objects.requireNonNull(loop).end(current);
      hasNews = true;
    }
  }

  private boolean isDue(long nowNs) {
    return orders.ending || nowNs - dueNs >= 0;
  }

  private LoopHold order(Loop recorded, Cause cause) {
    LoopHold fresh = recorded.hold();
    hold = fresh;
    loop = recorded;
    key = cause.key;
    hasDue = false;
    turnsAfterDue = 0;
    ordered++;
    orders.orders.add(
        new DumpOrder(
            cause.reason, cause.timeMs, cause.key, recorded, fresh, leftOut, notRecorded));
    leftOut = 0;
    notRecorded = 0;
    hasNews = true;
    return fresh;
  }

  /** An event could not be recorded; the next dump says so. */
  void addNotRecorded() {
    notRecorded++;
  }

  /** A loop is given up: its order ends now, and so do those that wait. */
  void leave(Loop left) {
    LoopHold current = hold;
    if (current != null && loop == left && !current.hasEnd()) {
      left.end(current);
    }
    for (Cause next = next(); next != null; next = next()) {
      left.end(order(left, next));
    }
  }

  /** The dumper is to be woken for another reason. */
  void addNews() {
    hasNews = true;
  }

  /** Whether the dumper is to be woken, once. */
  boolean takeNews() {
    boolean had = hasNews;
    hasNews = false;
    return had;
  }

  /** Whether no turn is needed to end an order or to begin one. */
  boolean isSettled() {
    LoopHold current = hold;
    return !hasNews
        && (current == null ? orders.asked.get() == null && waiting.isEmpty() : current.hasEnd());
  }

  /** Whether there was an event that causes a dump. */
  boolean hasTriggered() {
    return hasTriggered;
  }
}
