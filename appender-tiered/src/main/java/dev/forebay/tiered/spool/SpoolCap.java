package dev.forebay.tiered.spool;

/**
 * The limit on the size of a spool. The spool asks before it creates a segment and reports when it
 * has deleted one, so the cap may change during its life.
 */
@FunctionalInterface
public interface SpoolCap {

  /** A constant cap for one spool. */
  static SpoolCap fixed(long bytes) {
    return (usedBytes, segmentBytes) -> bytes;
  }

  /** A spool was created, without segments. Called by the flusher's thread. */
  default void opened(InstanceId spool) {}

  /** Whether {@link #take} would succeed now. Called by the flusher's thread. */
  default boolean hasRoom(long usedBytes, int segmentBytes) {
    return usedBytes + segmentBytes <= bytes(usedBytes, segmentBytes);
  }

  /**
   * Takes the space of a segment. Called by the flusher's thread.
   *
   * @param usedBytes bytes the spool has already
   * @return false at the cap
   */
  default boolean take(long usedBytes, int segmentBytes) {
    return hasRoom(usedBytes, segmentBytes);
  }

  /** Returns the space of a segment. Called by the flusher's or the shipper's thread. */
  default void giveBack(int segmentBytes) {}

  /**
   * Whether a spool of this size, which includes a shipped segment, keeps that segment for new
   * records although other spools may need its space. Called by the shipper's thread.
   */
  default boolean keepsSpares(long usedBytes, int segmentBytes) {
    return true;
  }

  /** The cap of a spool of this size. For any thread. */
  long bytes(long usedBytes, int segmentBytes);

  /** Updates, if it is time, how much other spools have taken. Called by the flusher's thread. */
  default void refresh() {}

  /** The spool of this size is closed or deleted; some of its files may be left. */
  default void closed(InstanceId spool, long usedBytes) {}
}
