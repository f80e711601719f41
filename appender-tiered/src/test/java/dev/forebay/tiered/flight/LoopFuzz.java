package dev.forebay.tiered.flight;

import dev.forebay.tiered.disk.MemoryDisk;
import dev.forebay.tiered.spool.RecordBatch;
import dev.forebay.tiered.spool.RecordSource;
import dev.forebay.tiered.spool.SegmentFuzz;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * A fuzz target: the dump of a loop of any content has exactly the events that the plain scanner
 * finds in it, or those with one key, and remarks where some are missing.
 *
 * <p>The input is that of {@link SegmentFuzz}; bit 4 of its first byte wants one key.
 */
public final class LoopFuzz {
  private static final int WITH_KEY = 1 << 4;
  private static final Path LOG = Path.of("/app.log");
  private static final Path DUMP = Path.of("/app.flight.crash.log");
  private static final byte[] KEY = {'k'};
  private static final Pattern MISSING =
      Pattern.compile("# \\d+ events are missing here: they expired before they were read\n");

  private LoopFuzz() {}

  /** The entry point: throws where something is wrong. */
  public static void fuzzerTestOneInput(byte[] data) throws IOException {
    if (data.length < 2) {
      return;
    }
    byte[] key = (data[0] & WITH_KEY) == 0 ? null : KEY;
    MemoryDisk disk = new MemoryDisk();
    try (RecordSource source = SegmentFuzz.orphan(data)) {
      DumpFile file = DumpFile.create(disk, DUMP);
      Dump dump = new Dump(source, new RecordBatch(1 << 10), file, key, null);
      int copied = dump.copy(1);
      while (copied > 0) {
        copied = dump.copy(1);
      }
      dump.complete(LOG, false);
    }
    // One char for each byte.
    expect(data, key, new String(disk.get(DUMP), StandardCharsets.ISO_8859_1));
  }

  private static void expect(byte[] data, byte @Nullable [] key, String dump) {
    int at = 0;
    long events = 0;
    long unreadable = 0;
    for (byte[] record : SegmentFuzz.records(data)) {
      int bytes = record.length < 2 ? -1 : (record[0] & 0xFF) | (record[1] & 0xFF) << 8;
      if (bytes < 0 || bytes > 256 || bytes > record.length - 2) {
        unreadable++;
      } else if (key == null || Arrays.equals(Arrays.copyOfRange(record, 2, 2 + bytes), key)) {
        events++;
        byte[] event = Arrays.copyOfRange(record, 2 + bytes, record.length);
        String text = new String(event, StandardCharsets.ISO_8859_1);
        at = dump.startsWith(text, at) ? at : afterRemarks(dump, at);
        require(dump.startsWith(text, at), "another event at " + at);
        at += text.length();
      }
    }
    String end = dump.substring(afterRemarks(dump, at));
    require(end.startsWith("# end: " + events + " events"), end);
    require(end.contains(unreadable + " unreadable") == (unreadable > 0), end);
  }

  private static int afterRemarks(String dump, int from) {
    Matcher remark = MISSING.matcher(dump);
    int at = from;
    while (remark.region(at, dump.length()).lookingAt()) {
      at = remark.end();
    }
    return at;
  }

  private static void require(boolean holds, String otherwise) {
    if (!holds) {
      throw new IllegalStateException(otherwise);
    }
  }
}
