package dev.forebay.tool;

import dev.forebay.tiered.inspect.JvmLogFacts;
import dev.forebay.tiered.inspect.LogSpools;
import dev.forebay.tiered.inspect.LoopFacts;
import dev.forebay.tiered.inspect.SpoolFacts;
import dev.forebay.tiered.ship.CheckpointView;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Instant;
import java.util.ArrayList;
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
    List<Json> spools = new ArrayList<>();
    log.spools().forEach(facts -> spools.add(new SpoolReport(name, facts).json()));
    List<Json> loops = new ArrayList<>();
    log.loops().forEach(facts -> loops.add(new LoopReport(name, facts).json()));
    List<Json> jvms = new ArrayList<>();
    log.jvmLogs().forEach(facts -> jvms.add(new JvmLogReport(name, facts).json()));
    return new Json()
        .put("log", name.isEmpty() ? null : name)
        .put("directory", log.path().toString())
        .put("shipper", log.shipper().pid())
        .put("checkpointFault", checkpoint.fault())
        .put("committedFile", checkpoint.fileKey())
        .put("committedBytes", checkpoint.endOffset())
        .put("quarantined", log.quarantined().size())
        .put("spools", spools)
        .put("loops", loops)
        .put("jvms", jvms);
  }

  private void print(LogSpools log) throws IOException {
    String name = log.log();
    output.line("log         " + (name.isEmpty() ? "(unknown)" : name));
    output.line("directory   " + log.path());
    output.line(
        "shipper     " + (log.shipper().isHeld() ? SpoolReport.process(log.shipper()) : "none"));
    output.line("checkpoint  " + describe(log.checkpoint()));
    for (Path damaged : log.quarantined()) {
      output.line("damaged     " + damaged);
    }
    for (SpoolFacts spool : log.spools()) {
      output.line("");
      output.line("spool       " + spool.path());
      output.line("process     " + SpoolReport.process(spool.owner()));
      output.line(SpoolReport.size(spool.bytes(), spool.segments(), spool.version()));
      output.line(
          "records     %s, sequences %d to %d"
              .formatted(
                  Text.count(spool.records()), spool.firstSequence(), spool.endSequence() - 1));
      output.line(
          "uncommitted %s, from sequence %d"
              .formatted(Text.count(spool.unshipped()), spool.committed()));
      if (spool.oldestMs() > 0) {
        output.line("oldest      before " + Instant.ofEpochMilli(spool.oldestMs()));
      }
    }
    for (LoopFacts loop : log.loops()) {
      output.line("");
      new LoopReport(name, loop).lines().forEach(output::line);
    }
    for (JvmLogFacts jvm : log.jvmLogs()) {
      output.line("");
      new JvmLogReport(name, jvm).lines().forEach(output::line);
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
