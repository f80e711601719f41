package dev.forebay.tiered.spool;

import dev.forebay.tiered.identity.InstanceId;
import java.io.Closeable;
import java.io.IOException;
import java.nio.file.Path;
import org.jspecify.annotations.Nullable;

/**
 * What this process fills and the shipper's thread empties. The flusher's thread adds the records,
 * the shipper's thread owns {@link #source}; the other methods are for any thread unless they say
 * otherwise.
 */
public interface OwnSpool extends Closeable {

  /** The end where records leave; for the shipper's thread. */
  RecordSource source();

  default Path path() {
    return source().path();
  }

  default InstanceId instanceId() {
    return source().instanceId();
  }

  /**
   * Claims it for the shipper, which reads it next: from now on it stays where it is. False while
   * it is being moved. Until then {@link #source} may be replaced.
   */
  default boolean claim() {
    return true;
  }

  /** Where the claimed spool was moved to; null if it was not moved. */
  default @Nullable SpoolDirectory movedTo() {
    return null;
  }

  /** Records below this sequence are released: with a damaged checkpoint, only this says so. */
  default long firstSequence() {
    return 0;
  }

  /** Sequence after the last record that can be read. */
  long publishedSequence();

  /** Sequence after the last record that was added; for the flusher's thread. */
  default long nextSequence() {
    return publishedSequence();
  }

  /** Closes files that only a reader needs, until the next record. For the shipper's thread. */
  default void rest() {}

  /** Asks the process that ships it to commit all there is soon. Any thread. */
  default void requestCommit() {}

  /** Tells the process that ships it that nothing more is added. Any thread. */
  default void retire() {}

  /** Whether the spool is lost with the process. */
  default boolean isInHeap() {
    return false;
  }

  long usedBytes();

  long limitBytes();

  /**
   * Frees the lock and the files and keeps the data for the next shipper. Records that cannot be
   * read yet are lost. To be called by the last user.
   */
  @Override
  default void close() {
    source().close();
  }

  /**
   * Deletes the spool, which must be completely shipped. To be called like {@link #close}. If it
   * throws, nothing is deleted and the spool stays locked; it can be discarded again or closed, but
   * takes no more records.
   */
  default void discard() throws IOException {
    source().discard();
  }
}
