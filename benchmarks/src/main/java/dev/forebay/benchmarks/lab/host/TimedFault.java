package dev.forebay.benchmarks.lab.host;

import java.io.IOException;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * Makes a disk sick for a part of the measured time.
 *
 * <p>The fault counts from the moment it is asked for, since writers may have to wait from then on,
 * to the moment the disk is known to be well again.
 */
final class TimedFault implements Disturbance {

  private final LabDisk disk;
  private final long fromMs;
  private final long toMs;
  private final CountDownLatch isOver = new CountDownLatch(1);

  /** Written by the thread that reads the child; null until the measured time begins. */
  private volatile @Nullable Thread thread;

  /** These are written by the fault's own thread. */
  private volatile Window window = Window.NONE;

  private volatile @Nullable String problem;

  /** Times are milliseconds since the begin of the measured time. */
  TimedFault(LabDisk disk, long fromMs, long toMs) {
    this.disk = disk;
    this.fromMs = fromMs;
    this.toMs = toMs;
  }

  @Override
  public void ready() {}

  @Override
  public void measuring(long nanos) {
    Thread clock = new Thread(() -> cause(nanos), "lab-fault");
    clock.setDaemon(true);
    clock.start();
    thread = clock;
  }

  @Override
  public void measured(long nanos) {
    isOver.countDown();
  }

  private void cause(long origin) {
    try {
      if (isOverBefore(origin, fromMs)) {
        return;
      }
      long began = sinceMs(origin);
      try {
        disk.beginFault();
        isOverBefore(origin, toMs);
      } finally {
        disk.endFault();
      }
      window = new Window(began, sinceMs(origin));
    } catch (IOException e) {
      problem = "the fault could not be caused: " + e.getMessage();
    } catch (InterruptedException e) {
      problem = "the fault was broken off";
    }
  }

  private boolean isOverBefore(long origin, long ms) throws InterruptedException {
    long left = origin + TimeUnit.MILLISECONDS.toNanos(ms) - System.nanoTime();
    return isOver.await(left, TimeUnit.NANOSECONDS);
  }

  private static long sinceMs(long origin) {
    return TimeUnit.NANOSECONDS.toMillis(System.nanoTime() - origin);
  }

  @Override
  public void close() {
    isOver.countDown();
    Thread clock = thread;
    if (clock != null) {
      try {
        clock.join();
      } catch (InterruptedException e) {
        Thread.currentThread().interrupt();
      }
    }
  }

  @Override
  public Window window() {
    return window;
  }

  @Override
  public @Nullable String problem() {
    String reason = problem;
    return reason == null && window.equals(Window.NONE)
        ? "the measured time was over before the fault"
        : reason;
  }
}
