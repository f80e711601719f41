package dev.forebay.tiered.spool;

/**
 * The records of a {@link Loop} that a reader still needs: from the first it has not read to the
 * end, which is set later. The loop overwrites other records first.
 */
public final class LoopHold {
  private static final long OPEN = Long.MAX_VALUE;

  private final long from;

  /** Written by the flusher's thread, once; read by the reader's. */
  private volatile long to = OPEN;

  /** Records below this one are read; written by the reader's thread, read by the flusher's. */
  private volatile long below;

  LoopHold(long from) {
    this.from = from;
    this.below = from;
  }

  public long from() {
    return from;
  }

  /** Sequence after the last record; {@link Long#MAX_VALUE} until it is known. */
  public long to() {
    return to;
  }

  public boolean hasEnd() {
    return to != OPEN;
  }

  void end(long sequence) {
    to = sequence;
  }

  /** Gives up the records below a sequence. For the reader's thread. */
  public void release(long sequence) {
    below = sequence;
  }

  /** Gives up all records. For the reader's thread. */
  public void release() {
    below = OPEN;
  }

  /** Whether the reader needs nothing more. For any thread. */
  public boolean isReleased() {
    return below == OPEN;
  }

  boolean needs(long first, long end) {
    return end > below && first < to;
  }
}
