package dev.forebay.it.attack;

import dev.forebay.host.Await;
import dev.forebay.host.Command;
import dev.forebay.it.support.Child;
import dev.forebay.it.support.Program;
import java.io.IOException;
import java.io.ObjectOutputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
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
  private final Program program;
  private final long startNs = System.nanoTime();

  /** What it had begun to log when it was told to end; null if it stopped of its own accord. */
  private @Nullable Map<String, Long> atTheEnd;

  private Life(Path directory, String name, Tally tally, Program program) {
    this.directory = directory;
    this.name = name;
    this.tally = tally;
    this.program = program;
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
    boolean newest = scenario.newestJdk() && Files.exists(NEWEST_JDK);
    List<String> command =
        new ArrayList<>(List.of(newest ? NEWEST_JDK.toString() : Program.ofJdk("java")));
    if (attacked) { // compiled as it is for users
      command.addAll(List.of("-XX:+UseSerialGC", "-XX:-UsePerfData"));
      command.addAll(field.options());
    } else {
      command.addAll(Program.QUICK);
      command.addAll(newest ? List.of() : Child.archive());
      command.add("-Xmx256m");
    }
    command.addAll(List.of("-cp", Child.classPath()));
    command.addAll(List.of(Victim.class.getName(), directory.toString(), name));
    Tally tally = Tally.in(directory);
    return new Life(directory, name, tally, Program.start(directory, command));
  }

  String name() {
    return name;
  }

  Tally tally() {
    return tally;
  }

  boolean isAlive() {
    return program.isAlive();
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
      case TERM -> program.signal("TERM");
      case KILL -> program.close();
      default -> {}
    }
    await("end", () -> !program.isAlive());
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
            Duration.ofSeconds(Math.max(1, leftS)), () -> condition.call() || !program.isAlive());
    if (!came) {
      dump();
      throw new AssertionError("life " + name + " hangs before: " + step);
    }
    if (!condition.call()) {
      throw new AssertionError("life %s died before: %s".formatted(name, step));
    }
  }

  private void dump() throws IOException {
    String stacks = Command.run(Program.ofJdk("jstack"), "-l", String.valueOf(program.pid()));
    Files.writeString(directory.resolve("stacks"), stacks);
  }

  @Override
  public void close() {
    program.close();
    Await.until("is gone: " + name, () -> !program.isAlive());
  }
}
