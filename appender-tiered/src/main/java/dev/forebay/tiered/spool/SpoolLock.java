package dev.forebay.tiered.spool;

import java.io.Closeable;

/**
 * An exclusive lock between processes, and between the class loaders of this one. The operating
 * system frees it when the last thread of its owner is gone, and not earlier.
 */
public final class SpoolLock implements Closeable {
  SpoolLock() {}

  /**
   * Whether the locked file still stands at its path; where it was deleted or replaced, somebody
   * else can take a lock of the same name.
   */
  public boolean isIntact() {
    throw new UnsupportedOperationException();
  }

  /** Frees the lock. A second call does nothing. */
  @Override
  public void close() {
    throw new UnsupportedOperationException();
  }
}
