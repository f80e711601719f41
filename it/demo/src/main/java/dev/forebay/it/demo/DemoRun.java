package dev.forebay.it.demo;

import dev.forebay.host.Await;
import dev.forebay.host.Cleanup;
import dev.forebay.it.demo.Report.Side;
import dev.forebay.it.demo.app.Figures;
import dev.forebay.it.demo.app.Latency;
import dev.forebay.it.demo.app.Phase;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.LocalDateTime;
import java.time.ZoneId;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.atomic.AtomicLongArray;
import java.util.function.BooleanSupplier;
import java.util.function.Predicate;

/**
 * One run: starts both applications on one disk, puts the same load on both, stops the disk for a
 * while, and reports. Exit code 0 means that every event of the Forebay side is accounted for.
 */
final class DemoRun {

  private static final double START_LIMIT_SECONDS = 80;
  private static final double CATCH_UP_LIMIT_SECONDS = 15;
  private static final double FINISH_LIMIT_SECONDS = 35;
  private static final double CALIBRATION_STEP_SECONDS = 1;
  private static final Duration TICK = Duration.ofMillis(100);

  /** So that no second is without a line. */
  private static final long SHOW_EVERY_NS = 900_000_000;

  /** A median above this while the disk answers: requests wait for the processors. */
  private static final long BUSY_NS = 100_000_000;

  private final Cleanup cleanup;
  private final Optional<ProcessHandle> starter = ProcessHandle.current().parent();
  private final long startNs = System.nanoTime();
  private long lastShownNs = startNs - SHOW_EVERY_NS;
  private final List<AppProcess> apps = new ArrayList<>();
  private final List<LoadGenerator> loads = new ArrayList<>();

  /** Written by the main thread and, while that waits, the one that stalls the disk. */
  private volatile Phase phase = Phase.WARM_UP;

  /** When it began, by phase, in milliseconds since the epoch. */
  private final AtomicLongArray enteredMs = new AtomicLongArray(Phase.values().length);

  /** Requests a second, read by both generators of load. */
  private volatile int rate;

  DemoRun(Cleanup cleanup) {
    this.cleanup = cleanup;
  }

  /** Runs to the end and returns the exit code. */
  int run() throws IOException {
    Workspace workspace = cleanup.own(() -> Workspace.open(DemoPage.directory().resolve("run")));
    DemoPage page = DemoPage.in(DemoPage.directory());
    page.clear();
    say("Making a disk and starting two applications.");
    LogDisk disk = cleanup.own(() -> LogDisk.create(workspace.directory()));
    startApps(workspace, disk);
    cleanup.<AutoCloseable, RuntimeException>own(() -> disk::release);
    Plan.introduction(disk.description()).forEach(DemoRun::say);
    waitFor("starting", START_LIMIT_SECONDS, "did not start", AppProcess::isUp);
    load(disk);
    waitFor("finishing", FINISH_LIMIT_SECONDS, "did not finish", AppProcess::hasFinished);
    return report(disk, page);
  }

  private void startApps(Workspace workspace, LogDisk disk) throws IOException {
    for (String name : List.of("forebay", "async")) {
      Path home = Files.createDirectory(workspace.directory().resolve(name));
      List<String> options =
          new ArrayList<>(
              List.of(
                  "-Xmx384m",
                  "-XX:+ExitOnOutOfMemoryError",
                  "-Dconfig.resource=demo/application.conf",
                  "-Dlogback.configurationFile=demo/logback-before-play.xml",
                  "-Ddemo.logs=" + disk.directory().resolve(name),
                  "-Ddemo.spool=" + workspace.spool()));
      options.addAll(disk.loggingOptions("demo/logback-" + name + ".xml"));
      apps.add(cleanup.own(() -> AppProcess.start(name, home, options)));
    }
  }

