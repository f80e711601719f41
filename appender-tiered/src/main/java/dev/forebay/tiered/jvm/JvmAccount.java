package dev.forebay.tiered.jvm;

import dev.forebay.observe.Ledger;

/**
 * Counts what was read, for the appender's {@link Ledger}: a line is offered when the shipper may
 * read it, and so is a line of ours that says what is missing: of several that are given up, it
 * stands for the last one. Written by the flusher's thread, read by any.
 */
public final class JvmAccount implements Ledger.Intake {

  private volatile long offered;
  private volatile long lostBytes;
  private volatile boolean isTried;
  private volatile boolean isOpen;
  private volatile boolean isClosed;

  /** An account without lines. */
  public JvmAccount() {}

  @SuppressWarnings("NonAtomicVolatileUpdate") // one writer
  void offer(long lines) {
    offered += lines;
  }

  @SuppressWarnings("NonAtomicVolatileUpdate") // one writer
  void lose(long bytes) {
    lostBytes += bytes;
  }

  void open() {
    isOpen = true;
  }

  void close() {
    isOpen = false;
    isClosed = true;
  }

  /** The first attempt to have the JVM write has succeeded or failed. */
  void tried() {
    isTried = true;
  }

  /** Whether the first attempt has ended. */
  public boolean isTried() {
    return isTried;
  }

  /** Whether the JVM writes to an output of ours. */
  public boolean isOpen() {
    return isOpen;
  }

  /** Bytes of the JVM's log that did not get into ours, as far as that is known. */
  public long lostBytes() {
    return lostBytes;
  }

  @Override
  public long accepted() {
    return offered;
  }

  @Override
  public void settleStragglers() {}

  @Override
  public long retire() {
    return isClosed ? offered : -1;
  }
}
