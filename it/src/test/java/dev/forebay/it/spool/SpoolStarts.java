package dev.forebay.it.spool;

import dev.forebay.host.FileTree;
import dev.forebay.it.support.Numbered;
import dev.forebay.tiered.disk.NioDisk;
import dev.forebay.tiered.identity.LogIdentity;
import dev.forebay.tiered.spool.RecordBatch;
import dev.forebay.tiered.spool.Spool;
import dev.forebay.tiered.spool.SpoolDirectory;
import dev.forebay.tiered.spool.SpoolLimits;
import dev.forebay.tiered.spool.SpoolWriter;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/**
 * A process that starts again and again in places where others make names too, and prints what it
 * was told and what came back.
 */
final class SpoolStarts {

  private static final SpoolLimits LIMITS = new SpoolLimits(1 << 20, 64 << 10);
  private static final int RECORDS = 5;

  private SpoolStarts() {}

  /**
   * Starts.
   *
   * @param args how often, and the base directory
   */
  public static void main(String[] args) throws Exception {
    for (int start = 0; start < Integer.parseInt(args[0]); start++) {
      spoolIn(Path.of(args[1]), start);
    }
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
