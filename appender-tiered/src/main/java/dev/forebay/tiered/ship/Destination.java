package dev.forebay.tiered.ship;

import java.io.IOException;

/**
 * The final place of records. Every method is called on the shipper's thread and may block as long
 * as the medium does. After a method that throws, the shipper backs off and {@linkplain #take
 * takes} the records again, as lost ones.
 *
 * <p>A destination reads a spool from its first to its last record. What is final here it
 * {@linkplain Records#commit commits}, and no record that is final here is copied again, whatever
 * was killed or failed in between.
 */
public interface Destination {

  /** Result of {@link #copy}: another process changed the destination. */
  int LOST = -1;

  /** Name for messages. */
  String name();

  /** Whether what is final here survives a power cut, so that a checkpoint has to as well. */
  default boolean survivesPowerCuts() {
    return false;
  }

  /** Whether shippers of two such may take turns with one, and one go on after the other. */
  default boolean canShare() {
    return true;
  }

  /**
   * Begins or resumes a spool: seeks its first record that is not final here.
   *
   * @param isLost whether what is here has to be found out again, and only the spool taken last may
   *     follow: at first, after a failure, or because another process may have written here
   */
  void take(Records records, boolean isLost) throws IOException;

  /**
   * Copies the next batch of so many records, maybe 0; {@link #LOST} if they must be taken again.
   */
  int copy(Records records) throws IOException;

  /** Bytes copied since the last commit. */
  long uncommittedBytes(Records records);

  /** Makes what was copied final. */
  void commit(Records records) throws IOException;

  /** As {@link #commit}; the next record is of another spool, or none follows. */
  default void suspend(Records records) throws IOException {
    commit(records);
  }

  /** Ends a spool that is gone or will be; whether one attempt made final what was copied. */
  boolean abandon(Records records) throws IOException;

  /** How long this destination needs no turn while no record comes, nanoseconds. */
  default long dueInNs(long nowMs) {
    return Long.MAX_VALUE;
  }

  /** Writes what is due after the last record. Not if track is lost. */
  default void end() throws IOException {}

  /** Frees everything. Never throws. */
  void close();
}
