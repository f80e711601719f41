package dev.forebay.tool;

import dev.forebay.tiered.file.CheckpointView;
import dev.forebay.tiered.inspect.LogSpools;
import dev.forebay.tiered.inspect.SpoolFacts;
import java.io.IOException;
import java.util.List;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Parameters;

/** All that is known of one log's spools. */
@Command(name = "stat", description = "Show all that is known of a log's spools.")
final class Stat implements Callable<Integer> {

  @Mixin private Output output = new Output();
  @Mixin private Places places = new Places();

  @Parameters(paramLabel = "TARGET", description = Main.TARGET)
  private String target = "";

  @Override
  public Integer call() throws IOException {
    for (LogSpools log : places.find(target)) {
      if (output.isJson()) {
        output.json(json(log));
      } else {
        print(log);
      }
    }
    return ExitCode.OK;
  }

  private static Json json(LogSpools log) throws IOException {
    String name = log.log();
    CheckpointView checkpoint = log.checkpoint();
    return new Json()
        .put("log", name.isEmpty() ? null : name)
        .put("directory", log.path().toString())
        .put("shipper", log.shipper().pid())
        .put("checkpointFault", checkpoint.fault())
        .put("committedFile", checkpoint.fileKey())
        .put("committedBytes", checkpoint.endOffset())
        .put("spools", json(name, log.spools()))
        .put("loops", json(name, log.loops()))
        .put("jvms", json(name, log.jvmLogs()));
  }

  private static List<Json> json(String log, List<SpoolFacts> all) {
    return all.stream().map(facts -> new SpoolReport(log, facts).json()).toList();
  }

  private void print(LogSpools log) throws IOException {
    String name = log.log();
    output.line("log         " + (name.isEmpty() ? "(unknown)" : name));
    output.line("directory   " + log.path());
    output.line(
        "shipper     " + (log.shipper().isHeld() ? SpoolReport.process(log.shipper()) : "none"));
    output.line("checkpoint  " + describe(log.checkpoint()));
    for (SpoolFacts facts : log.all()) {
      output.line("");
      new SpoolReport(name, facts).lines().forEach(output::line);
    }
  }

  private static String describe(CheckpointView checkpoint) {
    if (checkpoint.fault() != null) {
      return checkpoint.fault() + "; lines of dead processes may be duplicated";
    }
    return checkpoint.fileKey().isEmpty()
        ? "none: nothing was shipped yet"
        : "%s bytes of file %s are committed"
            .formatted(Text.count(checkpoint.endOffset()), checkpoint.fileKey());
  }
}
