package dev.forebay.pipeline;

/**
 * What a thread remembers between log calls: the elements of an {@code int[]}, so that a pooled
 * thread refers only to a JDK object and does not keep this class alive. Used by that thread.
 */
final class CallerState {

  /** 1 during a log call, otherwise 0. */
  static final int INSIDE = 0;

  /** Identity of the MDC map weighed last; 0 for none. */
  static final int WEIGHED_MDC = 1;

  /** When an MDC was last found small: the lower half of the event's time stamp; 0 for never. */
  static final int SMALL_MDC_MS = 2;

  static final int LENGTH = 3;

  private CallerState() {}

  static int[] create() {
    return new int[LENGTH];
  }
}
