package dev.forebay.tool;

import dev.forebay.tiered.inspect.LogSpools;
import dev.forebay.tiered.inspect.SpoolFacts;
import dev.forebay.tiered.spool.ReadOutcome;
import dev.forebay.tiered.spool.RecordBatch;
import dev.forebay.tiered.spool.SpoolView;
import java.io.IOException;
import java.nio.file.Path;
import java.time.InstantSource;
import java.time.ZoneId;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.Callable;
import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** The lines in a log's spools, oldest first. */
@Command(
    name = "cat",
    description =
        "Print the lines in a log's spools; those of a live process may be in the log too.")
final class Cat implements Callable<Integer> {

  private static final int BATCH_BYTES = 256 * 1024;
  private static final long LOOK_EVERY_NS = 100_000_000;

  @Mixin private Output output = new Output();
  @Mixin private Places places = new Places();

  @Option(
      names = {"-f", "--follow"},
      description = "Go on with what is written, also by later processes, until interrupted.")
  private boolean follows;

  @Option(
      names = "--since",
      paramLabel = "TIME",
      description =
          "Begin with the segment that was written then: 10m ago, or 2026-01-31T23:59."
              + " May print older lines, never leaves out younger ones.")
  private @Nullable String since;

  @Option(names = "--unshipped", description = "Only lines that are not committed to the log.")
  private boolean unshipped;

  @Parameters(paramLabel = "TARGET", description = Main.TARGET)
  private String target = "";

  private final InstantSource clock = InstantSource.system();

  /** By directory; of those that are there. */
  final Map<Path, SpoolView> views = new HashMap<>();

  private final RecordBatch batch = SpoolView.batch();
  private long damaged;

  @Override
  public Integer call() throws IOException {
    String begin = since;
    long sinceMs =
        begin == null
            ? Long.MIN_VALUE
            : Moment.parse(begin, clock.instant(), ZoneId.systemDefault());
    List<LogSpools> logs = places.find(target);
    Records records = new Records(output.isJson());
    try {
      for (LogSpools log : logs) {
        for (SpoolFacts facts : log.spools()) {
          begin(log, facts, sinceMs);
          copy(facts.path(), follows ? Long.MAX_VALUE : facts.endSequence(), records);
        }
      }
      while (follows) {
        LockSupport.parkNanos(LOOK_EVERY_NS);
        for (LogSpools log : logs) {
          follow(log, records);
        }
      }
    } catch (Records.ReaderGone e) {
      return ExitCode.OK;
    } finally {
      views.values().forEach(SpoolView::close);
    }
    return damaged == 0 ? ExitCode.OK : ExitCode.FINDINGS;
  }

  private void begin(LogSpools log, SpoolFacts facts, long sinceMs) throws IOException {
    Verify.requireReadable(facts);
    SpoolView view = log.open(facts.path());
    views.put(facts.path(), view);
    long first =
        unshipped ? Math.max(facts.committed(), facts.firstSequence()) : facts.firstSequence();
    for (Map.Entry<Long, Long> written : view.writtenMs().entrySet()) {
      if (written.getValue() >= sinceMs) {
        view.seek(Math.max(first, written.getKey()));
        return;
      }
    }
    view.seek(facts.endSequence());
  }

  void follow(LogSpools log, Records records) throws IOException {
    List<Path> now;
    try {
      now = log.directories();
    } catch (IOException e) {
      now = List.of(); // the directory is gone until a process writes again
    }
    for (Path known : List.copyOf(views.keySet())) {
      if (known.startsWith(log.path()) && !now.contains(known)) {
        Objects.requireNonNull(views.remove(known)).close();
      }
    }
    for (Path spool : now) {
      views.computeIfAbsent(spool, log::open);
      copy(spool, Long.MAX_VALUE, records);
    }
  }

  /** Up to {@code end}, or what is there now. */
  private void copy(Path spool, long end, Records records) throws IOException {
    SpoolView view = views.get(spool);
    while (view != null && view.nextSequence() < end) {
      ReadOutcome outcome = view.read(batch, BATCH_BYTES);
      if (outcome instanceof ReadOutcome.Records) {
        records.print(batch);
      } else if (outcome instanceof ReadOutcome.Nothing) {
        return;
      } else if (outcome instanceof ReadOutcome.Gap gap) {
        damaged += gap.count();
        output.note("%d lines cannot be read: %s".formatted(gap.count(), gap.reason()));
      } else if (outcome instanceof ReadOutcome.Shipped gone) {
        output.note(
            "%d lines were shipped to the log before they could be read".formatted(gone.count()));
      } else if (outcome instanceof ReadOutcome.Suspect suspect) {
        output.note(suspect.reason());
      }
    }
  }
}
