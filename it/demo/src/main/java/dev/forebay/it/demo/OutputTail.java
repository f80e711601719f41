package dev.forebay.it.demo;

import java.util.ArrayDeque;
import java.util.Deque;

/** The last lines an application printed, for the message when it dies. */
final class OutputTail {

  private static final int LINES = 30;

  /** Guarded by this. */
  private final Deque<String> lines = new ArrayDeque<>();

  synchronized void add(String line) {
    if (lines.size() == LINES) {
      lines.removeFirst();
    }
    lines.addLast(line);
  }

  @Override
  public synchronized String toString() {
    return lines.isEmpty() ? "  (it printed nothing)" : "  " + String.join("\n  ", lines);
  }
}
