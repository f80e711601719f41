package dev.forebay;

import ch.qos.logback.core.Context;
import dev.forebay.agent.Speaker;

/**
 * Standard error, for messages that must be seen although no status listener is registered.
 *
 * @hidden
 */
public final class StandardError {

  private static final Speaker LATER = new Speaker("forebay-last-resort", StandardError::print);

  private StandardError() {}

  /** Whether a context has no status listener. Blocks while one of them blocks. */
  static boolean isNeededFor(Context context) {
    return context.getStatusManager().getCopyOfStatusListenerList().isEmpty();
  }

  /**
   * Prints a line of printable text, on the calling thread. Blocks if the reader of a pipe stops
   * reading.
   */
  static void print(String text) {
    System.err.println(text);
  }

  /** Like {@link #print}, but on another thread. Never blocks. */
  public static void printLater(String text) {
    LATER.say(() -> print(text));
  }
}
