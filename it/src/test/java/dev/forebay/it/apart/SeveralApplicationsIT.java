package dev.forebay.it.apart;

import static org.assertj.core.api.Assertions.assertThat;

import dev.forebay.host.Await;
import dev.forebay.it.support.Child;
import dev.forebay.it.support.LogFiles;
import dev.forebay.it.support.Mounted;
import dev.forebay.it.support.Oracle;
import dev.forebay.it.support.Places;
import dev.forebay.it.support.Xml;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Test;

/** Several applications with the same log, at a time and one after the other. */
class SeveralApplicationsIT {

  private static final int THREADS = 2;
  private static final long MESSAGES = 1000;

  @AutoClose private final Places places = Places.create();

  /** Two advance at a time, the third when one has ended. */
  @Test
  void threeApplicationsOnOneLogHaveEachLineThereOnce() throws Exception {
    Oracle oracle = new Oracle();
    try (Ship ship = Ship.start(places.root().resolve("ship"), places.spool())) {
      List<Child> apps = new ArrayList<>();
      try {
        for (int i = 0; i < 3; i++) {
          apps.add(start("app" + i, Long.MAX_VALUE, "released", places.log()));
        }
        for (Child app : apps) {
          app.awaitOffered(0, MESSAGES);
        }
        Await.process(
            "two have lines in the log",
            () -> apps.stream().filter(app -> app.progress().durableUpTo() > 0).count() >= 2);
        apps.get(1).kill();
        for (Child app : apps) {
          if (app.isAlive()) {
            Await.process("has lines in the log", () -> app.progress().durableUpTo() > 0);
            endWell(app);
          }
          app.tell(oracle);
        }
      } finally {
        for (Child app : apps) {
          app.close();
        }
      }
      ship.awaitDrained().end();
    }
    Oracle.Verdict verdict = oracle.requireSound(places.lines());
    for (String name : List.of("app0", "app2")) {
      for (int thread = 0; thread < THREADS; thread++) {
        assertThat(verdict.lines().get(name + "-" + thread)).isGreaterThanOrEqualTo(MESSAGES);
      }
    }
  }

  /** A rolling update, or a program in a loop of restarts. */
  @Test
  void whatSeveralLivesLeftWhileTheDiskWasFrozenArrivesInTheOrderOfTheLives() throws Exception {
    Oracle oracle = new Oracle();
    try (Mounted disk = Mounted.disk(places);
        Ship ship = Ship.start(places.root().resolve("ship"), places.spool())) {
      Path log = disk.at().resolve("app.log");
      disk.freeze();
      for (int life = 0; life < 3; life++) {
        try (Child app = start("life" + life, MESSAGES, "stop", log)) {
          assertThat(app.awaitEnd()).as(app.output()).isZero();
          assertThat(app.status()).isEmpty();
          assertThat(app.account()).contains("dropped 0 ").endsWith("in flight " + 2 * MESSAGES);
          app.tell(oracle);
        }
      }
      try (Child last = start("life3", MESSAGES, "wait", log)) {
        last.awaitOffered(0, MESSAGES);
        disk.thaw();
        Await.process(
            "all are in the log: " + ship, () -> last.progress().durableUpTo() == 2 * MESSAGES);
        endWell(last);
        last.tell(oracle);
      }
      ship.awaitDrained().end();
      assertThat(ship.shipped()).isEqualTo(4 * 2 * MESSAGES);
      List<String> lines = LogFiles.of(log).lines();
      oracle.complete(0).requireSound(lines);
      assertThat(lines.stream().map(line -> line.substring(0, "life0".length())).toList())
          .as("oldest first")
          .isSorted();
    }
  }

  private Child start(String name, long count, String end, Path log) throws Exception {
    String inner = Apart.inner(log, places.spool(), Apart.PATIENT);
    Child.Task task = new Child.Task(name, THREADS, count, 0, 10, end);
    return Child.start(task, Xml.configuration(inner), places.directory(name));
  }

  private static void endWell(Child app) throws Exception {
    app.release();
    assertThat(app.awaitEnd()).as(app.output()).isZero();
    assertThat(app.status()).isEmpty();
    assertThat(app.dropped()).as(app.account()).isZero();
  }
}
