package dev.forebay.tool;

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
      List<SpoolFacts> spools = log.spools();
      List<LoopFacts> loops = log.loops();
      String name = log.log();
      CheckpointView checkpoint = log.checkpoint();
      if (output.isJson()) {
        output.json(json(log, name, checkpoint, spools, loops));
      } else {
        print(log, name, checkpoint, spools);
        for (LoopFacts loop : loops) {
          output.line("");
          new LoopReport(name, loop).lines().forEach(output::line);
        }
      }
    }
    return ExitCode.OK;
  }

  private static Json json(
      LogSpools log,
      String name,
      CheckpointView checkpoint,
      List<SpoolFacts> spools,
      List<LoopFacts> loops)
      throws IOException {
    List<Json> recorded = new ArrayList<>();
    loops.forEach(loop -> recorded.add(new LoopReport(name, loop).json()));
    List<Json> all = new ArrayList<>();
    spools.forEach(spool -> all.add(new SpoolReport(name, spool).json()));
    return new Json()
        .put("log", name.isEmpty() ? null : name)
        .put("directory", log.path().toString())
        .put("shipper", log.shipper().pid())
        .put("checkpointFault", checkpoint.fault())
        .put("committedFile", checkpoint.fileKey())
        .put("committedBytes", checkpoint.endOffset())
        .put("quarantined", log.quarantined().size())
        .put("spools", all)
        .put("loops", recorded);
  }

  private void print(LogSpools log, String name, CheckpointView checkpoint, List<SpoolFacts> spools)
      throws IOException {
    output.line("log         " + (name.isEmpty() ? "(unknown)" : name));
    output.line("directory   " + log.path());
    output.line(
        "shipper     " + (log.shipper().isHeld() ? SpoolReport.process(log.shipper()) : "none"));
    output.line("checkpoint  " + describe(checkpoint));
    for (Path damaged : log.quarantined()) {
      output.line("damaged     " + damaged);
    }
    for (SpoolFacts spool : spools) {
      output.line("");
      output.line("spool       " + spool.path());
      output.line("process     " + SpoolReport.process(spool.owner()));
      output.line(
          "bytes       %s in %d segments, format %d"
              .formatted(Text.count(spool.bytes()), spool.segments(), spool.version()));
      output.line(
          "records     %s, sequences %d to %d"
              .formatted(
                  Text.count(spool.records()), spool.firstSequence(), spool.endSequence() - 1));
      output.line(
          "unshipped   %s, from sequence %d"
              .formatted(Text.count(spool.unshipped()), spool.committed()));
      if (spool.oldestMs() > 0) {
        output.line("oldest      before " + Instant.ofEpochMilli(spool.oldestMs()));
      }
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
