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
@Command(name = "ls", description = "List the spools of this user.")
final class Ls implements Callable<Integer> {

  @Mixin private Output output = new Output();
  @Mixin private Places places = new Places();

  private final InstantSource clock = InstantSource.system();

  @Override
  public Integer call() throws IOException {
    List<SpoolReport> reports = new ArrayList<>();
    for (LogSpools log : places.all()) {
      String name = log.log();
      for (SpoolFacts facts : log.spools()) {
        reports.add(new SpoolReport(name, facts));
      }
    }
    if (output.isJson()) {
      reports.forEach(report -> output.json(report.json()));
    } else if (!reports.isEmpty()) {
      List<List<String>> rows = new ArrayList<>(List.of(SpoolReport.HEADINGS));
      reports.forEach(report -> rows.add(report.row(clock.millis())));
      Text.table(rows).forEach(output::line);
    }
    for (Inspector.Foreign other : places.foreign()) {
      output.note("left out %s of user %d".formatted(other.path(), other.userId()));
    }
    return ExitCode.OK;
  }
}