  private void load(LogDisk disk) throws IOException {
    rate = new Calibration().rate();
    for (AppProcess app : apps) {
      loads.add(cleanup.own(() -> LoadGenerator.start(app.told().port(), () -> rate)));
    }
    calibrate();
    say(Plan.load(rate));
    enter(Phase.BEFORE);
    tickFor(Plan.BEFORE_SECONDS);
    CompletableFuture<Double> stall = CompletableFuture.supplyAsync(() -> stall(disk));
    tickUntil(stall::isDone, Double.POSITIVE_INFINITY, "");
    say(String.format(Locale.ROOT, "The disk did not answer for %.1f s.", join(stall)));
    tickFor(Plan.AFTER_SECONDS);
    loads.forEach(LoadGenerator::stopSending);
    tickUntil(
        () -> loads.stream().allMatch(load -> load.pending() == 0), CATCH_UP_LIMIT_SECONDS, "");
    for (AppProcess app : apps) {
      app.tell("finish");
    }
  }

  private void calibrate() {
    Calibration calibration = new Calibration();
    while (!calibration.isSettled()) {
      rate = calibration.rate();
      tickFor(CALIBRATION_STEP_SECONDS);
      calibration.step(
          loads.stream().mapToLong(LoadGenerator::recentMedianNs).max().orElseThrow(),
          loads.stream().mapToLong(LoadGenerator::pending).max().orElseThrow());
    }
    rate = calibration.rate();
  }

  /** Runs on a thread of its own, since freezing waits for the disk. */
  private double stall(LogDisk disk) {
    try {
      disk.sync();
      enter(Phase.DURING);
      disk.stall(apps);
      Await.pass(Duration.ofMillis((long) (Plan.stallSeconds(rate) * 1000)));
      disk.resume(apps);
      enter(Phase.AFTER);
      return (enteredMs.get(Phase.AFTER.ordinal()) - enteredMs.get(Phase.DURING.ordinal())) / 1e3;
    } catch (IOException e) {
      throw new DemoFailure("The disk could not be stalled", e);
    }
  }

  private static <T> T join(CompletableFuture<T> task) {
    try {
      return task.join();
    } catch (CompletionException e) {
      throw e.getCause() instanceof DemoFailure failure
          ? failure
          : new DemoFailure("A thread of the demo failed", e);
    }
  }

  private void enter(Phase next) throws IOException {
    phase = next;
    enteredMs.set(next.ordinal(), System.currentTimeMillis());
    loads.forEach(load -> load.enter(next));
    for (AppProcess app : apps) {
      app.tell(next.name());
    }
  }

  private void tickFor(double seconds) {
    tickUntil(() -> false, seconds, "");
  }

  /** Shows progress until a condition holds or the time is over. */
  private void tickUntil(BooleanSupplier condition, double limitSeconds, String what) {
    long sinceNs = System.nanoTime();
    while (!condition.getAsBoolean() && secondsSince(sinceNs) < limitSeconds) {
      Await.pass(TICK);
      tick(what.isEmpty() ? phase.title() : what);
    }
  }

  private void tick(String what) {
    cleanup.requireOpen();
    apps.forEach(AppProcess::requireAlive);
    if (!ProcessHandle.current().parent().equals(starter)) {
      throw new DemoFailure("The command that started the demo has ended");
    }
    if (System.nanoTime() - lastShownNs >= SHOW_EVERY_NS) {
      lastShownNs = System.nanoTime();
      say(state(what, apps.get(0).told().figures(), apps.get(1).told().figures()));
    }
  }

  private String state(String what, Figures forebay, Figures async) {
    if (rate == 0) {
      return String.format(Locale.ROOT, "%4.1f s %s", secondsSince(startNs), what);
    }
    return String.format(
        Locale.ROOT,
        "%4.1f s %-9s %3d/s | Forebay ring %4s spool %5.1f MB in flight %d shipped %d dropped %d"
            + " | Async queue %5s",
        secondsSince(startNs),
        what,
        rate,
        percentOfQueue(forebay),
        forebay.get(Figures.SPOOL_BYTES) / 1e6,
        forebay.get(Figures.IN_FLIGHT),
        forebay.get(Figures.DELIVERED),
        forebay.get(Figures.DROPPED),
        percentOfQueue(async));
  }

