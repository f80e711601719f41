package dev.forebay.tiered.identity;

import dev.forebay.observe.Printable;
import dev.forebay.tiered.disk.Disk;
import dev.forebay.tiered.disk.DiskFile;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Says in a log's spool directory which process ships for others, and what fails there. It counts
 * only while the directory's {@code ship.lock} is held: a killed shipper leaves it.
 *
 * @param pid of the shipper, as its own container counts
 * @param sinceMs since when it has had the lock, in milliseconds since the epoch
 * @param fault why the log cannot be written; "" if it can
 */
public record ShipperNote(long pid, long sinceMs, String fault) {

  public static final String NAME = "shipper";

  private static final String PID = "pid";
  private static final String SINCE = "since";
  private static final String FAULT = "fault";
  private static final int MAX_FAULT = 2000; // at most 3 bytes a character

  /** Cuts a long fault, and makes it one line. */
  public ShipperNote {
    fault = Printable.text(fault.length() > MAX_FAULT ? fault.substring(0, MAX_FAULT) : fault);
  }

  /** Replaces the note of a directory. Only the holder of {@code ship.lock} may. */
  public void write(Disk disk, Path directory) throws IOException {
    String text = "%s=%d\n%s=%d\n%s=%s\n".formatted(PID, pid, SINCE, sinceMs, FAULT, fault);
    Path incomplete = directory.resolve(NAME + "-new");
    disk.delete(incomplete); // of a shipper that was killed
    try (DiskFile file = disk.open(incomplete, Disk.Mode.CREATE_PRIVATE)) {
      file.writeFully(ByteBuffer.wrap(text.getBytes(StandardCharsets.UTF_8)), 0);
    }
    disk.move(incomplete, directory.resolve(NAME));
  }

  /** Removes the note. Only the holder of {@code ship.lock} may. */
  public static void remove(Disk disk, Path directory) throws IOException {
    disk.delete(directory.resolve(NAME + "-new"));
    disk.delete(directory.resolve(NAME));
  }

  /** Reads the note of a directory; null if there is none of ours that can be read. */
  public static @Nullable ShipperNote read(Disk disk, Path directory) {
    String text = LogNote.text(disk, directory.resolve(NAME));
    try {
      return text == null ? null : parse(text);
    } catch (NumberFormatException e) {
      return null;
    }
  }

  /** Keys that are not known are of a newer version. */
  private static @Nullable ShipperNote parse(String text) {
    Map<String, String> values = new HashMap<>();
    for (String line : text.split("\n", -1)) {
      int equals = line.indexOf('=');
      if (equals > 0) {
        values.put(line.substring(0, equals), line.substring(equals + 1));
      }
    }
    String pid = values.get(PID);
    String since = values.get(SINCE);
    return pid == null || since == null
        ? null
        : new ShipperNote(
            Long.parseLong(pid), Long.parseLong(since), values.getOrDefault(FAULT, ""));
  }
}
