package dev.forebay.tiered.spool;

import dev.forebay.tiered.disk.Disk;
import java.nio.ByteBuffer;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * Consecutive records read from a spool: their payloads, directly after one another in a direct
 * buffer.
 *
 * <p>Belongs to the reading thread. {@link RecordSource#read} refills it. A record larger than the
 * limit is a batch of its own, in the heap until the next one.
 */
public final class RecordBatch {
  /**
   * Most logs are idle; a larger buffer is lent to those with more records, until {@link #clear}.
   */
  private static final int INITIAL_BYTES = 16 * 1024;

  private static final int INITIAL_RECORDS = 1024;

  /** Records may be empty, and their number is bounded too. */
  private static final int MAX_RECORDS = 64 * 1024;

  private final int limitBytes;
  private final ByteBuffer small;
  private ByteBuffer buffer;

  /** Holds a record that is larger than the limit; null if there is none. */
  private @Nullable ByteBuffer large;

  /** The offset after the last byte of each record. */
  private int[] ends = new int[INITIAL_RECORDS];

  private int count;
  private long firstSequence;

  /** The limit is on payload bytes in the buffer, and in a batch with several records. */
  public RecordBatch(int limitBytes) {
    this.limitBytes = limitBytes;
    this.small = Disk.buffer(Math.min(limitBytes, INITIAL_BYTES));
    this.buffer = small;
  }

  /** Empties it: {@link #payload} must be used no more. */
  public void clear() {
    count = 0;
    firstSequence = 0;
    large = null;
    use(small);
  }

  private void use(ByteBuffer next) {
    ByteBuffer used = buffer;
    buffer = next;
    if (used.capacity() == LargeBuffers.BYTES) {
      LargeBuffers.giveBack(used);
    }
  }

  public int count() {
    return count;
  }

  public int byteCount() {
    return byteCount(count);
  }

  public int byteCount(int records) {
    return records == 0 ? 0 : ends[records - 1];
  }

  /** How many records lie completely within the first {@code bytes} payload bytes. */
  public int recordsWithin(int bytes) {
    int low = 0;
    int high = count;
    while (low < high) {
      int middle = (low + high) >>> 1;
      if (ends[middle] <= bytes) {
        low = middle + 1;
      } else {
        high = middle;
      }
    }
    return low;
  }

  /** Sequence of the first record; 0 if there is none. */
  public long firstSequence() {
    return firstSequence;
  }

  /** Sequence after the last record; equal to {@link #firstSequence} if there is none. */
  public long nextSequence() {
    return firstSequence + count;
  }

  /** All payload bytes, from position 0 to the limit, until the batch is filled or cleared. */
  public ByteBuffer payload() {
    ByteBuffer holder = large;
    return (holder == null ? buffer : holder).duplicate().position(0).limit(byteCount());
  }

  /** Whether a record of this size may still be added to this batch. */
  boolean accepts(int payloadBytes) {
    return count == 0 || (payloadBytes <= limitBytes - byteCount() && count < MAX_RECORDS);
  }

  /** The buffer around exactly the bytes of the next payload, to be filled before {@link #add}. */
  ByteBuffer reserve(int payloadBytes) {
    int start = byteCount();
    if (payloadBytes > limitBytes) {
      large = ByteBuffer.allocate(payloadBytes);
      return large;
    }
    if (payloadBytes > buffer.capacity() - start) {
      ByteBuffer larger = larger(start + payloadBytes);
      larger.put(payload());
      use(larger);
    }
    return buffer.limit(start + payloadBytes).position(start);
  }

  private ByteBuffer larger(int bytes) {
    if (bytes <= LargeBuffers.BYTES) {
      return LargeBuffers.borrow();
    }
    return Disk.buffer((int) Math.min(limitBytes, Math.max(bytes, 2L * buffer.capacity())));
  }

  /**
   * Adds a record from a part of a buffer; false, perhaps though it is accepted, if there is no
   * space for it now.
   */
  boolean addFrom(ByteBuffer source, int from, int payloadBytes, long sequence) {
    int start = byteCount();
    if (payloadBytes > Math.min(limitBytes, buffer.capacity()) - start
        || count == ends.length
        || large != null) {
      return false;
    }
    buffer.clear().put(start, source, from, payloadBytes);
    if (count == 0) {
      firstSequence = sequence;
    }
    ends[count] = start + payloadBytes;
    count++;
    return true;
  }

  /** Counts the record whose payload was put into the {@link #reserve reserved} bytes. */
  void add(long sequence, int payloadBytes) {
    int end = byteCount() + payloadBytes;
    if (count == ends.length) {
      ends = Arrays.copyOf(ends, 2 * count);
    }
    if (count == 0) {
      firstSequence = sequence;
    }
    ends[count] = end;
    count++;
  }
}
