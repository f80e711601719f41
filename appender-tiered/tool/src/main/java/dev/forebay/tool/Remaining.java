package dev.forebay.tool;

import dev.forebay.tiered.apart.ShippedLog;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** What waited in the spools at a moment, and is not in the logs yet. Lines added later are not. */
final class Remaining {

  /** Records that a log had at that moment: shipped, lost and waiting. By spool directory. */
  private final Map<Path, Long> ends = new HashMap<>();

  Remaining(List<ShippedLog> logs) {
    update(logs);
  }

  /** Adds logs that were found later. */
  void update(List<ShippedLog> logs) {
    for (ShippedLog log : logs) {
      ends.putIfAbsent(log.directory(), done(log) + log.waiting());
    }
  }

  private static long done(ShippedLog log) {
    return log.shipped() + log.lost();
  }

  /** What is left of a log; what another process ships is not. */
  long of(ShippedLog log) {
    long left = ends.getOrDefault(log.directory(), 0L) - done(log);
    return log.state() == ShippedLog.State.WAITING ? 0 : Math.max(0, Math.min(left, log.waiting()));
  }

  /** Whether we may still ship some of it. */
  boolean isPending(List<ShippedLog> logs) {
    return logs.stream().anyMatch(log -> log.state() == ShippedLog.State.SHIPPING && of(log) > 0);
  }

  /**
   * Whether there is something that we, or another process, will ship: who does is not known yet.
   */
  static boolean isUndecided(List<ShippedLog> logs) {
    return logs.stream()
        .anyMatch(log -> log.state() == ShippedLog.State.WAITING && log.waiting() > 0);
  }

  /** Changes when any of it is shipped. */
  static long progress(List<ShippedLog> logs) {
    return logs.stream().mapToLong(Remaining::done).sum();
  }

  /** The logs with lines left. */
  List<ShippedLog> left(List<ShippedLog> logs) {
    List<ShippedLog> left = new ArrayList<>(logs);
    left.removeIf(log -> of(log) == 0);
    return left;
  }
}
