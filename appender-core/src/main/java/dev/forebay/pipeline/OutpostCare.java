package dev.forebay.pipeline;

import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** Opens an {@link Outpost} some time after the start, and closes it if it was opened. */
final class OutpostCare {

  private final Supplier<? extends Outpost> outposts;

  /** When it may be tended, and how long after that again, if it is still due then. */
  private volatile long nextNs;

  /** Used by turns. */
  private long pauseNs;

  /** Made by the watcher's thread; read by turns and the shutdown hook. */
  private volatile @Nullable Outpost outpost;

  /** Set once, by the thread that stops the appender, or if there can be no outpost. */
  private volatile boolean leaving;

  // Set once, by turns.
  private volatile boolean opened;
  private volatile boolean closed;

  /**
   * @param outposts makes it, some time after the start
   * @param nowNs now
   * @param pauseNs how much later it may be opened
   */
  OutpostCare(Supplier<? extends Outpost> outposts, long nowNs, long pauseNs) {
    this.outposts = outposts;
    this.nextNs = nowNs + pauseNs;
    this.pauseNs = pauseNs;
  }

  /** Whether a turn is to tend it. The watcher's thread. */
  boolean isDue(long nowNs) {
    if (leaving || nowNs - nextNs < 0) {
      return false;
    }
    Outpost kept = outpost;
    if (kept == null) {
      try {
        kept = outposts.get();
      } catch (LinkageError e) { // a runtime without java.management: it would be the same again
        leaving = true;
        throw e;
      }
      outpost = kept;
    }
    return kept.isDue();
  }

  /** In a turn. What stays due, for example since the heap is full, is tended ever less often. */
  void tend(long nowNs) {
    Outpost kept = outpost;
    if (kept == null) {
      return;
    }
    opened = true; // then looks whether the appender is to leave
    if (!leaving && nowNs - nextNs >= 0 && kept.isDue()) {
      long nowPauseNs = pauseNs;
      nextNs = nowNs + nowPauseNs; // first, in case of an Error
      pauseNs = Math.min(2 * nowPauseNs, Watcher.QUIET_WATCH_NS);
      kept.tend();
      if (!kept.isDue()) {
        nextNs = nowNs;
        pauseNs = nowPauseNs;
      }
    }
  }

  /** Has nothing opened any more; returns whether a turn is to close something. */
  boolean leave() {
    leaving = true; // then looks whether something was opened
    return isToBeClosed();
  }

  boolean isToBeClosed() {
    return leaving && opened && !closed;
  }

  /** In a turn. */
  void close() {
    try {
      Outpost kept = outpost;
      if (kept != null) {
        kept.close();
      }
    } finally {
      closed = true;
    }
  }

  /** The shutdown hook. */
  void endWithJvm() {
    Outpost kept = outpost;
    if (kept != null) {
      kept.endWithJvm();
    }
  }
}
