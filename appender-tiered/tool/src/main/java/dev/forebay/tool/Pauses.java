package dev.forebay.tool;

import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;

/** How the main thread waits; tests let time pass. */
interface Pauses {

  /** Whether the end is requested; waits for that at most so many nanoseconds. */
  boolean isStopped(long atMostNs) throws InterruptedException;

  /** Waits, whether the end is requested or not. */
  void pause(long ns);

  static Pauses of(CountDownLatch stop) {
    return new Pauses() {
      @Override
      public boolean isStopped(long atMostNs) throws InterruptedException {
        return stop.await(atMostNs, TimeUnit.NANOSECONDS);
      }

      @Override
      public void pause(long ns) {
        LockSupport.parkNanos(ns);
      }
    };
  }
}
