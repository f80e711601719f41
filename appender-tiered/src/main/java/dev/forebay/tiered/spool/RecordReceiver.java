package dev.forebay.tiered.spool;

/** Receives records that were added to a spool but could not be written. */
@FunctionalInterface
public interface RecordReceiver {
  /**
   * Takes one record.
   *
   * @param level 0 (TRACE) to 4 (ERROR)
   */
  void take(byte[] payload, int level);
}
