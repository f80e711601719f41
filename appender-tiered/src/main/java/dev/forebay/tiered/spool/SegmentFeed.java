package dev.forebay.tiered.spool;

import dev.forebay.tiered.identity.InstanceId;
import java.io.IOException;
import java.util.NavigableMap;

/** Provides a reader with segments and takes them back. For the shipper's thread only. */
public interface SegmentFeed {
  /** The limit of a spool that is no longer written: the end of its data must be searched. */
  long UNKNOWN = Long.MAX_VALUE;

  /** All records below this sequence are written. */
  default long limit() {
    return UNKNOWN;
  }

  /** Whether the segments may still be written: what cannot be read now is then read later. */
  default boolean isLive() {
    return limit() != UNKNOWN;
  }

  /** Whether there are no segments at all, before the first of them is added. */
  default boolean isEmpty() {
    return false;
  }

  /** What reads the segments of this spool; made when they are first read. */
  default SegmentContent content(InstanceId spool) {
    return FrameContent.orphan(spool);
  }

  /**
   * Adds, by first sequence, the segments that are new since the last call; at least that of the
   * wanted record, and the one before it.
   */
  void addNew(NavigableMap<Long, Segment> segments, long wanted);

  /** Takes back a segment whose content is no longer needed. */
  default void retire(Segment segment) throws IOException {}

  /** Closes the file being written; nothing more is added. */
  default void closeFile() {}

  /** The spool is closed or deleted: a writer in this process ends. May be repeated. */
  default void close() {}
}
