package dev.forebay.tiered.stream;

import dev.forebay.tiered.checkpoint.Checkpoint;
import dev.forebay.tiered.checkpoint.Checkpoint.Anchor;
import dev.forebay.tiered.checkpoint.Checkpoint.Position;
import dev.forebay.tiered.checkpoint.Checkpoint.State;
import dev.forebay.tiered.identity.InstanceId;
import dev.forebay.tiered.ship.Destination;
import dev.forebay.tiered.ship.Records;
import dev.forebay.tiered.ship.ShippingListener;
import dev.forebay.tiered.spool.RecordBatch;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/**
 * The destination that is standard output or standard error, which cannot be read back. So the
 * checkpoint follows each write: what a kill leaves between the two is written again by the next
 * start, at most one write of {@value StandardStream#ATOMIC_BYTES} bytes or one longer record.
 *
 * <p>Records are written whole, together while they fit into one write that a pipe does not tear. A
 * longer one is announced in the checkpoint, so that its repetition begins on a line of its own.
 */
final class StreamDestination implements Destination {

  private static final int BATCH_BYTES = 64 * 1024;

  private final StandardStream stream;
  private final ShippingListener listener;
  private final byte[] footer;
  private final byte[] lineEnd;
  private final RecordBatch batch = new RecordBatch(BATCH_BYTES);
  private byte[] header;
  private byte[] bytes = new byte[StandardStream.ATOMIC_BYTES];

  /** The dead process's spool whose lines were begun and not ended. */
  private @Nullable InstanceId marked;

  /** Touches nothing yet. The listener learns that the stream is open. */
  StreamDestination(
      StandardStream stream,
      byte[] header,
      byte[] footer,
      byte[] lineEnd,
      ShippingListener listener) {
    this.stream = stream;
    this.header = header;
    this.footer = footer;
    this.lineEnd = lineEnd;
    this.listener = listener;
  }

  @Override
  public String name() {
    return stream.name();
  }

  @Override
  public void take(Records records, boolean isLost) throws IOException {
    Checkpoint last = records.checkpoint();
    boolean isTorn =
        last != null && last.names(records.instance()) && last.state() == State.RECORDS;
    if (isTorn) {
      stream.noteTorn();
    }
    records.restart(records.position()); // what was appended is written
    save(records, isTorn ? State.RECORDS : State.BOUNDARY);
    listener.opened();
    if (header.length > 0) {
      stream.write(header, header.length, lineEnd);
      header = new byte[0];
    }
  }

  @Override
  public int copy(Records records) throws IOException {
    while (records.skip(batch, BATCH_BYTES)) {
      commit(records);
    }
    ByteBuffer payload = batch.payload();
    if (batch.count() > 0) {
      mark(records, payload.get(payload.position()) == '{');
    }
    for (int done = 0; done < batch.count(); ) {
      int from = batch.byteCount(done);
      int fitting = batch.recordsWithin(from + StandardStream.ATOMIC_BYTES);
      done = Math.max(done + 1, fitting);
      write(records, payload.position(from).limit(batch.byteCount(done)));
      records.append(batch.firstSequence() + done);
      commit(records); // the next write may wait for its reader for ever
    }
    int count = batch.count();
    batch.clear();
    return count;
  }

  /** Marks where lines of a dead process begin and end: readers expect this process's lines. */
  private void mark(Records records, boolean isJson) throws IOException {
    if (records.instance().equals(marked)) {
      return;
    }
    String text = marked == null ? "" : mark("end of the lines of an earlier process", isJson);
    marked = null;
    if (records.isOrphan()) {
      text +=
          mark(
              String.format(
                  Locale.ROOT,
                  "%,d lines of a process that ended at %s",
                  records.countFrom(records.appended()),
                  Instant.ofEpochMilli(records.lastWrittenMs()).truncatedTo(ChronoUnit.SECONDS)),
              isJson);
    }
    byte[] lines = text.getBytes(StandardCharsets.UTF_8);
    if (lines.length > 0) {
      stream.write(lines, lines.length, lineEnd);
    }
    marked = records.isOrphan() ? records.instance() : null;
  }

  private static String mark(String text, boolean isJson) {
    return (isJson ? "{\"message\":\"[forebay] %s\"}%n" : "[forebay] %s%n").formatted(text);
  }

  private void write(Records records, ByteBuffer part) throws IOException {
    int length = part.remaining();
    if (length > StandardStream.ATOMIC_BYTES) {
      save(records, State.RECORDS);
    }
    if (length > bytes.length) {
      bytes = new byte[length];
    }
    part.get(bytes, 0, length);
    stream.write(bytes, length, lineEnd);
  }

  private static void save(Records records, State next) throws IOException {
    records.save(next, Position.NOWHERE, Anchor.NONE);
  }

  /** Every write is committed at once. */
  @Override
  public long uncommittedBytes(Records records) {
    return 0;
  }

  @Override
  public void commit(Records records) throws IOException {
    records.save();
    records.commit();
  }

  @Override
  public boolean abandon(Records records) {
    return true;
  }

  @Override
  public void end() throws IOException {
    if (footer.length > 0) {
      stream.write(footer, footer.length, lineEnd);
    }
  }

  @Override
  public void close() {
    // Nothing to close: the stream belongs to the process.
  }
}
