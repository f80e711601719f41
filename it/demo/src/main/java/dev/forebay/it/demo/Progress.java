package dev.forebay.it.demo;

import dev.forebay.it.demo.app.Figures;
import java.util.Locale;

/** What the user sees while the demo runs: a line every second, and what is to be said between. */
final class Progress {

  private static final long EVERY_NS = 1_000_000_000L;

  private long lastNs = System.nanoTime() - EVERY_NS;

  /** Shows the newest state; called once a tick. */
  void show(double seconds, String phase, Figures forebay, Figures async) {
    if (System.nanoTime() - lastNs >= EVERY_NS) {
      lastNs = System.nanoTime();
      say(line(seconds, phase, forebay, async));
    }
  }

  private static String line(double seconds, String phase, Figures forebay, Figures async) {
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

  /** Prints a line. */
  void say(String line) {
    System.out.println(line);
  }
}
