package dev.forebay.tiered.jvm;

import dev.forebay.tiered.disk.MemoryDisk;
import dev.forebay.tiered.identity.LogIdentity;
import dev.forebay.tiered.identity.LogNote;
import dev.forebay.tiered.spool.RecordBatch;
import dev.forebay.tiered.spool.RecordSource;
import dev.forebay.tiered.spool.SpoolDirectory;
import dev.forebay.tiered.spool.SpoolNames;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;

/**
 * A fuzz target: what a dead JVM left, with any content of the small files that say what it is:
 * {@code output} and {@code log}. Nothing is thrown, the lines that are linked can be read, and
 * nothing is left to take over.
 *
 * <p>Input: the number of files whose names say which record they begin with, then the bytes.
 */
public final class JvmFilesFuzz {
  private static final Path BASE = Path.of("/shm");
  private static final String LINES = "first\nsecond\nthird\n";

  private JvmFilesFuzz() {}

  public static void fuzzerTestOneInput(byte[] data) throws IOException {
    if (data.length == 0) {
      return;
    }
    byte[] text = Arrays.copyOfRange(data, 1, data.length);
    MemoryDisk disk = new MemoryDisk();
    disk.createDirectory(BASE);
    SpoolDirectory directory =
        SpoolDirectory.open(disk, BASE, LogIdentity.unresolved(disk, Path.of("/log/gc.log")));
    leave(disk, directory, text, data[0] & 3);
    LogNote note = directory.note();
    require(note == null || note.path().length() <= text.length, "note");
    String lines = lines(directory);
    require(LINES.equals(lines), "other lines: " + lines);
    require(directory.list(SpoolNames.LINES).isEmpty(), "left");
  }

  private static void leave(MemoryDisk disk, SpoolDirectory directory, byte[] output, int named)
      throws IOException {
    LineSpool dead = LineSpool.create(directory, 0);
    Path path = dead.path();
    dead.close();
    List<String> lines = LINES.lines().toList();
    for (int i = 0; i < lines.size(); i++) {
      LineFile file = new LineFile(i, 0, i < named ? i : LineFile.UNKNOWN, false);
      disk.put(path.resolve(file.name()), (lines.get(i) + "\n").getBytes(StandardCharsets.UTF_8));
    }
    disk.put(path.resolve(LineSpool.OUTPUT), output);
    disk.put(path.resolve("log"), output);
  }

  private static String lines(SpoolDirectory directory) throws IOException {
    StringBuilder lines = new StringBuilder();
    for (RecordSource source : directory.orphans(null, JvmReading::rescue)) {
      RecordBatch batch = new RecordBatch(1 << 20);
      while (source.read(batch, Long.MAX_VALUE) == null && batch.count() > 0) {
        byte[] all = new byte[batch.byteCount()];
        batch.payload().get(all);
        lines.append(new String(all, StandardCharsets.UTF_8));
      }
      source.discard();
    }
    return lines.toString();
  }

  private static void require(boolean holds, String otherwise) {
    if (!holds) {
      throw new IllegalStateException(otherwise);
    }
  }
}
