package dev.forebay.it.apart;

import static org.assertj.core.api.Assertions.assertThat;

import dev.forebay.host.Await;
import dev.forebay.it.support.Child;
import dev.forebay.it.support.Figures;
import dev.forebay.it.support.LogFiles;
import dev.forebay.it.support.Oracle;
import dev.forebay.it.support.Places;
import dev.forebay.it.support.Program;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Test;

/** One process that ships for a node full of logs. */
class ManyLogsIT {

  private static final int LOGS = 100;
  private static final int PROGRAMS = 4;
  private static final long MESSAGES = 100;

  /** Of a JVM that ships nothing, and some more. */
  private static final int THREADS = 30;

  /** Loose as well. */
  private static final int OPEN_FILES = 60 + 2 * LOGS;

  @AutoClose private final Places places = Places.create();

  @Test
  void ofAnIdleLogThereIsNoThreadAndThereAreTwoOpenFiles() throws Exception {
    try (Ship ship = Ship.start(places.root().resolve("ship"), places.spool())) {
      List<Program> programs = new ArrayList<>();
      try {
        for (int i = 0; i < PROGRAMS; i++) {
          programs.add(start("program" + i));
        }
        programs.forEach(program -> program.awaitSaid(ManyLogsApp.LOGGED));
        for (Path log : logs()) {
          Await.process(
              "all shipped: " + ship,
              () -> Files.exists(log) && LogFiles.of(log).lines().size() == MESSAGES);
        }
        int openFiles = ship.openFiles();
        int threads = ship.threads();
        Await.process("no thread of an idle log: " + ship, () -> ship.threads() < THREADS);
        Await.process("few files of idle logs: " + ship, () -> ship.openFiles() < OPEN_FILES);
        Figures.record(
            "apart.txt",
            "%d logs: %d threads of the shipper, then %d; %d open files, then %d; %d MB resident",
            LOGS,
            threads,
            ship.threads(),
            openFiles,
            ship.openFiles(),
            ship.residentBytes() >> 20);
        for (Program program : programs) {
          assertThat(program.end()).as(program.output()).isZero();
          assertThat(program.output().strip()).isEqualTo(ManyLogsApp.LOGGED);
        }
      } finally {
        programs.forEach(Program::close);
      }
      assertThat(ship.awaitDrained().end().shipped()).isEqualTo(LOGS * MESSAGES);
    }
    for (Path log : logs()) {
      String name = log.getName(log.getNameCount() - 2).toString();
      new Oracle()
          .producer(name, MESSAGES, MESSAGES)
          .complete(0)
          .requireSound(LogFiles.of(log).lines());
    }
  }

  private List<Path> logs() {
    List<Path> logs = new ArrayList<>();
    for (int i = 0; i < LOGS; i++) {
      String name = "program" + i % PROGRAMS + "-" + i / PROGRAMS;
      logs.add(places.logDirectory().resolve(name).resolve("app.log"));
    }
    return logs;
  }

  private Program start(String name) throws IOException {
    Path directory = places.directory(name);
    String prefix = name + "-";
    int logs = LOGS / PROGRAMS;
    String xml = ManyLogsApp.xml(prefix, logs, places.logDirectory(), places.spool());
    Path configuration = Files.writeString(directory.resolve("logback.xml"), xml);
    List<String> command = new ArrayList<>(List.of(Program.ofJdk("java")));
    command.addAll(Program.QUICK);
    command.addAll(Child.archive());
    command.addAll(List.of("-Xmx128m", "-cp", Child.classPath(), ManyLogsApp.class.getName()));
    command.addAll(List.of(configuration.toString(), prefix, "" + logs, "" + MESSAGES));
    return Program.start(directory, command);
  }
}
