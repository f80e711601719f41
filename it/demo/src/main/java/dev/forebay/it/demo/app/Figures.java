package dev.forebay.it.demo.app;

import java.util.Collections;
import java.util.Map;
import java.util.TreeMap;

/**
 * What an application knew about its logging at one moment: numbers by name, sorted by name.
 *
 * @param values the numbers; named as in the account of {@link dev.forebay.observe.AppenderMXBean};
 *     a name has no blank and no equals sign
 */
public record Figures(Map<String, Long> values) {

  /** Events counted by {@link OfferedCounter}. */
  public static final String COUNTED = "counted";

  /** Events in the ring, or in the queue of an AsyncAppender. */
  public static final String QUEUED = "ringFill";

  /** How many fit there. */
  public static final String QUEUE_CAPACITY = "ringCapacity";

  /** Events the appender says it was offered. */
  public static final String OFFERED = "offered";

  /** Events the appender says are in the log. */
  public static final String DELIVERED = "delivered";

  /** Events the appender says it dropped. */
  public static final String DROPPED = "dropped";

  /** Start of the names of dropped events by reason and level: {@code dropped.REASON.LEVEL}. */
  public static final String DROPPED_BY = "dropped.";

  /** Events the appender still holds, in the ring or in the spool. */
  public static final String IN_FLIGHT = "inFlight";

  /** Lines the appender itself added to the log. */
  public static final String REPORTS = "reports";

  /** Bytes in the spool. */
  public static final String SPOOL_BYTES = "spoolBytes";

  /** Nothing known. */
  public static final Figures NONE = new Figures(Map.of());

  /** Sorts the numbers. */
  public Figures {
    values = Collections.unmodifiableSortedMap(new TreeMap<>(values));
  }

  /** The number of that name, 0 when it is unknown. */
  public long get(String name) {
    return values.getOrDefault(name, 0L);
  }

  /** All numbers as {@code name=number}, separated by blanks. */
  public String toLine() {
    StringBuilder line = new StringBuilder();
    values.forEach(
        (name, value) ->
            line.append(line.isEmpty() ? "" : " ").append(name).append('=').append(value));
    return line.toString();
  }

  /** Reads what {@link #toLine} wrote. */
  public static Figures parse(String line) {
    Map<String, Long> values = new TreeMap<>();
    for (String word : line.split(" ", -1)) {
      int equals = word.indexOf('=');
      if (equals > 0) {
        values.put(word.substring(0, equals), Long.parseLong(word.substring(equals + 1)));
      } else if (!word.isEmpty()) {
        throw new IllegalArgumentException("Expected name=number, found \"" + word + "\"");
      }
    }
    return new Figures(values);
  }
}
