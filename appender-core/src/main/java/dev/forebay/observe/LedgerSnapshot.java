package dev.forebay.observe;

import java.util.Map;
import java.util.OptionalLong;
import java.util.TreeMap;
import org.slf4j.event.Level;

/**
 * The account of an appender at one moment, counted since the appender was created: {@link
 * #offered} is exactly {@link #delivered} plus {@link #dropped()} plus {@link #expired} plus {@link
 * #held} plus {@link #inFlight}. Immutable.
 */
public final class LedgerSnapshot {

  private final long offered;
  private final long delivered;
  private final long expired;
  private final long held;
  private final long inFlight;
  private final long reports;
  private final long unconfirmed;
  private final long[] dropped;
  private final OptionalLong durableUpTo;

  LedgerSnapshot(
      long offered,
      long delivered,
      long expired,
      long held,
      long inFlight,
      long reports,
      long unconfirmed,
      long[] dropped,
      OptionalLong durableUpTo) {
    this.offered = offered;
    this.delivered = delivered;
    this.expired = expired;
    this.held = held;
    this.inFlight = inFlight;
    this.reports = reports;
    this.unconfirmed = unconfirmed;
    this.dropped = dropped;
    this.durableUpTo = durableUpTo;
  }

  /** This account with a watermark, which was read before it. */
  public LedgerSnapshot withDurableUpTo(long watermark) {
    return new LedgerSnapshot(
        offered,
        delivered,
        expired,
        held,
        inFlight,
        reports,
        unconfirmed,
        dropped,
        OptionalLong.of(watermark));
  }

  /** Events that passed level and filters, the appender's own {@link #reports} included. */
  public long offered() {
    return offered;
  }

  /**
   * Events that reached their destination: all attached appenders took them, or they are in the log
   * and, unless fsync is {@code never}, were forced to the disk.
   */
  public long delivered() {
    return delivered;
  }

  /**
   * Events below the flight recorder's level that it has recorded and overwritten since. Whether a
   * dump holds a copy makes no difference.
   */
  public long expired() {
    return expired;
  }

  /** Events below the flight recorder's level that it holds now. */
  public long held() {
    return held;
  }

  /** Accepted events whose outcome is not known yet: in the ring, in processing or in the spool. */
  public long inFlight() {
    return inFlight;
  }

  /** Events that the appender itself added to report drops in the log. */
  public long reports() {
    return reports;
  }

  /**
   * Log calls that should have returned only with their events in the spool, and returned without:
   * a kill could lose these events until then. They are part of the other numbers, whatever became
   * of them.
   */
  public long unconfirmed() {
    return unconfirmed;
  }

  /**
   * The durable watermark: events with a lower number survive a power cut or were counted as
   * dropped. Events are numbered from 0 in the order in which the newest start spooled them; an
   * event dropped earlier has no number. 0 if nothing is ever forced.
   *
   * <p>Empty for an appender that passes events on to others: only these could know it.
   */
  public OptionalLong durableUpTo() {
    return durableUpTo;
  }

  /** Events dropped, for whatever reason. */
  public long dropped() {
    long sum = 0;
    for (long count : dropped) {
      sum += count;
    }
    return sum;
  }

  /** Events dropped for one reason. */
  public long dropped(DropReason reason) {
    long sum = 0;
    for (int level = 0; level < Levels.COUNT; level++) {
      sum += dropped[reason.ordinal() * Levels.COUNT + level];
    }
    return sum;
  }

  /** Events of one level dropped for one reason. */
  public long dropped(DropReason reason, Level level) {
    return dropped[reason.ordinal() * Levels.COUNT + Levels.indexOf(level)];
  }

  /** Reason to level to count, without zeros, in alphabetical order. */
  public Map<String, Map<String, Long>> droppedByReasonAndLevel() {
    Map<String, Map<String, Long>> byReason = new TreeMap<>();
    for (DropReason reason : DropReason.values()) {
      for (int level = 0; level < Levels.COUNT; level++) {
        long count = dropped[reason.ordinal() * Levels.COUNT + level];
        if (count > 0) {
          byReason
              .computeIfAbsent(reason.name(), r -> new TreeMap<>())
              .put(Levels.of(level).name(), count);
        }
      }
    }
    return byReason;
  }

  @Override
  public String toString() {
    return "offered "
        + offered
        + " = delivered "
        + delivered
        + " + dropped "
        + dropped()
        + " "
        + droppedByReasonAndLevel()
        + (expired == 0 ? "" : " + expired " + expired)
        + (held == 0 ? "" : " + held " + held)
        + " + in flight "
        + inFlight
        + (unconfirmed == 0 ? "" : "; unconfirmed " + unconfirmed);
  }
}
