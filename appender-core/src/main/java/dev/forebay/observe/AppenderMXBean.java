package dev.forebay.observe;

import java.util.Map;

/**
 * The JMX view of an appender, as {@code dev.forebay:type=Appender,context=…,name=…}. If the name
 * is taken, {@code -2} and so on is appended. Events are counted since the appender was created. No
 * operation takes a path or changes the configuration.
 */
@Description("An appender of Forebay: its account, its ring and its outputs")
public interface AppenderMXBean {

  @Description("Events that passed level and filters, reports of drops included")
  long getOffered();

  @Description("Events that reached their destination")
  long getDelivered();

  @Description("Dropped events, all reasons")
  long getDroppedTotal();

  @Description("Dropped events: reason to level to count, without zeros")
  Map<String, Map<String, Long>> getDropped();

  @Description("Accepted events whose outcome is not known yet")
  long getInFlight();

  @Description("Events that the appender itself added to report drops in the log")
  long getReports();

  /** Events in the ring now; 0 before the first start. */
  @Description("Events in the ring now")
  int getRingFill();

  /** Events the ring can hold; 0 before the first start. */
  @Description("Events the ring can hold")
  int getRingCapacity();

  /**
   * How the flusher's work is batched, since the last start: element {@code i} counts the turns
   * that took 2<sup>i</sup> to 2<sup>i+1</sup>-1 events out of the ring. Turns without events do
   * not count. Empty before the first start.
   */
  @Description("How many turns of the flusher took 1, 2 to 3, 4 to 7, ... events")
  long[] getTurnsByEvents();

  /**
   * What is degraded now, in words: failing outputs, a spool that is missing or not where it should
   * be. "" if nothing is, before the first start and after a stop.
   */
  @Description("What is degraded now; empty if nothing is")
  String getDegraded();

  @Description("The newest failure of an output; empty if there was none")
  String getLastError();

  /**
   * Waits until all events offered before the call have reached their destination.
   *
   * @param timeoutMillis longest wait; 0 only checks
   * @return whether they have; false if the time is over or the appender was never started
   */
  @Description(
      "Waits until all events offered before the call have reached their destination; returns whether they have")
  boolean flush(@Description("Longest wait, milliseconds; 0 only checks") long timeoutMillis);
}
