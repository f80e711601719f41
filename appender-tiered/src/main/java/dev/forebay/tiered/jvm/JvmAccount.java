package dev.forebay.tiered.jvm;

import dev.forebay.observe.Ledger;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;

/**
 * Counts what was read, for the appender's {@link Ledger}: a line is offered when it is first
 * passed to the spool. Lines that a stop leaves in the JVM's files were never offered. Written by
 * the flusher's thread, read by any.
 */
public final class JvmAccount implements Ledger.Intake {

  private final CountDownLatch tried = new CountDownLatch(1);

  private volatile long offered;
  private volatile long lostBytes;
  private volatile boolean isOpen;
  private volatile boolean isClosed;

  /** Without lines. */
  public JvmAccount() {}

  @SuppressWarnings("NonAtomicVolatileUpdate") // one writer
  void offer() {
    offered++;
  }

  /** The line last offered is left in the JVM's files. */
  @SuppressWarnings("NonAtomicVolatileUpdate") // one writer
  void takeBack() {
    offered--;
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
    tried.countDown();
  }

  /** Waits for that, at most so long. An interrupt ends the wait; the flag stays set. */
  public void awaitFirstTry(long timeoutNs) {
    try {
      boolean unused = tried.await(timeoutNs, TimeUnit.NANOSECONDS);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
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
