package dev.forebay.tiered.spool;

/**
 * How much a spool may take. The spool asks before it makes a segment and says when it has deleted
 * one, so the cap may change while it lives.
 */
public interface SpoolCap {

  /** One that stays as it is and concerns nobody else. */
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

  /** A spool begins, with no segment. The flusher's thread. */
  void opened(InstanceId spool);

  /** Whether {@link #take} would take one now. The flusher's thread. */
  boolean hasRoom(long usedBytes, int segmentBytes);

  /**
   * Takes the room of a segment. The flusher's thread.
   *
   * @param usedBytes what the spool has already
   * @return false at the cap
   */
  boolean take(long usedBytes, int segmentBytes);

  /** A segment is gone. The flusher's or the shipper's thread. */
  void giveBack(int segmentBytes);

  /**
   * Whether a spool that has this much, one shipped segment included, keeps that one for new
   * records although others may need its room. The shipper's thread.
   */
  boolean keepsSpares(long usedBytes, int segmentBytes);

  /** The cap of a spool that has this much. Any thread. */
  long bytes(long usedBytes, int segmentBytes);

  /** Looks again, if it is time, what others have taken meanwhile. The flusher's thread. */
  void refresh();

  /** The spool is closed or deleted; it had this much, of which there may be files left. */
  void closed(InstanceId spool, long usedBytes);
}
