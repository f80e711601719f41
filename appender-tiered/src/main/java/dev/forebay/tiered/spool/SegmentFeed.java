package dev.forebay.tiered.spool;

import java.io.IOException;
import java.util.NavigableMap;

/** Where a reader gets its segments from and gives them back to. Shipper's thread only. */
interface SegmentFeed {
  /** The limit of a spool nobody writes any more: the end of its data has to be found. */
  long UNKNOWN = Long.MAX_VALUE;

  /** Records below this sequence are written, all of them. */
  long limit();

  /** Adds, by first sequence, the segments that have come since the last call. */
  void addNew(NavigableMap<Long, Segment> segments);

  /** Gives back a segment whose content nobody needs any more. */
  void retire(Segment segment) throws IOException;
}
