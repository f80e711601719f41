package dev.forebay.tiered.flight;

import dev.forebay.tiered.spool.LoopHold;
import dev.forebay.tiered.spool.ReadOutcome;
import dev.forebay.tiered.spool.RecordBatch;
import dev.forebay.tiered.spool.RecordSource;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import org.jspecify.annotations.Nullable;

/** Copies the events of a loop, or those with one key, into a file. For the shipper's thread. */
final class Dump {

  private final RecordSource source;
  private final RecordBatch batch;
  private final DumpFile file;
  private final byte @Nullable [] key;
  private final @Nullable LoopHold hold;
  private boolean hasRead;
  private long events;
  private long missing;
  private long unreadable;

  /**
   * @param key only events with this value; null for all
   * @param hold the records that are wanted; null for all that a dead process has left
   */
  Dump(
      RecordSource source,
      RecordBatch batch,
      DumpFile file,
      byte @Nullable [] key,
      @Nullable LoopHold hold) {
    this.source = source;
    this.batch = batch;
    this.file = file;
    this.key = key;
    this.hold = hold;
    this.hasRead = hold != null; // what is missing before the first record expired meanwhile
  }

  /** Adds a line of our own. */
  void addRemark(String text) throws IOException {
    file.addRemark(text);
  }

  /**
   * Copies what there is, but no more than some batches.
   *
   * @return batches copied
   */
  int copy(int most) throws IOException {
    int copied = 0;
    while (copied < most && copyOne()) {
      copied++;
      if (hold != null) {
        hold.release(source.nextSequence());
      }
    }
    return copied;
  }

  /** Whether everything wanted is copied, if nothing more can be read now. */
  boolean isAtEnd() {
    return hold == null || source.nextSequence() >= hold.to();
  }

  private boolean copyOne() throws IOException {
    ReadOutcome outcome = source.read(batch, Long.MAX_VALUE);
    if (outcome instanceof ReadOutcome.Nothing) {
      return false;
    }
    if (outcome instanceof ReadOutcome.Gap gap) {
      addGap(gap);
    } else {
      addRecords();
    }
    hasRead = true;
    return true;
  }

  private void addGap(ReadOutcome.Gap gap) throws IOException {
    if (hasRead) {
      missing += gap.count();
      file.addRemark(gap.count() + " events are missing here: they " + fate());
    }
  }

  /** What a dead process has left is not overwritten while it is read. */
  private String fate() {
    return hold == null ? "are damaged or were overwritten" : "expired before they were read";
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

  /** Events copied. */
  long events() {
    return events;
  }

  /**
   * Completes the file.
   *
   * @return its path
   */
  Path complete(boolean forces) throws IOException {
    addRemark("end: " + summary());
    return file.complete(forces);
  }

  /** Deletes what is not complete. */
  void abandon() {
    file.abandon();
  }

  /** What is in the dump. */
  String summary() {
    return events
        + " events"
        + (missing == 0 ? "" : ", " + missing + " " + fate())
        + (unreadable == 0 ? "" : ", " + unreadable + " unreadable");
  }
}
