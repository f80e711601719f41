package dev.forebay.tool;

import dev.forebay.tiered.inspect.Inspector;
import dev.forebay.tiered.inspect.LogSpools;
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
      for (SpoolFacts facts : log.all()) {
        SpoolReport report = new SpoolReport(name, facts);
        if (output.isJson()) {
          output.json(report.json());
        } else {
          if (rows.isEmpty()) {
            rows.add(SpoolReport.HEADINGS);
          }
          rows.add(report.row(clock.millis()));
        }
      }
    }
    Text.table(rows).forEach(output::line);
    for (Inspector.Foreign other : places.foreign()) {
      output.note("left out %s of user %d".formatted(other.path(), other.userId()));
    }
    return ExitCode.OK;
  }
}
