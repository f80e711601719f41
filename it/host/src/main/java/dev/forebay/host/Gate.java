package dev.forebay.host;

import java.util.concurrent.CountDownLatch;

/** Holds whoever comes, until it is opened: a disk that does not answer. */
public final class Gate {

  private final CountDownLatch reached = new CountDownLatch(1);
  private final CountDownLatch opened = new CountDownLatch(1);

  /** Called by the thread to be held. */
  public void pass() {
    reached.countDown();
    Await.latch(opened);
  }

  /** Waits until somebody is held. */
  public void awaitReached() {
    Await.latch(reached);
  }

  /** Lets through everybody, now and later. */
  public void open() {
    opened.countDown();
  }
}
