package dev.forebay.pipeline;

import org.jspecify.annotations.Nullable;

/** Whether the {@link Outpost} of an appender, if it has one, is to be tended by the next turn. */
final class OutpostCare {

  /** Set before the start; cleared by the turn that closes it. */
  private volatile @Nullable Outpost outpost;

  /** Set by any thread, cleared by a turn. */
  private volatile boolean waits;

  void keep(Outpost kept) {
    outpost = kept;
    waits = true;
  }

  /** Has the next turn tend it. Any thread. */
  void request() {
    waits = true;
  }

  /** Whether a turn is to tend it. */
  boolean isDue() {
    return waits && outpost != null;
  }

  /** In a turn; the next one follows up while there is no watcher yet. */
  void tend(@Nullable Watcher watcher) {
    Outpost kept = outpost;
    if (waits && kept != null && watcher != null) {
      waits = false;
      kept.tend(watcher::add);
    }
  }

  /** In a turn. */
  void close() {
    Outpost kept = outpost;
    outpost = null;
    if (kept != null) {
      kept.close();
    }
  }
}
