package dev.forebay.tiered.flight;

import ch.qos.logback.classic.spi.ILoggingEvent;
import dev.forebay.observe.Levels;
import dev.forebay.pipeline.Markers;
import dev.forebay.tiered.spool.Loop;
import dev.forebay.tiered.spool.LoopHold;
import java.util.Objects;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/**
 * Decides when a dump is made and where it ends. One order at a time: triggers meanwhile, or too
 * soon after the last one, are only counted. For the flusher's thread, or a log call in its turn.
 */
final class DumpTriggers {
  private final FlightSettings settings;
  private final FlightOrders orders;
  private final LongSupplier wallClockMs;

  /** Turns that take whatever a ring held when the first of them began. */
  private final int turnsOfRing;

  // The order that is not done.
  private @Nullable LoopHold hold;
  private @Nullable Loop loop;
  private boolean hasDue;
  private long dueNs;
  private int turnsAfterDue;

  private long ordered;
  private long leftOut;
  private long notRecorded;
  private boolean hasTriggered;
  private long triggeredNs;
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
   * An event was recorded that {@link #include} says yes to.
   *
   * @param key its value of the MDC key; null if it has none
   */
  void trigger(
      @Nullable Loop recorded, ILoggingEvent event, int level, @Nullable String key, long nowNs) {
    boolean isTooSoon = hasTriggered && nowNs - triggeredNs < settings.minIntervalNs();
    if (hold != null || isTooSoon || recorded == null) {
      leftOut++;
      return;
    }
    hasTriggered = true;
    triggeredNs = nowNs;
    boolean isByLevel = level >= settings.dumpFrom();
    String reason = isByLevel ? Levels.of(level).name() : String.valueOf(settings.dumpMarker());
    order(recorded, DumpNames.reason(reason), event.getTimeStamp(), key);
  }

  /** Follows the order in each turn, and takes a dump that was asked for. */
  void beginTurn(Loop recorded, long nowNs) {
    followOrder(nowNs);
    String reason = orders.asked.get();
    if (reason != null && hold == null) {
      order(recorded, reason, wallClockMs.getAsLong(), null);
      orders.asked.set(null);
    }
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
    } else if (!current.hasEnd() && nowNs - dueNs >= 0 && ++turnsAfterDue > turnsOfRing) {
      Objects.requireNonNull(loop).end(current);
      hasNews = true;
    }
  }

  private void order(Loop recorded, String reason, long timeMs, @Nullable String key) {
    LoopHold fresh = recorded.hold();
    hold = fresh;
    loop = recorded;
    hasDue = false;
    turnsAfterDue = 0;
    ordered++;
    orders.orders.add(new DumpOrder(reason, timeMs, key, recorded, fresh, leftOut, notRecorded));
    leftOut = 0;
    notRecorded = 0;
    hasNews = true;
  }

  /** An event could not be recorded; the next dump says so. */
  void addNotRecorded() {
    notRecorded++;
  }

  /** A loop is given up: its order ends now. */
  void leave(Loop left) {
    LoopHold current = hold;
    if (current != null && loop == left && !current.hasEnd()) {
      left.end(current);
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
    return !hasNews && (current == null ? orders.asked.get() == null : current.hasEnd());
  }

  /** Whether an event has caused a dump. */
  boolean hasTriggered() {
    return hasTriggered;
  }
}
