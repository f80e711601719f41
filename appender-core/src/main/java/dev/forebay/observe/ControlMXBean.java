package dev.forebay.observe;

import java.util.Map;

/**
 * The JMX view of an appender that may be steered, unless {@code <control>false</control>}. The
 * command line tool calls the same through a socket. An operation that refuses throws an {@link
 * IllegalArgumentException} or {@link IllegalStateException} whose message says what to write
 * instead.
 */
public interface ControlMXBean extends TieredAppenderMXBean {

  /** The loggers with a level of their own, and how long it lasts. */
  Map<String, String> getLevels();

  /**
   * Sets the level of a logger for a time. Then it gets back the level that it had, or inherits one
   * as before. A later call for the same logger replaces level and time; a reconfiguration of
   * Logback ends it.
   *
   * @param logger a class that logs, its package or ROOT
   * @param level TRACE, DEBUG, INFO, WARN, ERROR or OFF
   * @param seconds 1 to 3600
   * @return what was done
   */
  String setLevel(String logger, String level, int seconds);

  /**
   * Rolls the log file now. Events that were logged before the call go to the file that ends.
   *
   * @return what was done
   */
  String rotate();
}
