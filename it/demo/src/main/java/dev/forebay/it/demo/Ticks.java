package dev.forebay.it.demo;

import java.util.concurrent.TimeUnit;

/** Time of the demo: it runs in real time, in steps. */
final class Ticks {

  private Ticks() {}

  /** Waits; an interrupt ends the demo. */
  static void sleep(long millis) {
    try {
      TimeUnit.MILLISECONDS.sleep(millis);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new DemoFailure("Interrupted");
    }
  }

  /** Seconds since an earlier {@code System.nanoTime()}. */
  static double secondsSince(long startNs) {
    return (System.nanoTime() - startNs) / 1e9;
  }
}
