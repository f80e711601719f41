package dev.forebay.observe;

import java.util.Map;

/**
 * The JMX view of an appender, as {@code dev.forebay:type=Appender,context=…,name=…}. If the name
 * is taken, {@code -2} and so on is appended. Nothing can be set, and no operation takes a path.
 */
public interface AppenderMXBean {

  /**
   * The account since the appender was created, all of one moment: {@code offered} = {@code
   * delivered} + {@code dropped} + {@code expired} + {@code held} + {@code inFlight}. {@code
   * dropped.REASON.LEVEL} splits the drops, without zeros. Other numbers follow: {@code
   * redacted.RULE} counts since the newest start.
   */
  Map<String, Long> getAccount();

  /**
   * What is degraded now, in words: failing outputs and since when, a spool that is missing or not
   * where it should be. "" if nothing is, before the first start and after a stop.
   */
  String getDegraded();

  /** The newest failure of an output; "" if there was none. */
  String getLastError();

  /**
   * Waits until all events offered before the call have reached their destination.
   *
   * @param timeoutMillis longest wait; 0 only checks
   * @return whether they have; false if the time is over or the appender was never started
   */
  boolean flush(long timeoutMillis);
}
