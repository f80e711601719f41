package dev.forebay.pipeline;

import dev.forebay.agent.NanoClock;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;

/** A step that one thread makes once, and others may wait for. */
final class Step {

  private final CountDownLatch latch = new CountDownLatch(1);

  /** Called when it has succeeded or failed. */
  void done() {
    latch.countDown();
  }

  boolean isDone() {
    return latch.getCount() == 0;
  }

  /** Waits for at most {@code timeoutNs}. An interrupt ends the wait; the flag stays set. */
  void awaitBriefly(long timeoutNs) {
    try {
      boolean unused = latch.await(timeoutNs, TimeUnit.NANOSECONDS);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  /** As the other, but an interrupt does not shorten the wait. */
  void await(long timeoutNs, NanoClock clock) {
    long deadlineNs = clock.nanoTime() + timeoutNs;
    long leftNs = timeoutNs;
    boolean interrupted = false;
    while (!isDone() && leftNs > 0) {
      try {
        boolean unused = latch.await(leftNs, TimeUnit.NANOSECONDS);
        break;
      } catch (InterruptedException e) {
        interrupted = true;
        leftNs = deadlineNs - clock.nanoTime();
      }
    }
    if (interrupted) {
      Thread.currentThread().interrupt();
    }
  }
}
