package dev.forebay.tiered.spool;

import dev.forebay.tiered.disk.DirectBuffers;
import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.Objects;

/**
 * Consecutive records read from a spool: their payloads, one after the other without anything
 * between them, in a direct buffer that is used again and again.
 *
 * <p>Belongs to the thread that reads. {@link RecordSource#read} fills it anew. A record larger
 * than the limit is a batch of its own, of which the buffer holds one part after the other ({@link
 * RecordSource#slide}): no memory is ever taken by the length of a record.
 */
public final class RecordBatch {
  private static final int INITIAL_BYTES = 256 * 1024;
  private static final int INITIAL_RECORDS = 1024;

  /** Records may be empty, and their number is bounded too. */
  private static final int MAX_RECORDS = 64 * 1024;

  private final int limitBytes;
  private ByteBuffer buffer;

  /** Behind the last byte of each record. */
  private int[] ends = new int[INITIAL_RECORDS];

  private int count;
  private long firstSequence;

  /** Of the payload bytes, those before the first one in the buffer, and those in the buffer. */
  private int from;

  private int held;

  /**
   * @param limitBytes most payload bytes at a time, and of a batch with more than one record
   */
  public RecordBatch(int limitBytes) {
    if (limitBytes < 1) {
      throw new IllegalArgumentException("batch limit " + limitBytes + " bytes, required: 1");
    }
    this.limitBytes = limitBytes;
    this.buffer = DirectBuffers.allocate(Math.min(limitBytes, INITIAL_BYTES));
  }

  /** Forgets the records. */
  public void clear() {
    count = 0;
    firstSequence = 0;
    from = 0;
    held = 0;
  }

  /** Forgets all records but the first ones, of several. */
  public void keep(int records) {
    count = Objects.checkIndex(records - 1, count) + 1;
    held = Math.min(held, byteCount());
  }

  /** Number of records. */
  public int count() {
    return count;
  }

  /** Number of payload bytes of all records. */
  public int byteCount() {
    return count == 0 ? 0 : ends[count - 1];
  }

  /** Number of payload bytes of the first {@code records} records. */
  public int byteCount(int records) {
    if (records == 0) {
      return 0;
    }
    return ends[Objects.checkIndex(records - 1, count)];
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

  /** Sequence of the first record; 0 when there is none. */
  public long firstSequence() {
    return firstSequence;
  }

  /** Sequence behind the last record; equal to {@link #firstSequence} when there is none. */
  public long nextSequence() {
    return firstSequence + count;
  }

  /**
   * The payload bytes in the buffer, from position 0 to the limit: a view of its own, good until
   * the batch is filled, cleared or slid. All of them, or a part of a large record.
   */
  public ByteBuffer payload() {
    return buffer.duplicate().position(0).limit(held);
  }

  /** Payload bytes before those of {@link #payload}: above 0 only within a large record. */
  public int from() {
    return from;
  }

  /** Payload bytes up to the end of {@link #payload}. */
  public int upTo() {
    return from + held;
  }

  /** Whether a record of this size still belongs into this batch. */
  boolean accepts(int payloadBytes) {
    return count == 0 || (fits(payloadBytes) && count < MAX_RECORDS);
  }

  /** Whether a record of this size fits into the buffer behind the others. */
  boolean fits(int payloadBytes) {
    return payloadBytes <= limitBytes - byteCount();
  }

  /**
   * The buffer, its position and limit around exactly the next {@code payloadBytes} bytes, which
   * are to be filled before {@link #add}.
   */
  ByteBuffer reserve(int payloadBytes) {
    int start = byteCount();
    if (payloadBytes > buffer.capacity() - start) {
      int capacity = (int) Math.min(limitBytes, 2L * buffer.capacity());
      ByteBuffer larger = DirectBuffers.allocate(Math.max(capacity, start + payloadBytes));
      larger.put(payload());
      buffer = larger;
    }
    return buffer.limit(start + payloadBytes).position(start);
  }

  /** The whole buffer, or as much as a part of so many bytes needs. */
  ByteBuffer part(int bytes) {
    return buffer.clear().limit(Math.min(bytes, buffer.capacity()));
  }

  /** Counts a record that is larger than the buffer, of which nothing is held yet. */
  void addLarge(long sequence, int payloadBytes) {
    add(sequence, payloadBytes);
    held = 0;
  }

  /** The {@link #part} was filled with the large record's bytes from here on. */
  void hold(int fromByte, int bytes) {
    from = fromByte;
    held = bytes;
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
    held = end;
  }
}
