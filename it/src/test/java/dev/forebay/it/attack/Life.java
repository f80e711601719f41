package dev.forebay.it.attack;

import dev.forebay.host.Await;
import dev.forebay.it.support.Child;
import dev.forebay.it.support.ChildReports;
import java.io.File;
import java.io.IOException;
import java.io.ObjectOutputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/** A {@link Victim} seen from outside. */
final class Life implements AutoCloseable {

  /** No life may last longer. */
  private static final long LIMIT_S = 120;

  private static final Path NEWEST_JDK =
      Path.of(System.getProperty("forebay.jdk25.home", ""), "bin", "java");

  private final Path directory;
  private final String name;
  private final Tally tally;
  private final Process process;
  private final long startNs = System.nanoTime();

  /** What it had begun to log when it was told to end; null if it stopped of its own accord. */
  private @Nullable Map<String, Long> atTheEnd;

  private Life(Path directory, String name, Tally tally, Process process) {
    this.directory = directory;
    this.name = name;
    this.tally = tally;
    this.process = process;
  }

  /** Starts a process; with the scenario's load and attacks only if it is the one attacked. */
  static Life start(Field field, String name) throws IOException {
    Path directory = Files.createDirectory(field.root().resolve("life-" + name));
    Files.writeString(directory.resolve("logback.xml"), field.xml(name));
    Scenario scenario = field.scenario();
    boolean attacked = name.equals(Trial.ATTACKED);
    if (attacked) {
      try (ObjectOutputStream out =
          new ObjectOutputStream(Files.newOutputStream(directory.resolve("scenario")))) {
        out.writeObject(scenario);
      }
    }
    List<String> command = new ArrayList<>();
    boolean newest = scenario.newestJdk() && Files.exists(NEWEST_JDK);
    Path home = Path.of(System.getProperty("java.home"), "bin/java");
    command.add((newest ? NEWEST_JDK : home).toString());
    if (attacked) { // compiled as it is for users
      command.addAll(List.of("-XX:+UseSerialGC", "-XX:-UsePerfData"));
      command.addAll(field.options());
    } else {
      command.addAll(ChildReports.QUICK);
      command.addAll(newest ? List.of() : Child.archive());
      command.add("-Xmx256m");
    }
    command.addAll(List.of("-cp", Child.classPath()));
    command.addAll(List.of(Victim.class.getName(), directory.toString(), name));
    File output = directory.resolve("output").toFile();
    Tally tally = Tally.in(directory);
    Process process =
        new ProcessBuilder(command).redirectErrorStream(true).redirectOutput(output).start();
    return new Life(directory, name, tally, process);
  }

  String name() {
    return name;
  }

  Tally tally() {
    return tally;
  }

  boolean isAlive() {
    return process.isAlive();
  }

  /** Lines of one of its reports. */
  List<String> report(String file) throws IOException {
    Path path = directory.resolve(file);
    return Files.exists(path) ? Files.readAllLines(path) : List.of();
  }

  private boolean said(String what) {
    return directory.resolve(what).toFile().length() > 0;
  }

  /** Whether it said how it stopped: its account is complete. */
  boolean stopped() {
    return said("account");
  }

  void awaitUp() throws Exception {
    await("up", () -> said("up"));
  }

  /** The attacks are over; waits until it has seen to itself. */
  void calm() throws Exception {
    Files.createFile(directory.resolve(Victim.CALM));
    await(Victim.SETTLED, () -> said(Victim.SETTLED));
  }

  /** As the other, of a process whose lines another one is to deliver. */
  void calmWithoutDelivery() throws Exception {
    Files.createFile(directory.resolve(Victim.SPOOLING));
    calm();
  }

  /** Ends it, and waits for that. */
  void end(Scenario.End how) throws Exception {
    if (how != Scenario.End.STOP && how != Scenario.End.EXIT) {
      Await.pass(Duration.ofMillis(300));
      atTheEnd = tally.begun();
    }
    switch (how) {
      case TERM -> process.destroy();
      case KILL -> process.destroyForcibly();
      default -> {}
    }
    await("end", () -> !process.isAlive());
  }

  /** What it had begun to log before somebody ended it. */
  @Nullable Map<String, Long> atTheEnd() {
    return atTheEnd;
  }

  /** Waits for a step of the process; where it hangs, its stacks are kept. */
  void await(String step, Callable<Boolean> condition) throws Exception {
    long leftS = LIMIT_S - (System.nanoTime() - startNs) / 1_000_000_000;
    boolean came =
        Await.within(
            Duration.ofSeconds(Math.max(1, leftS)), () -> condition.call() || !process.isAlive());
    if (!came) {
      dump();
      throw new AssertionError("life " + name + " hangs before: " + step);
    }
    if (!condition.call()) {
      throw new AssertionError("life %s died before: %s".formatted(name, step));
    }
  }

  private void dump() throws IOException, InterruptedException {
    String jstack = Path.of(System.getProperty("java.home"), "bin/jstack").toString();
    new ProcessBuilder(jstack, "-l", String.valueOf(process.pid()))
        .redirectErrorStream(true)
        .redirectOutput(directory.resolve("stacks").toFile())
        .start()
        .waitFor(20, TimeUnit.SECONDS);
  }

  @Override
  public void close() {
    process.destroyForcibly();
    process.onExit().join();
  }
}
