package dev.forebay.tiered.flight;

import dev.forebay.observe.Printable;
import dev.forebay.tiered.disk.Disk;
import dev.forebay.tiered.disk.DiskFile;
import dev.forebay.tiered.spool.LoopHold;
import dev.forebay.tiered.spool.MissingRecords;
import dev.forebay.tiered.spool.RecordBatch;
import dev.forebay.tiered.spool.RecordSource;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Copies the events of a loop, or those with one key, into a file of mode 0600, which has another
 * name until it is complete. For the shipper's thread.
 */
final class Dump {

  private static final int BUFFER_BYTES = 64 * 1024;
  private static final String TEXT = "# %s\n";
  private static final String JSON = "{\"message\":\"%s\"}\n";

  private final Disk disk;
  private final Path unfinished;
  private final DiskFile file;
  private final ByteBuffer buffer = Disk.buffer(BUFFER_BYTES);
  private final RecordSource source;
  private final RecordBatch batch;
  private final byte @Nullable [] key;
  private final @Nullable LoopHold hold;
  private final List<String> waiting = new ArrayList<>();

  /** The format of lines of our own; null before the first event. */
  private @Nullable String format;

  private boolean hasRead;
  private long events;
  private long missing;
  private long unreadable;
  private long position;

  /**
   * Creates the file, in place of what could not be completed or deleted earlier.
   *
   * @param unfinished its path until it is complete
   * @param key only events with this value; null for all
   * @param hold the records that are wanted; null for all that a dead process has left
   */
  Dump(
      Disk disk,
      Path unfinished,
      RecordSource source,
      RecordBatch batch,
      byte @Nullable [] key,
      @Nullable LoopHold hold)
      throws IOException {
    this.disk = disk;
    this.unfinished = unfinished;
    this.source = source;
    this.batch = batch;
    this.key = key;
    this.hold = hold;
    this.hasRead = hold != null; // what is missing before the first record expired meanwhile
    disk.delete(unfinished);
    this.file = disk.open(unfinished, Disk.Mode.CREATE_PRIVATE);
  }

  /**
   * Adds a line of our own: one that begins with a number sign, or an object where events are. The
   * first event shows that; until then it waits.
   */
  void addRemark(String text) throws IOException {
    String line = Printable.text(text);
    if (format == null) {
      waiting.add(line);
    } else {
      String escaped =
          JSON.equals(format) ? line.replace("\\", "\\\\").replace("\"", "\\\"") : line;
      add(ByteBuffer.wrap(format.formatted(escaped).getBytes(StandardCharsets.UTF_8)));
    }
  }

  private void begin(boolean isJson) throws IOException {
    format = isJson ? JSON : TEXT;
    for (String line : waiting) {
      addRemark(line);
    }
  }

  /** Copies a batch; false if there is none now. */
  boolean copy() throws IOException {
    MissingRecords gap = source.read(batch, Long.MAX_VALUE);
    if (gap == null && batch.count() == 0) {
      return false;
    }
    if (gap != null && hasRead) {
      missing += gap.count();
      addRemark(gap.count() + " events are missing here: they " + fate());
    }
    addRecords();
    hasRead = true;
    if (hold != null) {
      hold.release(source.nextSequence());
    }
    return true;
  }

  /** Whether all wanted records are copied. Asked when nothing more can be read now. */
  boolean isAtEnd() {
    return hold == null || source.nextSequence() >= hold.to();
  }

  /** The reason of a gap. A dead process's loop is not overwritten while it is read. */
  private String fate() {
    return hold == null ? "are damaged or were overwritten" : "expired before they were read";
  }

  private void addRecords() throws IOException {
    ByteBuffer payload = batch.payload();
    for (int i = 0; i < batch.count(); i++) {
      int at = batch.byteCount(i);
      int end = batch.byteCount(i + 1);
      int offset = RecordLayout.eventOffset(payload, at, end);
      if (offset < 0) {
        unreadable++;
      } else if (key == null || RecordLayout.hasKey(payload, at, offset, key)) {
        events++;
        if (format == null) {
          begin(payload.get(at + offset) == '{');
        }
        add(payload.duplicate().limit(end).position(at + offset));
      }
    }
  }

  void add(ByteBuffer bytes) throws IOException {
    while (bytes.hasRemaining()) {
      if (!buffer.hasRemaining()) {
        write();
      }
      int count = Math.min(bytes.remaining(), buffer.remaining());
      buffer.put(bytes.duplicate().limit(bytes.position() + count));
      bytes.position(bytes.position() + count);
    }
  }

  private void write() throws IOException {
    file.writeFully(buffer.flip(), position);
    position += buffer.limit();
    buffer.clear();
  }

  long events() {
    return events;
  }

  /** Completes the file, and forces it if the log is forced. */
  void complete(boolean forces) throws IOException {
    if (format == null) {
      begin(false);
    }
    addRemark("end: " + summary());
    write();
    if (forces) {
      file.force();
    }
    file.close();
  }

  /** Gives the complete file its name, in place of a file of that name. */
  void moveTo(Path name) throws IOException {
    disk.move(unfinished, name);
  }

  /** Gives the complete file its name; false if another has it, if only since a moment. */
  boolean take(Path name) throws IOException {
    try {
      disk.link(name, unfinished);
    } catch (FileAlreadyExistsException e) {
      return false;
    } catch (IOException | UnsupportedOperationException e) { // no links there
      if (disk.stat(name) != null) {
        return false;
      }
      disk.move(unfinished, name);
    }
    disk.delete(unfinished);
    return true;
  }

  /** Deletes what is not complete. */
  void discard() {
    try {
      try (file) { // first: what is open cannot be deleted everywhere
        buffer.clear();
      } finally {
        disk.delete(unfinished);
      }
    } catch (IOException e) {
      // Already closed; or the next dump tries again.
    }
  }

  String summary() {
    return events
        + " events"
        + (missing == 0 ? "" : ", " + missing + " " + fate())
        + (unreadable == 0 ? "" : ", " + unreadable + " unreadable");
  }
}
