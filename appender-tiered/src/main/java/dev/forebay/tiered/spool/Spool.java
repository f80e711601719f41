package dev.forebay.tiered.spool;

import java.io.Closeable;
import java.io.IOException;
import java.nio.file.Path;

/**
 * The spool this process writes. The flusher's thread owns {@link #writer}, the shipper's thread
 * owns {@link #source}; the other methods are for any thread unless they say otherwise.
 */
public final class Spool implements Closeable {
  Spool() {}

  /** Its directory. */
  public Path path() {
    throw new UnsupportedOperationException();
  }

  /** Its identity. */
  public InstanceId instanceId() {
    throw new UnsupportedOperationException();
  }

  /** The end records enter by; for the flusher's thread. */
  public SpoolWriter writer() {
    throw new UnsupportedOperationException();
  }

  /** The end records leave by; for the shipper's thread. */
  public RecordSource source() {
    throw new UnsupportedOperationException();
  }

  /** Bytes of all segments, spares included; never above {@link #limitBytes}. */
  public long usedBytes() {
    throw new UnsupportedOperationException();
  }

  /** The cap. */
  public long limitBytes() {
    throw new UnsupportedOperationException();
  }

  /**
   * Whether the directory and its lock still stand where they were created. After a recursive
   * delete or an unmount writes succeed but reach nobody: the caller then closes this spool and
   * creates another.
   */
  public boolean isPathIntact() {
    throw new UnsupportedOperationException();
  }

  /**
   * Frees the lock and the files and keeps the data: hands it over to whoever ships next. Records
   * that were appended but not flushed are gone. Called by the last user, when neither writer nor
   * source is in use any more.
   */
  @Override
  public void close() {
    throw new UnsupportedOperationException();
  }

  /**
   * Deletes the spool, which must be shipped completely. Called like {@link #close}. When it
   * throws, the spool is unchanged and still open.
   */
  public void discard() throws IOException {
    throw new UnsupportedOperationException();
  }
}
