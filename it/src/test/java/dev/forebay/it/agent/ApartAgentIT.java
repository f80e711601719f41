package dev.forebay.it.agent;

import static org.assertj.core.api.Assertions.assertThat;

import dev.forebay.host.Await;
import dev.forebay.it.apart.Ship;
import dev.forebay.it.support.CallTimes;
import dev.forebay.it.support.LogFiles;
import dev.forebay.it.support.Mounted;
import dev.forebay.it.support.Places;
import dev.forebay.it.support.Program;
import dev.forebay.tiered.inspect.LogSpools;
import dev.forebay.tiered.inspect.SpoolFacts;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** The JVM's log, which another process ships: the JVM waits for no disk, not even at its end. */
@Tag("jdk")
class ApartAgentIT {

  private static final Duration PACE = Duration.ofMillis(20);

  /** Several collections between two looks at the log. */
  private static final int COLLECTIONS = 5;

  private static final int KILLS = 6;
  private static final int LONGEST_LIFE_MS = 600;

  /** How much longer the end may take than that of a JVM with a log on tmpfs, on two processors. */
  private static final long MORE_NS = 1_000_000_000;

  @AutoClose private final Places places = Places.create();

  private final Random random = new Random(1);
  private int lives;
  private int shippers;

  private Truth truth(int life) {
    return new Truth(places.spool().resolve("truth-" + life));
  }

  /** The truth is what {@code -Xlog} to tmpfs writes. */
  private Program start(String... options) throws IOException {
    List<String> all = new ArrayList<>(List.of("-XX:+UseSerialGC", "-Xmx64m"));
    all.add(truth(++lives).option());
    all.addAll(List.of(options));
    String own = Path.of("target", "test-classes").toAbsolutePath().toString();
    Program program =
        Program.start(places.directory("life-" + lives), all, own, Neighbour.class.getName());
    program.awaitSaid("manager ");
    return program;
  }

  private Program start(Path log) throws IOException {
    String apart = AgentJar.arguments(log, places) + ",shipping=apart,shippingFallback=never";
    return start(AgentJar.option(apart));
  }

  private Program shipper() throws IOException {
    List<String> command = new ArrayList<>(List.of(Program.ofJdk("java")));
    command.addAll(Program.QUICK);
    command.add("-Xmx64m");
    command.addAll(Ship.arguments(places.spool()));
    return Program.start(places.directory("shipper-" + ++shippers), command);
  }

  private static void collect(Program program) throws IOException {
    for (int i = 0; i < COLLECTIONS; i++) {
      program.tell("gc");
      Await.pass(PACE);
    }
  }

  private void awaitCarried(Path log, Program program) throws IOException {
    Truth own = truth(lives);
    Await.until(
        "a line of the JVM: " + program.output(),
        () -> {
          collect(program);
          List<String> lines = LogFiles.of(log).lines();
          return !lines.isEmpty() && own.lines().contains(lines.get(lines.size() - 1));
        });
  }

  /** Whatever a process that is gone has written is in the log, and its directory is deleted. */
  private void awaitDrained(Program shipper) throws IOException {
    Await.until("nothing is left: " + shipper.output(), () -> directories().isEmpty());
  }

  private List<Path> directories() throws IOException {
    List<Path> all = new ArrayList<>();
    for (LogSpools log : LogSpools.below(places.spool())) {
      all.addAll(log.directories(SpoolFacts.Kind.JVM));
    }
    return all;
  }

  /** Time until it has ended. */
  private static long endNs(Program program) throws IOException, InterruptedException {
    program.tell("gc");
    long startNs = System.nanoTime();
    assertThat(program.end()).as(program.output()).isZero();
    return System.nanoTime() - startNs;
  }

  @Test
  void aJvmEndsWhileTheDiskHangsAndEveryLineIsInTheLogAfterIt() throws Exception {
    try (Mounted disk = Mounted.disk(places);
        Program shipper = shipper()) {
      Path log = disk.at().resolve("gc.log");
      try (Program program = start(log);
          Program plain = start()) {
        lives = 1;
        awaitCarried(log, program);
        collect(program);
        disk.freeze();
        collect(program);
        long plainNs = endNs(plain);
        long ns = endNs(program);
        CallTimes.record("exit with a log on tmpfs", plainNs);
        CallTimes.record("exit with the agent apart, frozen disk", ns);
        assertThat(ns).isLessThan(plainNs + MORE_NS);
      } finally {
        disk.thaw();
      }
      awaitDrained(shipper);
      requireAll(log, 1);
      assertThat(shipper.isAlive()).isTrue();
    }
  }

  @Test
  void aJvmStartsAndWritesWhileTheDiskHangs() throws Exception {
    try (Mounted disk = Mounted.disk(places)) {
      Path log = disk.at().resolve("new").resolve("gc.log");
      disk.freeze();
      try (Program program = start(log)) {
        collect(program);
        Await.until(
            "it is shown",
            () -> directories().stream().anyMatch(one -> Files.exists(one.resolve("head"))));
        assertThat(program.end()).isZero();
        assertThat(program.output()).doesNotContain("forebay-agent");
      }
      disk.thaw();
      try (Program shipper = shipper()) {
        awaitDrained(shipper);
      }
      requireAll(log, 1);
    }
  }

  @Test
  void whatAKilledJvmWroteIsInTheLogOnceWhileTheShipperIsKilledToo() throws Exception {
    Path log = places.logDirectory().resolve("gc.log");
    Program shipper = shipper();
    try {
      for (int life = 1; life <= KILLS; life++) {
        try (Program program = start(log)) {
          awaitCarried(log, program);
          Await.pass(Duration.ofMillis(random.nextInt(LONGEST_LIFE_MS)));
          if (life % 2 == 0) {
            shipper.kill();
            collect(program);
            program.kill();
            shipper = shipper();
          } else {
            collect(program);
            program.kill();
          }
        }
      }
      awaitDrained(shipper);
      requireInOrder(Truth.ofJvm(LogFiles.of(log).lines()));
    } finally {
      shipper.close();
    }
  }

  /**
   * All of each life from its first line there on. The JVM writes a line to one output after the
   * other: a kill in between leaves the truth with one more.
   */
  private void requireInOrder(List<String> log) throws IOException {
    int at = 0;
    for (int life = 1; life <= KILLS; life++) {
      List<String> truth = truth(life).lines();
      int last = truth.size() - 1;
      int end = log.contains(truth.get(last)) ? truth.size() : last;
      List<String> carried = truth.subList(truth.indexOf(log.get(at)), end);
      List<String> found = log.subList(at, Math.min(log.size(), at + carried.size()));
      assertThat(found).as("life %d", life).isEqualTo(carried);
      at += carried.size();
    }
    assertThat(log).hasSize(at);
  }

  /** All but the first, which the JVM wrote before the agent, to the last: the JVM is gone. */
  private void requireAll(Path log, int life) throws IOException {
    List<String> lines = Truth.ofJvm(LogFiles.of(log).lines());
    List<String> truth = truth(life).lines();
    assertThat(lines).isEqualTo(truth.subList(truth.indexOf(lines.get(0)), truth.size()));
  }
}
