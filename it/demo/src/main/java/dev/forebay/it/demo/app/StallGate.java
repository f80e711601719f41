package dev.forebay.it.demo.app;

/**
 * A point in the code that stands for the disk: closed, nobody gets past it, as when the disk does
 * not answer. Used only where the demo may not freeze a real file system.
 */
final class StallGate {

  /** The gate before all log files of this JVM. */
  static final StallGate LOGS = new StallGate();

  /** Guarded by this. */
  private boolean isClosed;

  StallGate() {}

  synchronized void close() {
    isClosed = true;
  }

  synchronized void open() {
    isClosed = false;
    notifyAll();
  }

  /** Returns at once while the gate is open. Like a disk, it takes no notice of interrupts. */
  void pass() {
    boolean isInterrupted = false;
    synchronized (this) {
      while (isClosed) {
        try {
          wait();
        } catch (InterruptedException e) {
          isInterrupted = true;
        }
      }
    }
    if (isInterrupted) {
      Thread.currentThread().interrupt();
    }
  }
}
