package dev.forebay.it.demo;

import dev.forebay.host.Await;
import dev.forebay.host.Cleanup;
import dev.forebay.host.FileTree;
import dev.forebay.it.demo.app.EndingApp;
import dev.forebay.it.demo.app.Figures;
import dev.forebay.it.demo.app.ShipApp;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * The demo of {@code <shipping>apart</shipping>}: applications start, log and end while their log's
 * disk is frozen, and another process delivers what the one that is apart left. Exit code 0 means
 * that this one ended as fast as a program without an appender, about, and that each of its lines
 * is in the log once.
 */
public final class FrozenExit {

  private static final String CONFIGURATION = "/demo/logback-exit.xml";
  private static final String ROW = "%-34s %16s %20s";
  private static final Pattern LINE = Pattern.compile(".* worker (\\d+) served request (\\d+)");
  private static final Duration PATIENCE = Duration.ofSeconds(60);

  /** An application that waits for the disk is waited for so long, and then the disk thaws. */
  private static final Duration SHOWN = Duration.ofSeconds(5);

  /** More than without an appender; a busy machine may need some of it. */
  private static final Duration CEILING = Duration.ofSeconds(1);

  private final Cleanup cleanup;
  private final Workspace workspace;
  private final LogDisk disk;
  private final AppProcess ship;

  private FrozenExit(Cleanup cleanup, Workspace workspace, LogDisk disk) throws IOException {
    this.cleanup = cleanup;
    this.workspace = workspace;
    this.disk = disk;
    this.ship =
        start("ship", ShipApp.class, workspace.spool().toString(), disk.directory().toString());
  }

  /** Runs the demo; takes no arguments. */
  public static void main(String[] args) throws IOException {
    Path work = Path.of(System.getProperty("demo.directory", "target/demo-apart"));
    boolean isSound = false;
    try (Cleanup cleanup = Cleanup.open()) {
      Workspace workspace = cleanup.own(() -> Workspace.open(work));
      LogDisk disk = cleanup.own(() -> LogDisk.create(workspace.directory()));
      isSound = new FrozenExit(cleanup, workspace, disk).run();
    } catch (DemoFailure e) {
      say(String.valueOf(e.getMessage()));
    }
    System.exit(isSound ? 0 : 1);
  }

  private boolean run() throws IOException {
    await("ships", ship, ship::isUp);
    say("");
    say("The disk of the logs is " + disk.description() + ".");
    say(
        "While it is frozen each application starts, logs %,d lines and calls System.exit:"
            .formatted(EndingApp.LINES));
    say("");
    say(ROW.formatted("", "longest log call", "gone after the call"));
    stall();
    long bareMs = live("no appender", start("bare", EndingApp.class));
    AppProcess apart = start("apart", EndingApp.class, CONFIGURATION);
    long apartMs = live("<shipping>apart</shipping>", apart);
    if (disk.real() == null) {
      resume();
    } else {
      live("<shipping>inside</shipping>", start("inside", EndingApp.class, CONFIGURATION));
    }
    say("");
    boolean isDelivered = report(apart.told().figures());
    return isDelivered && apartMs - bareMs < CEILING.toMillis();
  }

  /** A row of the table; an application that waits for the disk is helped after a while. */
  private long live(String title, AppProcess app) throws IOException {
    await("logs", app, () -> app.told().hasEnded());
    long fromNs = System.nanoTime();
    boolean isStuck = !Await.within(SHOWN, app::hasFinished);
    if (isStuck) {
      resume();
      await("ends", app, app::hasFinished);
    }
    long ms = Duration.ofNanos(System.nanoTime() - fromNs).toMillis();
    double longestMs = app.told().figures().get(EndingApp.LONGEST_NS) / 1e6;
    say(
        ROW.formatted(
            title,
            String.format(Locale.ROOT, "%,.3f ms", longestMs),
            String.format(Locale.ROOT, "%,d ms", ms) + (isStuck ? ": when thawed" : "")));
    return ms;
  }

  /** What became of the lines of the one that is apart. */
  private boolean report(Figures last) throws IOException {
    say("The disk is thawed, the applications are gone; the other process delivers.");
    boolean isDelivered =
        Await.within(PATIENCE, () -> ship.told().figures().get(Figures.DELIVERED) >= lines(last));
    boolean isDrained = Await.within(PATIENCE, () -> spools().isEmpty());
    List<String> faults = new ArrayList<>();
    long lines = readLog(faults);
    say(
        String.format(
            Locale.ROOT,
            "apart: %,d offered = %,d delivered + %,d dropped + %,d in flight at its end;"
                + " then shipped: %,d; lines in the log: %,d, each once and in order: %s.",
            last.get(Figures.OFFERED),
            last.get(Figures.DELIVERED),
            last.get(Figures.DROPPED),
            last.get(Figures.IN_FLIGHT),
            ship.told().figures().get(Figures.DELIVERED),
            lines,
            faults.isEmpty() ? "yes" : "no, " + faults.get(0)));
    return isDelivered
        && isDrained
        && faults.isEmpty()
        && lines == lines(last)
        && ship.told().figures().get(Figures.DELIVERED) == lines
        && last.get(Figures.OFFERED) == last.get(Figures.IN_FLIGHT) + last.get(Figures.DELIVERED);
  }

  /** Those that must be there. */
  private static long lines(Figures last) {
    return last.get(Figures.COUNTED) - last.get(Figures.DROPPED);
  }

  private List<Path> spools() throws IOException {
    return FileTree.entries(workspace.spool()).stream()
        .filter(path -> path.getFileName().toString().matches("(spool|new|done)-.*"))
        .toList();
  }

  private long readLog(List<String> faults) throws IOException {
    List<String> lines = Files.readAllLines(disk.directory().resolve("apart.log"));
    long[] next = new long[EndingApp.THREADS];
    for (String line : lines) {
      Matcher matcher = LINE.matcher(line);
      int worker = matcher.matches() ? Integer.parseInt(matcher.group(1)) : -1;
      if (worker < 0 || Long.parseLong(matcher.group(2)) != next[worker]++) {
        faults.add(line);
      }
    }
    return lines.size();
  }

  /** Starts a process of the demo; those of one name have a spool of their own, but for "apart". */
  private AppProcess start(String name, Class<?> main, String... arguments) throws IOException {
    Path home = Files.createDirectories(workspace.directory().resolve(name));
    Path spool = workspace.spool();
    if (name.equals("inside")) { // the other process shall not see it
      spool = Files.createDirectories(workspace.directory().resolve("spool"));
    }
    List<String> options =
        List.of(
            "-XX:TieredStopAtLevel=1",
            "-XX:+UseSerialGC",
            "-Ddemo.logs=" + disk.directory(),
            "-Ddemo.spool=" + spool,
            "-Ddemo.shipping=" + name,
            "-Ddemo.stallingDisk=" + (disk.real() == null));
    return cleanup.own(() -> AppProcess.start(name, home, options, main, arguments));
  }

  private static void await(String what, AppProcess app, Await.Condition<IOException> condition)
      throws IOException {
    if (!Await.within(
        PATIENCE,
        () -> {
          app.requireAlive();
          return condition.holds();
        })) {
      throw app.failure("does not do in time what it should: " + what);
    }
  }

  private void stall() throws IOException {
    disk.sync();
    disk.stall(List.of(ship));
  }

  private void resume() throws IOException {
    disk.resume(List.of(ship));
  }

  private static void say(String line) {
    System.out.println(line);
  }
}
