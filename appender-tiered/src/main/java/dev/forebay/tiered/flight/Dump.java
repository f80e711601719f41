package dev.forebay.tiered.flight;

import dev.forebay.tiered.spool.ReadOutcome;
import dev.forebay.tiered.spool.RecordBatch;
import dev.forebay.tiered.spool.RecordSource;
import java.io.IOException;
import java.nio.ByteBuffer;
import org.jspecify.annotations.Nullable;

/** Copies the events of a loop, or those with one key, into a file. For the shipper's thread. */
final class Dump {

  private final RecordSource source;
  private final RecordBatch batch;
  private final DumpFile file;
  private final byte @Nullable [] key;
  private boolean hasRead;
  private long events;
  private long expired;
  private long unreadable;

  /**
   * @param hasRead whether missing records before the first one are to be told: they expired while
   *     the dump waited
   */
  Dump(
      RecordSource source,
      RecordBatch batch,
      DumpFile file,
      byte @Nullable [] key,
      boolean hasRead) {
    this.source = source;
    this.batch = batch;
    this.file = file;
    this.key = key;
    this.hasRead = hasRead;
  }

  /**
   * Copies a batch.
   *
   * @return whether there was anything
   */
  boolean copy() throws IOException {
    ReadOutcome outcome = source.read(batch, Long.MAX_VALUE);
    if (outcome instanceof ReadOutcome.Nothing) {
      return false;
    }
    if (outcome instanceof ReadOutcome.Gap gap) {
      addGap(gap);
    } else if (batch.upTo() < batch.byteCount()) {
      addLarge();
    } else {
      addRecords();
    }
    hasRead = true;
    return true;
  }

  private void addGap(ReadOutcome.Gap gap) throws IOException {
    if (hasRead) {
      expired += gap.count();
      file.addRemark(gap.count() + " events are missing here: they expired before they were read");
    }
  }

  private void addRecords() throws IOException {
    ByteBuffer payload = batch.payload();
    for (int i = 0; i < batch.count(); i++) {
      int at = batch.byteCount(i);
      int end = batch.byteCount(i + 1);
      int offset = RecordLayout.eventOffset(payload, at, end);
      if (isWanted(payload, at, offset)) {
        file.add(payload.duplicate().limit(end).position(at + offset));
      }
    }
  }

  private void addLarge() throws IOException {
    ByteBuffer part = batch.payload();
    int offset = RecordLayout.eventOffset(part, 0, part.limit());
    boolean isWanted = isWanted(part, 0, offset);
    while (isWanted) {
      file.add(part.position(offset));
      offset = 0;
      isWanted = batch.upTo() < batch.byteCount();
      if (isWanted) {
        source.slide(batch, batch.upTo());
        part = batch.payload();
      }
    }
  }

  private boolean isWanted(ByteBuffer payload, int at, int offset) {
    if (offset < 0) {
      unreadable++;
      return false;
    }
    byte[] wanted = key;
    if (wanted != null && !RecordLayout.hasKey(payload, at, offset, wanted)) {
      return false;
    }
    events++;
    return true;
  }

  /** Sequence of the next record to be read. */
  long nextSequence() {
    return source.nextSequence();
  }

  /** Events copied. */
  long events() {
    return events;
  }

  /** Records that had expired before they could be read. */
  long expired() {
    return expired;
  }

  /** The last line: what is in the dump. */
  String summary() {
    return events
        + " events"
        + (expired == 0 ? "" : ", " + expired + " expired before they were read")
        + (unreadable == 0 ? "" : ", " + unreadable + " unreadable");
  }
}
