package dev.forebay.observe;

import ch.qos.logback.core.Context;

/** Where to say what must not go unread if no status listener is registered. */
public final class StandardError {

  private StandardError() {}

  /** Whether nobody listens to the statuses of a context. May block where a listener does. */
  public static boolean isNeededFor(Context context) {
    return context.getStatusManager().getCopyOfStatusListenerList().isEmpty();
  }

  /**
   * Prints a line of {@linkplain Printable printable} text, on the calling thread. May block: the
   * reader of a pipe can stop reading.
   */
  public static void print(String text) {
    System.err.println(text);
  }

  /** The same from a thread of its own. Never blocks. */
  public static void printLater(String text) {
    Thread printer = new Thread(() -> print(text), "forebay-last-resort");
    printer.setDaemon(true);
    printer.start();
  }
}
