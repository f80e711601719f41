package dev.forebay.tool;

import dev.forebay.agent.Voice;
import java.util.ArrayDeque;
import java.util.Queue;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * Messages of a verb that ships: a thread of its own prints them, since whoever reads them may
 * stand still, as a journal does with its disk. Beyond a limit they are counted.
 */
final class Messages implements Voice {

  private static final int LIMIT = 1000;

  /** A notification may shorten a wait: then the whole is shorter too. */
  private static final long STEP_MS = 10;

  private final Consumer<String> print;

  // Guarded by this.
  private final Queue<Runnable> queue = new ArrayDeque<>();
  private long leftOut;
  private boolean isPrinting;
  private boolean isClosed;

  /**
   * Starts the thread.
   *
   * @param print prints a line; may block
   */
  Messages(Consumer<String> print) {
    this.print = print;
    Thread thread = new Thread(this::printAll, "forebay-messages");
    thread.setDaemon(true);
    thread.start();
  }

  @Override
  public void info(String text) {
    say(text);
  }

  @Override
  public void warn(String text) {
    say("WARN " + text);
  }

  @Override
  public void warn(String text, @Nullable Throwable cause) {
    say("WARN " + text + because(text, cause));
  }

  @Override
  public void error(String text, @Nullable Throwable cause) {
    say("ERROR " + text + because(text, cause));
  }

  private static String because(String text, @Nullable Throwable cause) {
    return cause == null || text.contains(String.valueOf(cause.getMessage())) ? "" : ": " + cause;
  }

  void say(String text) {
    print(() -> print.accept(text));
  }

  /** Prints in the order of calls; never waits. */
  synchronized void print(Runnable action) {
    if (queue.size() >= LIMIT) {
      leftOut++;
      return;
    }
    if (leftOut > 0) {
      String text = Text.count(leftOut) + " messages left out: nobody read the first ones in time";
      leftOut = 0;
      queue.add(() -> print.accept(text));
    }
    queue.add(action);
    notifyAll();
  }

  private void printAll() {
    for (Runnable next = next(); next != null; next = next()) {
      try {
        next.run();
      } catch (RuntimeException | Error e) {
        // There is no other place to say it.
      }
    }
  }

  /** The next to print; null at the end. */
  private synchronized @Nullable Runnable next() {
    isPrinting = false;
    notifyAll();
    while (queue.isEmpty() && !isClosed) {
      try {
        wait();
      } catch (InterruptedException e) {
        // Nobody interrupts it.
      }
    }
    isPrinting = !queue.isEmpty();
    return queue.poll();
  }

  /** Waits a moment until all is printed, and ends the thread. */
  synchronized void close(long limitMs) throws InterruptedException {
    long leftMs = limitMs;
    while (leftMs > 0 && (isPrinting || !queue.isEmpty())) {
      wait(Math.min(leftMs, STEP_MS));
      leftMs -= STEP_MS;
    }
    isClosed = true;
    notifyAll();
  }
}
