package dev.forebay.it.demo.app;

import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;

/** Waiting between two looks at something. */
public final class Pause {

  private Pause() {}

  /** Waits about this long; shorter when the thread is interrupted. */
  public static void millis(long millis) {
    LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(millis));
  }
}
