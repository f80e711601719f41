package dev.forebay.tiered;

import dev.forebay.observe.AppenderMXBean;
import dev.forebay.observe.Description;

/** The JMX attributes of a tiered appender, in addition to its ring's. */
public interface TieredAppenderMXBean extends AppenderMXBean {

  @Description("Bytes of the spool's segments, spares included")
  long getSpoolBytes();

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

  @Description(
      "Log calls that returned before their events were in the spool, against <durability>")
  long getUnconfirmed();

  @Description("Events of earlier processes, or of earlier starts, that this appender shipped")
  long getRecovered();

  @Description(
      "Bytes of the JVM's log that are missing in this one, as far as known; 0 in a log of events")
  long getLostBytes();

  @Description(
      "Directory of the spool in use; \"heap\" for one in the heap, empty while there is none")
  String getSpoolPath();

  @Description("Events that the flight recorder holds, and that are not for the log")
  long getHeld();

  @Description("Events that the flight recorder has recorded and overwritten since")
  long getExpired();

  @Description("Bytes of the flight recorder's segments")
  long getRecorderBytes();

  @Description("Dumps of the flight recorder that this start has written")
  long getDumps();

  @Description("Dumps of the flight recorder that could not be written")
  long getFailedDumps();

  @Description("Copies of events in those dumps")
  long getDumpedEvents();

  @Description("File of the newest dump; empty before the first")
  String getLastDump();

  @Description("Asks the flight recorder for a dump; false if one is asked for already")
  boolean dump(@Description("Becomes a part of the file's name") String reason);
}
