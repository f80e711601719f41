package dev.forebay.tiered;

import dev.forebay.observe.AppenderMXBean;

/** What a tiered appender shows to JMX beyond its ring. */
public interface TieredAppenderMXBean extends AppenderMXBean {

  /** Bytes of the spool's segments, spares included. */
  long getSpoolBytes();

  /** Cap of the spool in bytes; 0 while there is no spool. */
  long getSpoolLimitBytes();

  /** Events of this appender that are in the log, durable unless fsync is {@code never}. */
  long getDurableUpTo();

  /** Events of earlier processes, or of earlier starts, that this appender shipped. */
  long getRecovered();

  /** Events left in the spool by stop(), for the next appender to ship. */
  long getHandedOver();

  /** Directory of the spool in use; "" while there is none. */
  String getSpoolPath();
}
