package dev.forebay.benchmarks.lab.host;

import dev.forebay.benchmarks.lab.jvm.JvmRun;
import dev.forebay.benchmarks.lab.jvm.LogPlaces;
import dev.forebay.benchmarks.lab.jvm.SafepointLog;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/** Command lines of the JVMs that {@code lab jvm} measures. */
record JvmCommand(Map<Integer, Path> jdks) {

  /** A program that is run and that says nothing. */
  List<String> silent(JvmRun run, LogPlaces places) {
    return command(run, places, List.of(), List.of());
  }

  /** A program that leaves figures, with a second log of its safepoints. */
  List<String> talking(JvmRun run, LogPlaces places) {
    List<String> outputs = new ArrayList<>(List.of(SafepointLog.option(places.safepoints())));
    if (run.way().isOurs() && run.experiment().hasTruth()) {
      outputs.add(LogPlaces.output(run.experiment().what(), places.truth()));
    }
    List<String> arguments = new ArrayList<>(List.of(places.figures().toString()));
    arguments.addAll(run.experiment().arguments());
    return command(run, places, outputs, arguments);
  }

  private List<String> command(
      JvmRun run, LogPlaces places, List<String> outputs, List<String> arguments) {
    Path home = jdks.get(run.jdk());
    if (home == null) {
      throw new IllegalStateException("no JDK " + run.jdk());
    }
    List<String> command = new ArrayList<>();
    command.add(home.resolve("bin").resolve("java").toString());
    command.add(run.collector().option());
    command.add("-XX:-UsePerfData"); // its file is on a disk, too
    command.addAll(run.experiment().options());
    command.addAll(run.way().options(run.experiment().what(), places));
    command.addAll(outputs);
    command.addAll(List.of("-cp", JavaCommand.ownClassPath()));
    command.add(run.experiment().program().getName());
    command.addAll(arguments);
    return command;
  }
}
