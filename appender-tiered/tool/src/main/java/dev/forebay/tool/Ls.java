package dev.forebay.tool;

import dev.forebay.tiered.inspect.Inspector;
import dev.forebay.tiered.inspect.JvmLogFacts;
import dev.forebay.tiered.inspect.LogSpools;
import dev.forebay.tiered.inspect.LoopFacts;
import dev.forebay.tiered.inspect.SpoolFacts;
import java.io.IOException;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;

/** The spools of this user on this machine. */
@Command(
    name = "ls",
    description =
        "List the spools of this user, the loops of flight recorders, and what JVMs wrote to their logs.")
final class Ls implements Callable<Integer> {

  @Mixin private Output output = new Output();
  @Mixin private Places places = new Places();

  private final InstantSource clock = InstantSource.system();

  @Override
  public Integer call() throws IOException {
    List<List<String>> rows = new ArrayList<>();
    for (LogSpools log : places.all()) {
      String name = log.log();
      for (SpoolFacts facts : log.spools()) {
        SpoolReport spool = new SpoolReport(name, facts);
        add(rows, spool.row(clock.millis()), spool.json());
      }
      for (LoopFacts facts : log.loops()) {
        LoopReport loop = new LoopReport(name, facts);
        add(rows, loop.row(clock.millis()), loop.json());
      }
      for (JvmLogFacts facts : log.jvmLogs()) {
        JvmLogReport jvm = new JvmLogReport(name, facts);
        add(rows, jvm.row(), jvm.json());
      }
    }
    Text.table(rows).forEach(output::line);
    for (Inspector.Foreign other : places.foreign()) {
      output.note("left out %s of user %d".formatted(other.path(), other.userId()));
    }
    return ExitCode.OK;
  }

  /** Prints the JSON, or collects the rows of a table. */
  private void add(List<List<String>> rows, List<String> row, Json json) {
    if (output.isJson()) {
      output.json(json);
      return;
    }
    if (rows.isEmpty()) {
      rows.add(SpoolReport.HEADINGS);
    }
    rows.add(row);
  }
}
