package dev.forebay.tool;

import dev.forebay.tiered.inspect.LogSpools;
import dev.forebay.tiered.inspect.SpoolFacts;
import dev.forebay.tiered.spool.Attributes;
import dev.forebay.tiered.spool.MissingRecords;
import dev.forebay.tiered.spool.RecordBatch;
import dev.forebay.tiered.spool.SpoolView;
import java.io.FileDescriptor;
import java.io.FileOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.Callable;
import java.util.concurrent.locks.LockSupport;
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

  @Option(names = "--unshipped", description = "Only lines that are not committed to the log.")
  private boolean unshipped;

  @Option(
      names = "--refused",
      description = "Only lines that a destination refused and that are set aside.")
  private boolean refused;

  @Parameters(paramLabel = "TARGET", description = Main.TARGET)
  private String target = "";

  /** The open views by directory, of spools that exist. */
  final Map<Path, SpoolView> views = new HashMap<>();

  private final Map<Path, Boolean> hasAttributes = new HashMap<>();

  private final RecordBatch batch = SpoolView.batch();

  /** Never closed: standard output belongs to the process. */
  private final FileChannel out = new FileOutputStream(FileDescriptor.out).getChannel();

  private long damaged;

  @Override
  public Integer call() throws IOException {
    List<LogSpools> logs = places.find(target);
    if (refused) {
      return printRefused(logs);
    }
    try {
      for (LogSpools log : logs) {
        for (SpoolFacts facts : log.facts(SpoolFacts.Kind.SPOOL)) {
          begin(log, facts);
          copy(facts.path(), follows ? Long.MAX_VALUE : facts.endSequence());
        }
      }
      while (follows) {
        LockSupport.parkNanos(LOOK_EVERY_NS);
        for (LogSpools log : logs) {
          follow(log);
        }
      }
    } catch (UncheckedIOException e) { // the reader has gone, as head does when it has enough
      return Main.OK;
    } finally {
      views.values().forEach(SpoolView::close);
    }
    return damaged == 0 ? Main.OK : Main.FINDINGS;
  }

  private int printRefused(List<LogSpools> logs) throws IOException {
    for (LogSpools log : logs) {
      for (Path file : log.refused()) {
        write(ByteBuffer.wrap(Files.readAllBytes(file)));
      }
    }
    return Main.OK;
  }

  private void begin(LogSpools log, SpoolFacts facts) throws IOException {
    Verify.requireReadable(facts);
    SpoolView view = log.open(facts.path());
    views.put(facts.path(), view);
    hasAttributes.put(facts.path(), log.hasAttributes());
    view.seek(
        unshipped ? Math.max(facts.committed(), facts.firstSequence()) : facts.firstSequence());
  }

  void follow(LogSpools log) throws IOException {
    List<Path> now = log.directories(SpoolFacts.Kind.SPOOL);
    for (Path known : List.copyOf(views.keySet())) {
      if (known.startsWith(log.path()) && !now.contains(known)) {
        Objects.requireNonNull(views.remove(known)).close();
      }
    }
    for (Path spool : now) {
      views.computeIfAbsent(spool, log::open);
      hasAttributes.putIfAbsent(spool, log.hasAttributes());
      copy(spool, Long.MAX_VALUE);
    }
  }

  /** Up to {@code end}, or what is there now. */
  private void copy(Path spool, long end) throws IOException {
    SpoolView view = views.get(spool);
    while (view != null && view.nextSequence() < end) {
      long wanted = view.nextSequence();
      MissingRecords gap = view.read(batch, BATCH_BYTES);
      long missing = gap == null ? 0 : gap.count();
      long shipped = view.nextSequence() - wanted - batch.count() - missing;
      if (shipped > 0) {
        output.note(
            "%d lines were shipped to the log before they could be read".formatted(shipped));
      }
      print(Boolean.TRUE.equals(hasAttributes.get(spool)));
      if (gap != null) {
        damaged += missing;
        String lines = missing == 0 ? "" : missing + " lines cannot be read: ";
        output.note(lines + gap.reason());
      } else if (batch.count() == 0) {
        return;
      }
    }
  }

  /**
   * The bytes of the records as they are, or each as a JSON object.
   *
   * @throws UncheckedIOException if the reader of the output has gone
   */
  private void print(boolean cutsAttributes) {
    if (output.isJson()) {
      write(ByteBuffer.wrap(json(cutsAttributes).getBytes(StandardCharsets.UTF_8)));
    } else if (!cutsAttributes) {
      write(batch.payload());
    } else {
      for (int i = 0; i < batch.count(); i++) {
        write(line(i, true));
      }
    }
  }

  private ByteBuffer line(int record, boolean cutsAttributes) {
    ByteBuffer line =
        batch.payload().limit(batch.byteCount(record + 1)).position(batch.byteCount(record));
    if (cutsAttributes) {
      ByteBuffer unused = Attributes.take(line);
    }
    return line;
  }

  private void write(ByteBuffer bytes) {
    try {
      while (bytes.hasRemaining()) {
        out.write(bytes);
      }
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private String json(boolean cutsAttributes) {
    StringBuilder all = new StringBuilder();
    for (int i = 0; i < batch.count(); i++) {
      String text = StandardCharsets.UTF_8.decode(line(i, cutsAttributes)).toString();
      Json json =
          new Json()
              .put("sequence", batch.firstSequence() + i)
              .put("text", text.endsWith("\n") ? text.substring(0, text.length() - 1) : text);
      all.append(json).append('\n');
    }
    return all.toString();
  }
}
