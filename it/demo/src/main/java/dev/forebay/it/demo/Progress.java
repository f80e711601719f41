package dev.forebay.it.demo;

import dev.forebay.it.demo.app.Figures;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Locale;
import java.util.function.LongSupplier;

/** The live line: rewritten in place on a terminal, otherwise a new line every second. */
final class Progress {

  private static final long PLAIN_EVERY_NS = 1_000_000_000L;
  private static final String REWRITE = "\r\u001b[K";

  /** Makes a terminal that is too narrow clip the line instead of wrapping it. */
  private static final String CLIP_ON = "\u001b[?7l";

  private static final String CLIP_OFF = "\u001b[?7h";

  private final PrintStream out;
  private final boolean isTerminal;
  private final LongSupplier nanoClock;
  private long lastPlainNs;
  private boolean isLineOpen;

  Progress(PrintStream out, boolean isTerminal, LongSupplier nanoClock) {
    this.out = out;
    this.isTerminal = isTerminal;
    this.nanoClock = nanoClock;
    this.lastPlainNs = nanoClock.getAsLong() - PLAIN_EVERY_NS;
  }

  /** Whether standard output is a terminal that understands more than plain text. */
  static boolean isTerminal() {
    if ("dumb".equals(System.getenv().getOrDefault("TERM", "dumb"))) {
      return false;
    }
    try {
      String target = Files.readSymbolicLink(Path.of("/proc/self/fd/1")).toString();
      return target.startsWith("/dev/pts/") || target.startsWith("/dev/tty");
    } catch (IOException | UnsupportedOperationException e) {
      return false;
    }
  }

  /** What the line says about a moment. */
  static String line(double seconds, String phase, Figures forebay, Figures async) {
    return String.format(
        Locale.ROOT,
        "%4.1f s %-10s| Forebay ring %4s spool %8s in flight %d shipped %d dropped %d"
            + " | Async queue %5s",
        seconds,
        phase,
        Text.percent(forebay.get(Figures.QUEUED), forebay.get(Figures.QUEUE_CAPACITY)),
        Text.megabytes(forebay.get(Figures.SPOOL_BYTES)),
        forebay.get(Figures.IN_FLIGHT),
        forebay.get(Figures.DELIVERED),
        forebay.get(Figures.DROPPED),
        Text.percent(async.get(Figures.QUEUED), async.get(Figures.QUEUE_CAPACITY)));
  }

  /** Shows the newest state; called once a tick. */
  void show(String line) {
    if (isTerminal) {
      out.print(REWRITE + CLIP_ON + line + CLIP_OFF);
      out.flush();
      isLineOpen = true;
    } else if (nanoClock.getAsLong() - lastPlainNs >= PLAIN_EVERY_NS) {
      lastPlainNs = nanoClock.getAsLong();
      out.println(line);
    }
  }

  /** Prints a line of its own that stays. */
  void say(String line) {
    out.println((isLineOpen ? REWRITE : "") + line);
    isLineOpen = false;
  }
}
