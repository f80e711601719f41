package dev.forebay.pipeline;

import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** Opens an {@link Outpost} some time after the start, and closes it if it was opened. */
final class OutpostCare {

  private final Supplier<? extends Outpost> outposts;
  private final long openNs;

  /** Made by the watcher's thread; read by turns and the shutdown hook. */
  private volatile @Nullable Outpost outpost;

  /** Set once, by the thread that stops the appender. */
  private volatile boolean leaving;

  // Set once, by turns.
  private volatile boolean opened;
  private volatile boolean closed;

  /**
   * @param outposts makes it, some time after the start
   * @param openNs when it may be opened
   */
  OutpostCare(Supplier<? extends Outpost> outposts, long openNs) {
    this.outposts = outposts;
    this.openNs = openNs;
  }

  /** Whether a turn is to tend it. The watcher's thread. */
  boolean isDue(long nowNs) {
    if (leaving || nowNs - openNs < 0) {
      return false;
    }
    Outpost kept = outpost;
    if (kept == null) {
      kept = outposts.get();
      outpost = kept;
    }
    return kept.isDue();
  }

  /** In a turn. */
  void tend() {
    Outpost kept = outpost;
    if (kept == null) {
      return;
    }
    opened = true; // then looks whether the appender is to leave
    if (!leaving && kept.isDue()) {
      kept.tend();
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
