package dev.forebay.tiered.apart;

import java.nio.file.Path;
import org.jspecify.annotations.Nullable;

/**
 * A log that a {@link ShipService} looks after, at a moment.
 *
 * @param log its name in messages; "" if no spool says it
 * @param directory of its spools
 * @param shipped records that are in the log since this process began
 * @param lost records that were in a spool and could not be read
 * @param refused how many of the lost records the destination refused
 * @param waiting records in spools that are not in the log yet
 * @param longestWaitMillis how long the oldest of them has waited at most, since this process saw
 *     it
 * @param fault what is wrong; "" if nothing is
 */
public record ShippedLog(
    String log,
    Path directory,
    State state,
    long shipped,
    long lost,
    long refused,
    long waiting,
    long longestWaitMillis,
    String fault) {

  /** Who ships it. */
  public enum State {
    /** We do. */
    SHIPPING,
    /** Another process does; we wait for its lock. */
    WAITING,
    /** We cannot; the fault says why. */
    REFUSED,
    /** It has no spool any more. */
    DONE
  }

  /** The same with what was counted of this log before its last spool came. */
  ShippedLog after(@Nullable ShippedLog before) {
    return before == null
        ? this
        : new ShippedLog(
            log,
            directory,
            state,
            before.shipped + shipped,
            before.lost + lost,
            before.refused + refused,
            waiting,
            longestWaitMillis,
            fault);
  }

  /** The same once we have ended shipping it; what waits then is left. */
  ShippedLog ended() {
    State last = waiting == 0 ? State.DONE : state;
    return new ShippedLog(
        log, directory, last, shipped, lost, refused, waiting, longestWaitMillis, fault);
  }
}
