package dev.forebay.tiered.flight;

import dev.forebay.observe.Levels;
import org.jspecify.annotations.Nullable;

/**
 * The validated settings of a flight recorder. Times in nanoseconds, levels as {@link Levels}
 * counts.
 *
 * @param logFrom events below this level are only recorded
 * @param sizeBytes most bytes of the loop
 * @param keepNs age at which events are overwritten
 * @param dumpFrom events of this level and above cause a dump; above ERROR: none
 * @param dumpMarker so do those with a marker of this name; null: none
 * @param afterNs how long after its trigger a dump ends
 * @param minIntervalNs shortest time between two events that cause a dump
 * @param key the MDC key whose value selects the events of a dump; null: a dump has all
 * @param dumpAtCrash whether a start dumps what a dead process recorded
 */
public record FlightSettings(
    int logFrom,
    long sizeBytes,
    long keepNs,
    int dumpFrom,
    @Nullable String dumpMarker,
    long afterNs,
    long minIntervalNs,
    int maxDumps,
    @Nullable String key,
    boolean dumpAtCrash) {

  /** For dead processes' loops, which are dumped whole while older dumps stay; records nothing. */
  public static final FlightSettings OF_THE_DEAD =
      new FlightSettings(0, 0, 0, Integer.MAX_VALUE, null, 0, 0, Integer.MAX_VALUE, null, true);
}
