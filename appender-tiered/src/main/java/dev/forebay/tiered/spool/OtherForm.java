package dev.forebay.tiered.spool;

import dev.forebay.tiered.identity.InstanceId;
import java.io.IOException;
import java.nio.file.Path;
import java.util.NavigableMap;
import org.jspecify.annotations.Nullable;

/** Spools whose records are not in frames: the JVM's directories. For the shipper's thread. */
public interface OtherForm {

  /** Nothing of them can be shipped. */
  OtherForm UNKNOWN =
      new OtherForm() {
        @Override
        public @Nullable SegmentFeed rescue(SpoolDirectory directory, SpoolLease lease) {
          return null;
        }

        @Override
        public @Nullable Files live(SpoolDirectory directory, Path spool) {
          return null;
        }
      };

  /** Completes a dead one and lists its files; null if it cannot be shipped now. */
  @Nullable SegmentFeed rescue(SpoolDirectory directory, SpoolLease lease);

  /** One whose owner lives and shows how far it is; null if it cannot be read. */
  @Nullable Files live(SpoolDirectory directory, Path spool);

  /** The files of one that another process fills. */
  interface Files {

    /** As {@link SegmentFeed#content}. */
    SegmentContent content(InstanceId spool);

    /** Finds what is there now, for the next call of the other. */
    void list() throws IOException;

    /** As {@link SegmentFeed#addNew}; also removes what is unread and was given up since. */
    void addNew(NavigableMap<Long, Segment> segments, long wanted);

    /** As {@link OwnSpool#firstSequence}. */
    long firstSequence() throws IOException;

    /** It is not needed, or cannot be read, any more: it is not added again. */
    void retire(Segment segment);
  }
}
