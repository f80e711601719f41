package dev.forebay.tiered;

import dev.forebay.observe.AppenderMXBean;
import dev.forebay.observe.Description;
import dev.forebay.observe.LedgerSnapshot;

/** The JMX attributes of a tiered appender, in addition to its ring's. */
public interface TieredAppenderMXBean extends AppenderMXBean {

  /** Bytes of the spool's segments, spares included. */
  @Description("Bytes of the spool's segments, spares included")
  long getSpoolBytes();

  /** Cap of the spool in bytes; 0 while there is no spool. */
  @Description("Cap of the spool in bytes; 0 while there is no spool")
  long getSpoolLimitBytes();

  /**
   * The watermark below which a power cut loses nothing. Events are numbered from 0 in the order in
   * which this start put them into its spool, which is the order in which they were accepted. An
   * event that never gets there (not encodable, too large, abandoned in the ring) has no number.
   * Each event with a number below this one was forced to the disk, including its directory
   * entries, or was counted as {@code SPOOL_LOST}.
   *
   * <p>Only grows; the next start begins at 0 again. Stays 0 if fsync is {@code never}. Later
   * compression, copying or deletion of rolled files is not taken into account.
   */
  @Description(
      "Number of events of this start, in the order in which they were spooled, that a power cut can no longer lose")
  long getDurableUpTo();

  /** As {@link LedgerSnapshot#unconfirmed}. */
  @Description(
      "Log calls that returned before their events were in the spool, against <durability>")
  long getUnconfirmed();

  /** Events of earlier processes, or of earlier starts, that this appender shipped. */
  @Description("Events of earlier processes, or of earlier starts, that this appender shipped")
  long getRecovered();

  /** Bytes of the JVM's log that are missing in this one, as far as known; 0 in a log of events. */
  @Description(
      "Bytes of the JVM's log that are missing in this one, as far as known; 0 in a log of events")
  long getLostBytes();

  /** Directory of the spool in use; "heap" for one in the heap, "" while there is none. */
  @Description(
      "Directory of the spool in use; \"heap\" for one in the heap, empty while there is none")
  String getSpoolPath();

  /** As {@link LedgerSnapshot#held}. */
  @Description("Events that the flight recorder holds, and that are not for the log")
  long getHeld();

  /** As {@link LedgerSnapshot#expired}. */
  @Description("Events that the flight recorder has recorded and overwritten since")
  long getExpired();

  /** Bytes of the flight recorder's segments. */
  @Description("Bytes of the flight recorder's segments")
  long getRecorderBytes();

  /** Dumps that this start has written. */
  @Description("Dumps of the flight recorder that this start has written")
  long getDumps();

  /** Dumps that could not be written. */
  @Description("Dumps of the flight recorder that could not be written")
  long getFailedDumps();

  /** Copies of events in those dumps: no part of the account. */
  @Description("Copies of events in those dumps")
  long getDumpedEvents();

  /** The newest dump's file; "" before the first. */
  @Description("File of the newest dump; empty before the first")
  String getLastDump();

  /** As {@link TieredAppender#dump}. */
  @Description("Asks the flight recorder for a dump; false if one is asked for already")
  boolean dump(@Description("Becomes a part of the file's name") String reason);
}
