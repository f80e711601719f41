package dev.forebay.observe;

import java.util.Map;

/**
 * What an appender shows to JMX, as {@code dev.forebay:type=Appender,context=…,name=…}. Where the
 * name is taken, {@code -2} and so on is appended. Events are counted since the appender was made.
 * No operation takes a path or changes the configuration.
 */
public interface AppenderMXBean {

  /** Events that passed level and filters, the appender's own reports included. */
  long getOffered();

  /** Events that reached their destination. */
  long getDelivered();

  /** Dropped events, all reasons. */
  long getDroppedTotal();

  /** Dropped events: reason to level to count, without zeros. */
  Map<String, Map<String, Long>> getDropped();

  /** Events accepted whose fate is not known yet. */
  long getInFlight();

  /** Events the appender itself added to report drops in the log. */
  long getReports();

  /** Events in the ring now; 0 before the first start. */
  int getRingFill();

  /** Events the ring can hold; 0 before the first start. */
  int getRingCapacity();

  /**
   * How the flusher's work is batched, since the last start: element {@code i} counts the turns
   * that took 2<sup>i</sup> to 2<sup>i+1</sup>-1 events out of the ring. Turns without events do
   * not count. Empty before the first start.
   */
  long[] getTurnsByEvents();

  /** The newest failure of an output in words; "" when there was none. */
  String getLastError();

  /**
   * Waits until all events offered before the call have reached their destination.
   *
   * @param timeoutMillis at most this long; 0 only looks
   * @return whether they have; false when the time is over or the appender was never started
   */
  boolean flush(long timeoutMillis);
}
