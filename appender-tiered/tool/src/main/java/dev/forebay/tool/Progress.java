package dev.forebay.tool;

import dev.forebay.agent.NanoClock;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Files;
import java.nio.file.Path;

/**
 * A bar on standard error for what takes longer than a second. Draws nothing unless that is a
 * terminal.
 */
final class Progress implements AutoCloseable {

  private static final Path STANDARD_ERROR = Path.of("/proc/self/fd/2");
  private static final long SILENT_NS = 1_000_000_000;
  private static final long REDRAW_NS = 100_000_000;
  private static final int WIDTH = 40;
  private static final long PERCENT = 100;

  private final String what;
  private final long total;
  private final PrintWriter terminal;
  private final boolean isTerminal;
  private final NanoClock clock;
  private long nextNs;
  private boolean drawn;

  Progress(String what, long total, PrintWriter terminal, boolean isTerminal, NanoClock clock) {
    this.what = what;
    this.total = Math.max(1, total);
    this.terminal = terminal;
    this.isTerminal = isTerminal;
    this.clock = clock;
    this.nextNs = clock.nanoTime() + SILENT_NS;
  }

  /** Whether standard error is a terminal. */
  static boolean isShown() {
    try {
      String target = Files.readSymbolicLink(STANDARD_ERROR).toString();
      return target.startsWith("/dev/pts/") || target.startsWith("/dev/tty");
    } catch (IOException e) {
      return false;
    }
  }

  /** So much of the total is done. */
  void at(long done) {
    if (!isTerminal || clock.nanoTime() - nextNs < 0) {
      return;
    }
    nextNs = clock.nanoTime() + REDRAW_NS;
    drawn = true;
    long part = Math.min(done, total);
    int filled = (int) (part * WIDTH / total);
    terminal.print(
        "\r%s [%s%s] %d %%"
            .formatted(
                what, "#".repeat(filled), " ".repeat(WIDTH - filled), part * PERCENT / total));
    terminal.flush();
  }

  /** Removes the bar. */
  @Override
  public void close() {
    if (drawn) {
      terminal.print("\r\u001b[K");
      terminal.flush();
    }
  }
}
