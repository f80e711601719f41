package dev.forebay.tool;

import dev.forebay.tiered.checkpoint.CheckpointView;
import dev.forebay.tiered.inspect.LogSpools;
import dev.forebay.tiered.inspect.SpoolFacts;
import dev.forebay.tiered.spool.MissingRecords;
import dev.forebay.tiered.spool.RecordBatch;
import dev.forebay.tiered.spool.SpoolView;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Parameters;

/** Every checksum of every spool. */
@Command(
    name = "verify",
    description = "Verify every checksum, also while processes write; ends with 1 if one is wrong.")
final class Verify implements Callable<Integer> {

  private static final int BATCH_BYTES = 256 * 1024;

  @Mixin private Output output = new Output();
  @Mixin private Places places = new Places();

  @Parameters(paramLabel = "TARGET", arity = "0..1", description = Main.TARGET + " All by default.")
  private @Nullable String target;

  private final RecordBatch batch = SpoolView.batch();
  private boolean anyFault;
  private boolean anyOtherVersion;

  /** Refuses a spool whose format this tool does not know. */
  static void requireReadable(SpoolFacts facts) {
    if (!facts.isReadable()) {
      throw ToolException.refused(otherVersion(facts));
    }
  }

  private static String otherVersion(SpoolFacts facts) {
    return "%s has format version %d, this tool reads %d; use the tool of the appender's version"
        .formatted(facts.path(), facts.version(), SpoolView.readableVersion());
  }

  @Override
  public Integer call() throws IOException {
    String only = target;
    for (LogSpools log : only == null ? places.all() : places.find(only)) {
      checkCheckpoint(log);
      for (SpoolFacts facts : log.facts(SpoolFacts.Kind.SPOOL, SpoolFacts.Kind.LOOP)) {
        verify(log, facts);
      }
    }
    if (anyFault) {
      return Main.FINDINGS;
    }
    return anyOtherVersion ? Main.REFUSED : Main.OK;
  }

  private void checkCheckpoint(LogSpools log) throws IOException {
    CheckpointView checkpoint = log.checkpoint();
    String fault = checkpoint.fault();
    if (fault != null) {
      anyFault = true;
      report(log.path(), 0, 0, List.of("the checkpoint " + fault));
    }
  }

  private void verify(LogSpools log, SpoolFacts facts) throws IOException {
    Path path = facts.path();
    if (!facts.isReadable()) {
      anyOtherVersion = true;
      output.note(otherVersion(facts));
      return;
    }
    long records = 0;
    long lost = 0;
    List<String> faults = new ArrayList<>();
    try (SpoolView view = log.open(path)) {
      long end = view.endSequence();
      while (view.nextSequence() < end) {
        MissingRecords gap = view.read(batch, BATCH_BYTES);
        records += batch.count();
        if (gap == null && batch.count() == 0) {
          break;
        } else if (gap != null) {
          lost += gap.count();
          long last = gap.fromSequence() + gap.count() - 1;
          String which = "records %d to %d: ".formatted(gap.fromSequence(), last);
          faults.add((gap.count() == 0 ? "" : which) + gap.reason());
        }
      }
    }
    anyFault |= !faults.isEmpty();
    report(path, records, lost, faults);
  }

  private void report(Path path, long records, long lost, List<String> faults) {
    List<String> text = new ArrayList<>();
    text.add(
        "%s: %s records, %s"
            .formatted(
                path,
                Text.count(records),
                faults.isEmpty() ? "all whole" : Text.count(lost) + " damaged"));
    faults.forEach(fault -> text.add("  " + fault));
    output.print(
        new Json()
            .put("spool", path.toString())
            .put("records", records)
            .put("damaged", lost)
            .put("faults", faults),
        text.toArray(String[]::new));
  }
}
