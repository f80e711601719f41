package dev.forebay.tool;

import dev.forebay.agent.NanoClock;
import dev.forebay.tiered.control.ControlClient;
import dev.forebay.tiered.inspect.LogSpools;
import dev.forebay.tiered.inspect.SpoolFacts;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.TimeUnit;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** The live appenders that a verb steers. A mixin of the verbs that do. */
final class Steering {

  @Command(name = "rotate", description = "Roll the log file of a live appender now.")
  static final class Rotate implements Callable<Integer> {
    @Mixin private Output output = new Output();
    @Mixin private Steering steering = new Steering();

    @Override
    public Integer call() throws IOException {
      return steering.askAll(output, "rotate");
    }
  }

  @Command(name = "dump", description = "Write what a live appender's flight recorder holds.")
  static final class Dump implements Callable<Integer> {
    @Mixin private Output output = new Output();
    @Mixin private Steering steering = new Steering();

    @Option(names = "--reason", paramLabel = "TEXT", description = "Part of the file's name.")
    private String reason = "";

    @Override
    public Integer call() throws IOException {
      return steering.askAll(output, ("dump " + reason).strip());
    }
  }

  @Command(
      name = "flush",
      description = "Wait, at most 10 s, until what was logged so far is in the log.")
  static final class Flush implements Callable<Integer> {
    @Mixin private Output output = new Output();
    @Mixin private Steering steering = new Steering();

    @Override
    public Integer call() throws IOException {
      boolean isDone = true;
      for (Path spool : steering.spools()) {
        boolean flushed = steering.ask(spool, "flush 10000").equals(List.of("flushed true"));
        isDone &= flushed;
        if (output.isJson()) {
          output.json(new Json().put("spool", spool.toString()).put("flushed", flushed));
        } else {
          output.line(
              flushed ? "flushed" : "not in the log after 10 s; \"account\" shows how much");
        }
      }
      return isDone ? ExitCode.OK : ExitCode.FINDINGS;
    }
  }

  /** For all that a verb asks: more than an appender takes for a flush or a roll. */
  private static final long PATIENCE_NS = TimeUnit.SECONDS.toNanos(90);

  @Mixin private Places places = new Places();

  @Parameters(index = "0", paramLabel = "TARGET", description = Main.TARGET)
  private String target = "";

  private long deadlineNs = deadlineNs();

  private static long deadlineNs() {
    return NanoClock.SYSTEM.nanoTime() + PATIENCE_NS;
  }

  /** The verb begins anew: it has all of its time again. */
  void again() {
    deadlineNs = deadlineNs();
  }

  /** The spools of the target whose processes can be asked: at least one. */
  List<Path> spools() throws IOException {
    List<Path> spools = new ArrayList<>();
    for (LogSpools log : places.find(target)) {
      for (SpoolFacts spool : log.spools()) {
        if (spool.owner().isHeld() && ControlClient.isPresent(spool.path())) {
          spools.add(spool.path());
        }
      }
    }
    if (spools.isEmpty()) {
      throw ToolException.notFound(
          "no live appender of %s can be steered: its process has ended, its spool is in the heap, or it has <control>false</control>"
              .formatted(target));
    }
    return spools;
  }

  List<String> ask(Path spool, String request) throws IOException {
    return ask(spool, request, Math.max(0, deadlineNs - NanoClock.SYSTEM.nanoTime()));
  }

  /** What the owner of a spool says; a refusal ends the verb. */
  static List<String> ask(Path spool, String request, long patienceNs) throws IOException {
    ControlClient.Answer answer = ControlClient.ask(spool, request, patienceNs);
    if (!answer.isDone()) {
      throw ToolException.refused(String.join(" ", answer.lines()));
    }
    return answer.lines();
  }

  /** Asks all of them for one thing, and prints what each says. */
  int askAll(Output output, String request) throws IOException {
    for (Path spool : spools()) {
      for (String line : ask(spool, request)) {
        String text = line.startsWith("done ") ? line.substring("done ".length()) : line;
        if (output.isJson()) {
          output.json(new Json().put("spool", spool.toString()).put("done", text));
        } else {
          output.line(text);
        }
      }
    }
    return ExitCode.OK;
  }
}
