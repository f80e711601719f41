package dev.forebay.tiered.flight;

import dev.forebay.tiered.disk.MemoryDisk;
import dev.forebay.tiered.spool.RecordBatch;
import dev.forebay.tiered.spool.RecordSource;
import dev.forebay.tiered.spool.SegmentFuzz;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.HashSet;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * A fuzz target: the dump of a loop of any content has exactly the events that the plain scanner
 * finds in it, or those with one key, and remarks where some are missing.
 *
 * <p>The input is that of {@link SegmentFuzz}; bit 4 of its first byte wants one key.
 */
public final class LoopFuzz {
  private static final int WITH_KEY = 1 << 4;
  private static final Path DUMP = Path.of("/app.flight.crash.dump");
  private static final byte[] KEY = {'k'};
  private static final Pattern MISSING =
      Pattern.compile("# \\d+ events are missing here: they are damaged or were overwritten\n");

  private LoopFuzz() {}

  public static void fuzzerTestOneInput(byte[] data) throws IOException {
    if (data.length < 2) {
      return;
    }
    byte[] key = (data[0] & WITH_KEY) == 0 ? null : KEY;
    MemoryDisk disk = new MemoryDisk();
    disk.createDirectory(DUMP.resolveSibling(""));
    try (RecordSource source = SegmentFuzz.orphan(data)) {
      Dump dump = new Dump(disk, DUMP, source, new RecordBatch(1 << 10), key, null);
      while (dump.copy()) {
        // until nothing is left
      }
      dump.complete(false);
    }
    // One char for each byte.
    expect(data, key, new String(disk.get(DUMP), StandardCharsets.ISO_8859_1));
  }

  private static void expect(byte[] data, byte @Nullable [] key, String dump) {
    // Several, where an event looks like a remark.
    Set<Integer> places = Set.of(0);
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
        Set<Integer> before = places;
        places = after(text, dump, withRemarks(dump, places));
        require(!places.isEmpty(), "another event after " + before);
      }
    }
    String begin = "# end: " + events + " events";
    String remainder = unreadable + " unreadable";
    boolean isSaid = unreadable > 0;
    require(
        withRemarks(dump, places).stream()
            .map(dump::substring)
            .anyMatch(end -> end.startsWith(begin) && end.contains(remainder) == isSaid),
        "another end than " + begin + ", " + remainder);
  }

  /** The places where the text ends that begins at these. */
  private static Set<Integer> after(String text, String dump, Set<Integer> places) {
    return places.stream()
        .filter(at -> dump.startsWith(text, at))
        .map(at -> at + text.length())
        .collect(Collectors.toSet());
  }

  /** These places, and those after remarks that begin there. */
  private static Set<Integer> withRemarks(String dump, Set<Integer> places) {
    Matcher remark = MISSING.matcher(dump);
    Set<Integer> all = new HashSet<>(places);
    for (int place : places) {
      int at = place;
      while (remark.region(at, dump.length()).lookingAt()) {
        at = remark.end();
        all.add(at);
      }
    }
    return all;
  }

  private static void require(boolean holds, String otherwise) {
    if (!holds) {
      throw new IllegalStateException(otherwise);
    }
  }
}
