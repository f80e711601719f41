package dev.forebay.pipeline;

/**
 * What a thread remembers between log calls: the elements of an {@code int[]}, so that a pooled
 * thread refers only to a JDK object and does not keep this class alive. Used by that thread.
 */
final class CallerState {

  /** 1 during a log call, otherwise 0. */
  static final int INSIDE = 0;

  /** Identity of the MDC map weighed last, if it was large; otherwise 0. */
  static final int LARGE_MDC = 1;

  static final int LENGTH = 2;

  private CallerState() {}

  static int[] create() {
    return new int[LENGTH];
  }
}
