package dev.forebay.pipeline;

import dev.forebay.agent.Agent;
import dev.forebay.agent.Parking;
import java.io.IOException;
import java.nio.channels.CancelledKeyException;
import java.nio.channels.ClosedChannelException;
import java.nio.channels.SelectionKey;
import java.nio.channels.Selector;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import org.jspecify.annotations.Nullable;

/**
 * The doors of all appenders. While there is one, the watcher's thread parks in a selector, so that
 * someone who knocks wakes it; before the first one it parks like any other, and nothing of this
 * costs a file or a class.
 *
 * <p>Only the watcher's thread opens and closes the selector, never while it is parked. So whoever
 * finds it parked sees the selector that it is parked in.
 *
 * <p>At its very end HotSpot gives threads in native code, such as one in a selector, 0.3 s to come
 * back. So once the JVM is ending, the thread parks like any other, and only looks at the selector
 * now and then.
 */
final class Doors implements Parking {

  private static final long NS_PER_MS = 1_000_000;

  /** How long someone who knocks while the JVM is ending waits at most. */
  static final long POLL_NS = 20_000_000;

  private final Parking threads;

  /** Doors at which the watcher does not wait yet. Filled by any thread. */
  private final Queue<Door> toWaitAt = new ConcurrentLinkedQueue<>();

  /** Whether it could not wait at a door, and has said so. The watcher's thread, like the next. */
  private boolean isShort;

  /** Written by the watcher's thread; read by whoever wakes it. */
  private volatile @Nullable Selector selector;

  /** Set once, by the shutdown hook; read by the watcher's thread. */
  private volatile boolean isEnding;

  Doors() {
    this(OF_THREADS);
  }

  /**
   * For tests.
   *
   * @param threads how a thread parks that waits at no door
   */
  Doors(Parking threads) {
    this.threads = threads;
  }

  /** Keeps the watcher's thread out of native code from now on. Any thread; wake it then. */
  void prepareForShutdown() {
    isEnding = true;
  }

  /** Has the watcher wait at a door from its next look on. Any thread; wake the watcher then. */
  void add(Door door) {
    toWaitAt.add(door);
  }

  /** Whether no look is needed until someone knocks or adds a door. */
  boolean isSettled() {
    return toWaitAt.isEmpty();
  }

  /**
   * Opens new doors, and tells those at which someone knocks. The watcher's thread.
   *
   * @throws IllegalStateException if it cannot wait at a door; once until it can. Each later look
   *     tries again
   */
  void look(Runnable wakeWatcher) {
    for (int left = toWaitAt.size(); left > 0; left--) {
      waitAt(toWaitAt.remove());
    }
    Selector current = selector;
    if (current == null) {
      return;
    }
    for (SelectionKey key : current.selectedKeys()) {
      Door door = (Door) key.attachment();
      try {
        key.interestOps(0);
        door.knocked(
            () -> {
              add(door);
              wakeWatcher.run();
            });
      } catch (CancelledKeyException e) {
        // Its owner has just closed it.
      }
    }
    current.selectedKeys().clear();
  }

  private void waitAt(Door door) {
    try {
      Selector current = selector;
      if (current == null) {
        current = door.channel().provider().openSelector();
        selector = current;
      }
      door.channel().register(current, SelectionKey.OP_ACCEPT, door);
      isShort = false;
    } catch (ClosedChannelException | CancelledKeyException e) {
      // Its owner has closed it meanwhile.
    } catch (IOException e) { // too many open files
      toWaitAt.add(door);
      if (!isShort) {
        isShort = true;
        throw new IllegalStateException("No selector for the control socket; trying again", e);
      }
    }
  }

  /** The watcher's thread, last. */
  void close() {
    Selector current = selector;
    selector = null;
    if (current != null) {
      try {
        current.close();
      } catch (IOException e) {
        // Nothing was written.
      }
    }
  }

  @Override
  public void park(Object blocker, long parkNs) {
    Selector current = selector;
    if (current == null) {
      threads.park(blocker, parkNs);
      return;
    }
    try {
      if (isEnding) {
        threads.park(blocker, Math.min(parkNs, POLL_NS));
        current.selectNow();
      } else if (parkNs == Agent.UNTIL_WOKEN) {
        current.select();
      } else {
        current.select(Math.max(1, parkNs / NS_PER_MS));
      }
    } catch (IOException e) { // not seen on Linux; then the doors stay closed
      close();
    }
  }

  @Override
  public void unpark(Thread thread) {
    threads.unpark(thread);
    Selector current = selector;
    if (current != null) {
      current.wakeup();
    }
  }
}
