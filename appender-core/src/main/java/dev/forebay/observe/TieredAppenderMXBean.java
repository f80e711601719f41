package dev.forebay.observe;

/** The JMX view of an appender with a spool. */
public interface TieredAppenderMXBean extends AppenderMXBean {

  /** Directory of the spool in use; "heap" for one in the heap, "" while there is none. */
  String getSpoolPath();

  /** File of the newest dump of the flight recorder; "" before the first. */
  String getLastDump();

  /**
   * Asks the flight recorder to write what it holds to a file beside the log.
   *
   * @param reason becomes a part of the file's name
   * @return what was done
   * @throws IllegalStateException if there is no dump, and why
   */
  String dump(String reason);
}
