package dev.forebay.tiered.ship;

import dev.forebay.agent.Voice;

/** Receives the fate of records, and warnings. Called on the shipper's thread. */
public interface ShippingListener extends Voice {

  /**
   * The fate of more records of this appender is known. One call, so that a thread that waits for
   * their fate finds all of it.
   *
   * @param committed are in the log, and durable if the fsync policy forces
   * @param lost were in the spool and can no longer be read
   * @param reached each of the first ones that this appender put into its spools, counted in order
   *     over all of them, is committed or lost; never includes records that were appended and then
   *     neither abandoned nor, if the fsync policy forces, forced
   */
  default void settled(long committed, long lost, long reached) {}

  /** The destination refuses so many of the lost records of the next {@link #settled}. */
  default void refused(long records) {}

  /** Records of this appender did not get into a spool's files, or were left in the heap. */
  default void lost(long records) {}

  /** Records of an earlier process, or of an earlier start, are in the log. */
  default void recovered(long records) {}

  @Override
  default void warn(String text) {}

  /** Another appender ships to the destination, which is not opened before that one stops. */
  default void waits(String text) {
    warn(text);
  }

  /** An attempt to read a spool failed; the log may be fine. */
  default void unreadable(Exception cause) {}

  /** An attempt to use the log failed. */
  default void failed(Exception cause) {}

  /** The destination was opened. */
  default void opened() {}

  /** The destination could not be opened; {@link #failed} follows. */
  default void openingFailed(Exception cause) {}

  /** The log works. */
  default void worked() {}
}
