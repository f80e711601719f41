package dev.forebay.tiered.ship;

import dev.forebay.tiered.spool.SpoolDirectory;
import java.io.IOException;

/**
 * The final place of records. Every method is called on the shipper's thread and may block as long
 * as the medium does. After a method that throws, the shipper {@linkplain #loseTrack says so},
 * backs off and takes up the records again.
 *
 * <p>A destination reads a spool from its first to its last record. What is final here it
 * {@linkplain Records#commit commits}, and no record that is final here is copied again, whatever
 * was killed or failed in between.
 */
public interface Destination {

  /** Name for messages. */
  String name();

  /**
   * Keeps processes that share no spool directory with us from copying to the same place; false
   * while one of them does. Until {@link #close}.
   */
  default boolean lock() {
    return true;
  }

  /** How far the spools of a directory are final here; the caller holds its ship lock. */
  Progress progressIn(SpoolDirectory directory);

  /**
   * Begins or resumes a spool: seeks its first record that is not final here, or not completely.
   * Called again for the same spool once track is lost.
   */
  void take(Records records) throws IOException;

  /**
   * Whether only the spool taken last may follow, after another {@link #take}: because track is
   * lost, or within a record. True before the first one.
   */
  boolean mustContinue();

  /** Something failed, or others may write here: what is here has to be found out again. */
  void loseTrack();

  /**
   * Completes what is pending, or else copies the next batch.
   *
   * @return records copied; 0 if there is nothing to do or track is lost
   */
  int copy(Records records) throws IOException;

  /** Bytes copied since the last commit. */
  long uncommittedBytes(Records records);

  /** Makes what was copied final. Not while this {@link #mustContinue must continue}. */
  void commit(Records records) throws IOException;

  /** As {@link #commit}; the next record is of another spool, or none follows. */
  default void suspend(Records records) throws IOException {
    commit(records);
  }

  /**
   * Ends a spool that is gone or will be: makes final what was copied, without a second attempt.
   *
   * @return whether that is final
   */
  boolean abandon(Records records) throws IOException;

  /**
   * How long this destination needs no turn while no record comes, nanoseconds.
   *
   * @param nowMs milliseconds since the epoch
   */
  default long dueInNs(long nowMs) {
    return Long.MAX_VALUE;
  }

  /** Writes what is due after the last record, unless this must continue; then it is closed. */
  default void end() throws IOException {}

  /** Frees everything. Never throws. */
  void close();
}
