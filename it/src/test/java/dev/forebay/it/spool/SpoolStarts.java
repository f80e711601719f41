package dev.forebay.it.spool;

import dev.forebay.host.Await;
import dev.forebay.host.FileTree;
import dev.forebay.it.support.Numbered;
import dev.forebay.it.support.Tiered;
import dev.forebay.tiered.TieredAppender;
import dev.forebay.tiered.disk.NioDisk;
import dev.forebay.tiered.spool.LogIdentity;
import dev.forebay.tiered.spool.RecordBatch;
import dev.forebay.tiered.spool.Spool;
import dev.forebay.tiered.spool.SpoolDirectory;
import dev.forebay.tiered.spool.SpoolLimits;
import dev.forebay.tiered.spool.SpoolWriter;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * A process that starts again and again in places where others make names too, and prints what it
 * was told and what came back.
 */
final class SpoolStarts {

  private static final SpoolLimits LIMITS = new SpoolLimits(1 << 20, 64 << 10);
  private static final int RECORDS = 5;

  private SpoolStarts() {}

  /**
   * Does one of two things.
   *
   * @param args {@code appenders}, a number of messages, then configurations, to log so many
   *     messages through each, or with 0 to ship what an earlier start left; or {@code spools}, a
   *     number of starts, a base directory
   */
  public static void main(String[] args) throws Exception {
    if (args[0].equals("appenders")) {
      logThrough(List.of(args).subList(2, args.length), Long.parseLong(args[1]));
    } else {
      for (int start = 0; start < Integer.parseInt(args[1]); start++) {
        spoolIn(Path.of(args[2]), start);
      }
    }
  }

  /** All at once: each may wait until it tries its log again. */
  private static void logThrough(List<String> configurations, long count) throws Exception {
    Map<Path, Tiered> all = new LinkedHashMap<>();
    for (String configuration : configurations) {
      Path path = Path.of(configuration);
      all.put(path.getFileName(), Tiered.configured(Files.readString(path)).log("p", 0, count));
    }
    for (Map.Entry<Path, Tiered> one : all.entrySet()) {
      Tiered tiered = one.getValue();
      TieredAppender appender = tiered.appender();
      Await.until("shipped or told", () -> isDone(tiered, count));
      tiered.close();
      System.out.println(one.getKey() + " account " + appender.snapshot());
      tiered.warnings().forEach(text -> System.out.println(one.getKey() + " warning " + text));
      tiered.errors().forEach(text -> System.out.println(one.getKey() + " error " + text));
    }
  }

  /** Whether the messages, or those of an earlier start, are shipped, or are known not to be. */
  private static boolean isDone(Tiered tiered, long count) {
    return count == 0
        ? Path.of(tiered.appender().getFile()).toFile().length() > 0
        : tiered.appender().flush(Duration.ofMillis(100))
            || tiered.errors().stream().anyMatch(text -> text.contains("cannot write "));
  }

  /** One start: records go in, come back, and everything of ours is removed again. */
  private static void spoolIn(Path base, int start) throws IOException {
    SpoolDirectory directory =
        SpoolDirectory.open(
            new NioDisk(), base, LogIdentity.of(new NioDisk(), Path.of("/app.log")));
    Spool spool = directory.createSpool(LIMITS);
    for (int i = 0; i < RECORDS; i++) {
      String text = new Numbered("s", (long) start * RECORDS + i).text() + "\n";
      byte[] bytes = text.getBytes(StandardCharsets.UTF_8);
      if (spool.writer().append(bytes, 0, bytes.length, 2) != SpoolWriter.Outcome.ADDED) {
        throw new IOException("not taken");
      }
    }
    spool.writer().flush();
    List<String> lines = new ArrayList<>();
    RecordBatch batch = new RecordBatch(1 << 16);
    while (spool.source().read(batch, 1 << 16) == null && batch.count() > 0) {
      lines.addAll(StandardCharsets.UTF_8.decode(batch.payload()).toString().lines().toList());
    }
    for (String line : lines) {
      System.out.println("line " + line);
    }
    for (String warning : directory.takeWarnings()) {
      System.out.println("warning " + warning);
    }
    System.out.println("in " + directory.path().getParent().getFileName());
    spool.discard();
    FileTree.delete(directory.path().getParent());
  }
}