  /** How full it is; 0 when it has no capacity yet. */
  private static String percentOfQueue(Figures figures) {
    long capacity = figures.get(Figures.QUEUE_CAPACITY);
    return (capacity == 0 ? 0 : Math.round(100.0 * figures.get(Figures.QUEUED) / capacity)) + " %";
  }

  private static void say(String line) {
    System.out.println(line);
  }

  private void waitFor(
      String what, double limitSeconds, String problem, Predicate<AppProcess> condition) {
    tickUntil(() -> apps.stream().allMatch(condition), limitSeconds, what);
    for (AppProcess app : apps) {
      if (!condition.test(app)) {
        throw app.failure(problem + " within " + Math.round(limitSeconds) + " s");
      }
    }
  }

  private int report(LogDisk disk, DemoPage page) throws IOException {
    CompletableFuture<List<Side>> counted = CompletableFuture.supplyAsync(() -> sides(disk));
    tickUntil(counted::isDone, Double.POSITIVE_INFINITY, "counting");
    List<Side> sides = join(counted);
    Side forebay = sides.get(0);
    Side async = sides.get(1);
    cleanup.requireOpen();
    say("");
    new Report(forebay, async).accounts().forEach(DemoRun::say);
    List<String> notes = notes(forebay, async);
    notes.forEach(DemoRun::say);
    List<String> how = new ArrayList<>(Plan.introduction(disk.description()));
    how.add(Plan.load(rate));
    how.add(
        "%d processors, JDK %s, %s"
            .formatted(
                Runtime.getRuntime().availableProcessors(),
                Runtime.version(),
                LocalDateTime.now(ZoneId.systemDefault()).truncatedTo(ChronoUnit.SECONDS)));
    DemoPage.Freeze freeze = DemoPage.freeze(forebay, async, times(), how, notes);
    Path file = page.write(freeze);
    say("");
    say(freeze.verdict());
    say("Page: " + file);
    return forebay.account().disagreements().isEmpty() ? 0 : 1;
  }

  private DemoPage.Times times() {
    return new DemoPage.Times(
        enteredMs.get(Phase.BEFORE.ordinal()),
        enteredMs.get(Phase.DURING.ordinal()),
        enteredMs.get(Phase.AFTER.ordinal()),
        enteredMs.get(Phase.AFTER.ordinal()) + (long) (Plan.AFTER_SECONDS * 1000));
  }

  private List<String> notes(Side forebay, Side async) {
    List<String> notes = new ArrayList<>();
    for (int i = 0; i < loads.size(); i++) {
      LoadGenerator load = loads.get(i);
      if (load.failed() > 0) {
        String requests = load.failed() + " requests to " + apps.get(i).name();
        notes.add(requests + " failed: " + load.lastFailure());
      }
    }
    if (Math.max(medianBefore(forebay), medianBefore(async)) > BUSY_NS) {
      notes.add(
          "This machine was too busy for the load even while the disk answered:"
              + " the latencies say little, the counts are as good as ever.");
    }
    return notes;
  }

  private static long medianBefore(Side side) {
    return side.http().getOrDefault(Phase.BEFORE, Latency.NONE).p50Ns();
  }

  private List<Side> sides(LogDisk disk) {
    return List.of(side("Forebay", 0, disk), side("AsyncAppender", 1, disk));
  }

  private Side side(String title, int index, LogDisk disk) {
    AppProcess app = apps.get(index);
    LoadGenerator load = loads.get(index);
    try {
      LogFiles files = LogFiles.read(disk.directory().resolve(app.name()));
      return new Side(
          title,
          app.told().calls(),
          load.latencies(),
          load.failed() + load.pending(),
          new Account(app.told().figures(), files),
          app.told().error(),
          app.told().longest(),
          load.longest());
    } catch (IOException e) {
      throw new DemoFailure("The log of " + title + " cannot be read", e);
    }
  }

  private static double secondsSince(long startNs) {
    return (System.nanoTime() - startNs) / 1e9;
  }
}
