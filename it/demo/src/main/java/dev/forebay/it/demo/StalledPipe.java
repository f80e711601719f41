package dev.forebay.it.demo;

import ch.qos.logback.core.ConsoleAppender;
import dev.forebay.host.Await;
import dev.forebay.host.Cleanup;
import dev.forebay.it.demo.app.Figures;
import dev.forebay.it.demo.app.PipedApp;
import dev.forebay.tiered.TieredAppender;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Locale;

/**
 * The demo of a container's standard output: two applications, of which one logs through
 * ConsoleAppender and one through ours, write to pipes whose readers stop for some seconds. Exit
 * code 0 means that the readers have got every line of both, and that our account says so.
 */
public final class StalledPipe {

  private static final int SECONDS = 10;
  private static final int STALLED_AFTER = 3;
  private static final int READ_AFTER = 8;
  private static final String ROW = "%-12s" + " %12s %12s".repeat(2);

  private StalledPipe() {}

  /** Runs the demo; takes no arguments. */
  public static void main(String[] args) throws IOException, InterruptedException {
    Path work = Path.of(System.getProperty("demo.directory", "target/demo-pipe"));
    Files.createDirectories(work);
    boolean isSound;
    try (Cleanup cleanup = Cleanup.open()) {
      PipedProcess console = cleanup.own(() -> PipedProcess.start(ConsoleAppender.class, work));
      PipedProcess ours = cleanup.own(() -> PipedProcess.start(TieredAppender.class, work));
      List<PipedProcess> both = List.of(console, ours);
      Await.until("both log", () -> both.stream().allMatch(PipedProcess::isUp));
      watch(both);
      for (PipedProcess one : both) {
        one.end();
      }
      isSound = both.stream().filter(StalledPipe::report).count() == both.size();
    }
    System.exit(isSound ? 0 : 1);
  }

  private static void watch(List<PipedProcess> both) {
    say("");
    say(
        "Standard output is a pipe, read by a log collector that stops for %d s. Each second:"
            .formatted(READ_AFTER - STALLED_AFTER));
    say(String.format("%-12s %25s %25s", "", both.get(0).title(), both.get(1).title()));
    row("the pipe is", "requests", "lines read", "requests", "lines read");
    long[] before = new long[2 * both.size()];
    for (int second = 0; second < SECONDS; second++) {
      boolean isStalled = second >= STALLED_AFTER && second < READ_AFTER;
      both.forEach(one -> one.read(!isStalled));
      Await.pass(Duration.ofSeconds(1));
      Object[] cells = new Object[1 + before.length];
      cells[0] = isStalled ? "stalled" : "read";
      for (int i = 0; i < before.length; i++) {
        PipedProcess one = both.get(i / 2);
        long now = i % 2 == 0 ? one.figures().get(Figures.COUNTED) : one.lines();
        cells[1 + i] = String.format(Locale.ROOT, "%,d", now - before[i]);
        before[i] = now;
      }
      row(cells);
    }
    say("");
  }

  private static boolean report(PipedProcess one) {
    Account account = one.account();
    say(
        String.format(
            Locale.ROOT,
            "%s: longest log call %,.3f ms. %s",
            one.title(),
            one.figures().get(PipedApp.LONGEST_NS) / 1e6,
            account));
    account.disagreements().forEach(text -> say("  does not agree: " + text));
    return account.disagreements().isEmpty();
  }

  private static void row(Object... cells) {
    say(String.format(ROW, cells));
  }

  private static void say(String line) {
    System.out.println(line);
  }
}
