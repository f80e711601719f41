package dev.forebay.it.gatling;

import dev.forebay.host.Await;
import dev.forebay.host.Cleanup;
import dev.forebay.host.DumpFiles;
import dev.forebay.host.LoopDisk;
import dev.forebay.it.support.Places;
import dev.forebay.it.support.SpoolPeek;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

/**
 * One load on one application while the disk of its log is well and then, in the window, as the
 * condition says.
 */
record GatlingRun(GatlingApp app, GatlingAppender appender, GatlingCondition condition) {

  /** The name of the requests that start in the window. */
  static final String WINDOW = "window";

  private static final String AFTERWARDS = "after";

  /**
   * Runs it on a disk of its own.
   *
   * @param capacity events that the appender may hold in memory
   * @param options of the application's JVM
   */
  GatlingOutcome run(GatlingLoad load, int capacity, String... options) throws Exception {
    try (Cleanup owned = Cleanup.open()) {
      Places places = owned.own(Places::create);
      LoopDisk disk = owned.own(() -> GatlingDisk.create(places));
      GatlingNeighbour.prepare(places);
      Path logs = disk.root().resolve("logs");
      GatlingLogging logging = new GatlingLogging(appender, capacity, logs, places.spool());
      GatlingTarget target = owned.own(() -> app.start(logging, places, options));
      Path home = places.directory("gatling");
      GatlingProcess gatling = owned.own(() -> GatlingProcess.start(target.url(), load, home));
      gatling.awaitLoad();
      Duration window = pass(load, gatling, disk, places);
      int exit = gatling.awaitEnd();
      GatlingTarget.End end = target.end();
      return new GatlingOutcome(
          gatling.report(),
          exit,
          window,
          end,
          GatlingLog.read(logging.active()),
          dumps(logging.active()),
          SpoolPeek.spools(places.spool()).size());
    }
  }

  private static List<List<String>> dumps(Path log) throws IOException {
    List<List<String>> dumps = new ArrayList<>();
    for (Path dump : DumpFiles.of(log)) {
      dumps.add(Files.readAllLines(dump));
    }
    return dumps;
  }

  /** The time of the load, up to the end of the window; how long that was. */
  private Duration pass(GatlingLoad load, GatlingProcess gatling, LoopDisk disk, Places places)
      throws Exception {
    Await.pass(load.warmUp());
    disk.sync();
    long startNs = System.nanoTime();
    gatling.tell(WINDOW);
    GatlingCondition.Sickness sickness = condition.begin(disk, places);
    try {
      Await.pass(load.window().minusNanos(System.nanoTime() - startNs));
      gatling.tell(AFTERWARDS);
      return Duration.ofNanos(System.nanoTime() - startNs);
    } finally {
      sickness.end();
    }
  }

  @Override
  public String toString() {
    return app + " " + condition + " " + appender;
  }
}
