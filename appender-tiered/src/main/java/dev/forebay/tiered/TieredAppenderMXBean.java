package dev.forebay.tiered;

import dev.forebay.observe.AppenderMXBean;
import dev.forebay.observe.Description;

/** What a tiered appender shows to JMX beyond its ring. */
public interface TieredAppenderMXBean extends AppenderMXBean {

  /** Bytes of the spool's segments, spares included. */
  @Description("Bytes of the spool's segments, spares included")
  long getSpoolBytes();

  /** Cap of the spool in bytes; 0 while there is no spool. */
  @Description("Cap of the spool in bytes; 0 while there is no spool")
  long getSpoolLimitBytes();

  /**
   * The watermark below which a power cut takes nothing. Events are numbered from 0 by the order in
   * which this start put them into its spool, which is the order in which they were accepted; an
   * event that never gets there (not encodable, too large, abandoned in the ring) has no number.
   * Each event with a number below this one was forced to the disk, with the directory entries by
   * which it is found, or was counted as {@code SPOOL_LOST}.
   *
   * <p>Only grows, and begins at 0 again with the next start. Stays 0 when fsync is {@code never}.
   * What compresses, copies or deletes files that were rolled is not looked at.
   */
  @Description(
      "Number of events of this start, in the order in which they were spooled, that a power cut cannot take any more")
  long getDurableUpTo();

  /** Events of earlier processes, or of earlier starts, that this appender shipped. */
  @Description("Events of earlier processes, or of earlier starts, that this appender shipped")
  long getRecovered();

  /** Directory of the spool in use; "heap" for one in the heap, "" while there is none. */
  @Description(
      "Directory of the spool in use; \"heap\" for one in the heap, empty while there is none")
  String getSpoolPath();
}
