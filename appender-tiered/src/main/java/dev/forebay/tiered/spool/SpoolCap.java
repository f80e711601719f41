package dev.forebay.tiered.spool;

/**
 * The limit on the size of a spool. The spool asks before it creates a segment and reports when it
 * has deleted one, so the cap may change during its life.
 */
public interface SpoolCap {

  /** A constant cap for one spool. */
  static SpoolCap fixed(long bytes) {
    return new SpoolCap() {
      @Override
      public void opened(InstanceId spool) {}

      @Override
      public boolean hasRoom(long usedBytes, int segmentBytes) {
        return usedBytes + segmentBytes <= bytes;
      }

      @Override
      public boolean take(long usedBytes, int segmentBytes) {
        return hasRoom(usedBytes, segmentBytes);
      }

      @Override
      public void giveBack(int segmentBytes) {}

      @Override
      public boolean keepsSpares(long usedBytes, int segmentBytes) {
        return true;
      }

      @Override
      public long bytes(long usedBytes, int segmentBytes) {
        return bytes;
      }

      @Override
      public void refresh() {}

      @Override
      public void closed(InstanceId spool, long usedBytes) {}
    };
  }

  /** A spool was created, without segments. Called by the flusher's thread. */
  void opened(InstanceId spool);

  /** Whether {@link #take} would succeed now. Called by the flusher's thread. */
  boolean hasRoom(long usedBytes, int segmentBytes);

  /**
   * Takes the space of a segment. Called by the flusher's thread.
   *
   * @param usedBytes bytes the spool has already
   * @return false at the cap
   */
  boolean take(long usedBytes, int segmentBytes);

  /** Returns the space of a segment. Called by the flusher's or the shipper's thread. */
  void giveBack(int segmentBytes);

  /**
   * Whether a spool of this size, which includes a shipped segment, keeps that segment for new
   * records although other spools may need its space. Called by the shipper's thread.
   */
  boolean keepsSpares(long usedBytes, int segmentBytes);

  /** The cap of a spool of this size. For any thread. */
  long bytes(long usedBytes, int segmentBytes);

  /** Updates, if it is time, how much other spools have taken. Called by the flusher's thread. */
  void refresh();

  /** The spool of this size is closed or deleted; some of its files may be left. */
  void closed(InstanceId spool, long usedBytes);
}
