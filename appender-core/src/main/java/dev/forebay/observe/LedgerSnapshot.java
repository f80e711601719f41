package dev.forebay.observe;

import java.util.Collection;
import java.util.Map;
import java.util.OptionalLong;
import org.slf4j.event.Level;

/**
 * The account of an appender at one moment, counted since the appender was created: {@code offered}
 * is exactly {@code delivered} plus {@link #dropped()} plus {@code expired} plus {@code held} plus
 * {@code inFlight}.
 *
 * @param offered events that passed level and filters, the appender's own {@code reports} included
 * @param delivered events that reached their destination: all attached appenders took them, or they
 *     are in the log and, unless fsync is {@code never}, were forced to the disk
 * @param expired events below the flight recorder's level that it has recorded and overwritten
 *     since. Whether a dump holds a copy makes no difference
 * @param held events below the flight recorder's level that it holds now
 * @param inFlight accepted events whose outcome is not known yet: in the ring, in processing or in
 *     the spool
 * @param reports events that the appender itself added to report drops in the log
 * @param unconfirmed log calls that should have returned only with their events in the spool, and
 *     returned without: a kill could lose these events until then. They are part of the other
 *     numbers, whatever became of them
 * @param droppedByReasonAndLevel reason to level to count, without zeros, in alphabetical order
 * @param durableUpTo the durable watermark: events with a lower number survive a power cut or were
 *     counted as dropped. Events are numbered from 0 in the order in which the newest start spooled
 *     them; an event dropped earlier has no number. 0 if nothing is ever forced. Empty for an
 *     appender that passes events on: only the appenders behind it could know
 */
public record LedgerSnapshot(
    long offered,
    long delivered,
    long expired,
    long held,
    long inFlight,
    long reports,
    long unconfirmed,
    Map<String, Map<String, Long>> droppedByReasonAndLevel,
    OptionalLong durableUpTo) {

  /** Events dropped, for whatever reason. */
  public long dropped() {
    return droppedByReasonAndLevel.values().stream().mapToLong(each -> sum(each.values())).sum();
  }

  /** Events dropped for one reason. */
  public long dropped(DropReason reason) {
    return sum(droppedByReasonAndLevel.getOrDefault(reason.name(), Map.of()).values());
  }

  /** Events of one level dropped for one reason. */
  public long dropped(DropReason reason, Level level) {
    return droppedByReasonAndLevel
        .getOrDefault(reason.name(), Map.of())
        .getOrDefault(level.name(), 0L);
  }

  private static long sum(Collection<Long> counts) {
    return counts.stream().mapToLong(count -> count).sum();
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
        + droppedByReasonAndLevel
        + (expired == 0 ? "" : " + expired " + expired)
        + (held == 0 ? "" : " + held " + held)
        + " + in flight "
        + inFlight
        + (unconfirmed == 0 ? "" : "; unconfirmed " + unconfirmed);
  }
}
