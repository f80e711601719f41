package dev.forebay.observe;

import java.util.Map;

/**
 * Steers an appender, as {@code dev.forebay:type=Control,context=…,name=…} and through the socket
 * of the command line tool. With {@code <control>false</control>} there is neither. An operation
 * that refuses throws an {@link IllegalArgumentException} or {@link IllegalStateException} whose
 * message says what to write instead.
 */
@Description("Steers an appender of Forebay")
public interface ControlMXBean {

  @Description(
      "The account: offered = delivered + dropped + expired + held + inFlight, all of one moment")
  Map<String, Long> getAccount();

  @Description("The loggers with a level of their own, and how long it lasts")
  Map<String, String> getLevels();

  /**
   * Sets the level of a logger for a time. Then it gets back the level that it had, or inherits one
   * as before. A later call for the same logger replaces level and time; a reconfiguration of
   * Logback ends it.
   *
   * @param logger a class, a package or ROOT; also before its first event
   * @param level TRACE, DEBUG, INFO, WARN, ERROR or OFF
   * @param seconds 1 to 3600
   * @return what was done
   */
  @Description("Sets the level of a logger for a time")
  String setLevel(
      @Description("An existing logger, or ROOT") String logger,
      @Description("TRACE, DEBUG, INFO, WARN, ERROR or OFF") String level,
      @Description("How long, 1 to 3600 seconds") int seconds);

  /**
   * Rolls the log file now. Events that were logged before the call go to the file that ends.
   *
   * @return what was done
   */
  @Description("Rolls the log file now")
  String rotate();

  @Description(
      "Waits until all events offered before the call are in the log; returns whether they are")
  boolean flush(@Description("Longest wait, milliseconds; 0 only checks") long timeoutMillis);

  @Description("Writes what the flight recorder holds to a file beside the log")
  String dump(@Description("Part of the file's name") String reason);
}
