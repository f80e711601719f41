package dev.forebay.tiered.spool;

import dev.forebay.tiered.identity.InstanceId;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.Objects;
import java.util.function.IntConsumer;
import org.jspecify.annotations.Nullable;

/**
 * Puts records into a spool. For the flusher's thread, or a log call in its turn.
 *
 * <p>Records are collected in a staging buffer and written by {@link #flush}, or earlier if the
 * buffer is full. A larger record gets a buffer of its own until it is written. If the file system
 * refuses a write, nothing is lost: the bytes stay staged, {@link #append} returns {@code FULL},
 * and the next flush continues at the exact byte. If that is refused too, the writer leaves the
 * segment after the last whole record, so that its pages can be reused once it is shipped.
 */
public final class SpoolWriter {
  /** In a smaller segment, as much as that: the rest would stay empty. */
  private static final int STAGING_BYTES = 64 * 1024;

  private static final int FIRST_BYTES = 16 * 1024; // until a batch needs more

  /** The size of a typical record; the writer leaves a segment with less room. */
  private static final int SMALL_PAYLOAD_BYTES = 1024;

  /** In a small segment, the limit is this fraction of it instead. */
  private static final int SMALL_PART = 16;

  /** Bytes of a frame that are not its payload, at most. */
  private static final int MOST_AROUND = FrameFormat.FRAME_HEADER_BYTES + FrameFormat.ALIGNMENT - 1;

  private final SegmentPool pool;
  private final FrameFormat format;
  private final int endOfFrames;
  private final int maxPayloadBytes;
  private final long smallFrameBytes;

  private ByteBuffer usual; // the staging buffer, unless a record is larger
  private ByteBuffer staging;
  private byte[] bytes; // its array

  /** Bytes before {@code staged} are staged; those before {@code written} are in the file. */
  private int staged;

  /** Up to here, records can be staged without a look at anything else; 0 to look. */
  private int roomEnd;

  private int written;

  private int unpublished; // start of the first such record in the staging buffer

  /**
   * The segment being written; null before the first, after a full one, and after one that was left
   * because the file system refused a write. In the last case records may be staged without a
   * segment.
   */
  private @Nullable Segment segment;

  /** File position of the first staged byte that is not written. */
  private int fileEnd;

  private long nextSequence;

  private long writtenBytes;

  /** Whether the file system refused a write and no flush has succeeded since. */
  private boolean isFailing;

  /** The failure of the last attempt to write; null if it succeeded. */
  private @Nullable IOException refusal;

  @SuppressWarnings("ByteBufferBackingArray") // which begins where it does
  SpoolWriter(SegmentPool pool, InstanceId instance) {
    int segmentBytes = pool.share().segmentBytes();
    this.pool = pool;
    this.format = new FrameFormat(instance);
    this.usual = FrameFormat.of(new byte[Math.min(FIRST_BYTES, segmentBytes)]);
    this.staging = usual;
    this.bytes = usual.array();
    this.endOfFrames = FrameFormat.endOfFrames(segmentBytes);
    this.maxPayloadBytes = FrameFormat.maxPayloadBytes(segmentBytes);
    this.smallFrameBytes =
        FrameFormat.frameBytes(Math.min(SMALL_PAYLOAD_BYTES, maxPayloadBytes / SMALL_PART));
  }

  /** The outcome of adding a record. */
  public enum Outcome {
    ADDED,
    /**
     * It was not taken: the cap is reached, or the file system refuses writes; then {@link #flush}
     * throws the reason.
     */
    FULL,
    /**
     * It was not taken: it is longer than {@link #maxPayloadBytes}, or there is no memory for it.
     */
    TOO_LARGE
  }

  /**
   * Adds one record. May write to the file system; never throws for its failures.
   *
   * @param length payload bytes, may be 0
   * @param level 0 (TRACE) to 4 (ERROR)
   */
  public Outcome append(byte[] payload, int offset, int length, int level) {
    if (length > roomEnd - staged - MOST_AROUND || pool.isClosed()) {
      Outcome outcome = makeRoomFor(length);
      if (outcome != Outcome.ADDED) {
        return outcome;
      }
    }
    format.putFrame(bytes, staged, payload, offset, length, level, nextSequence);
    staged += (int) FrameFormat.frameBytes(length);
    nextSequence++;
    return Outcome.ADDED;
  }

  /**
   * Makes room in the staging buffer. Apart from {@link #append}, so that the compiler need not
   * know all of it there, nor forget {@code append} when the first segment is full.
   *
   * @return {@code ADDED} if there is room now
   */
  private Outcome makeRoomFor(int length) {
    if (length > maxPayloadBytes) {
      return Outcome.TOO_LARGE;
    }
    int frameBytes = (int) FrameFormat.frameBytes(length);
    if (!hasRoomFor(frameBytes)) {
      return Outcome.FULL;
    }
    if (frameBytes > staging.capacity()) { // then nothing is staged
      try {
        stageIn(FrameFormat.of(new byte[frameBytes]));
      } catch (OutOfMemoryError e) {
        return Outcome.TOO_LARGE;
      }
    }
    roomEnd = Math.min(staging.capacity(), staged + roomInSegment());
    return Outcome.ADDED;
  }

  @SuppressWarnings("ByteBufferBackingArray") // as above
  private void stageIn(ByteBuffer buffer) {
    staging = buffer;
    bytes = buffer.array();
    roomEnd = 0;
  }

  /**
   * Writes what is staged and publishes it to the reader. To be called after every batch, and
   * periodically while {@link #isReady} is false, because only a flush detects that the file system
   * works again.
   */
  public void flush() throws IOException {
    if (pool.isClosed()) {
      throw new IOException("the spool is closed");
    }
    try {
      if (!writeStaged()) {
        throw new IOException("no segment is free after a failure", refusal);
      }
      if (segment != null && roomInSegment() < smallFrameBytes) {
        leaveSegment();
      }
      if (isFailing && segment == null) {
        openSegment();
      }
    } catch (IOException e) {
      refused(e);
      throw e;
    } finally {
      pool.publish();
    }
    isFailing = false;
    pool.keepAllSpares(refusal != null);
  }

  /**
   * Whether {@link #append} would take a small record, and the one it last refused. False at the
   * cap until the reader releases a segment, and after a failure until a flush succeeds.
   */
  public boolean isReady() {
    return (smallFrameBytes <= roomEnd - staged && !pool.isClosed()) || canMakeRoom();
  }

  private boolean canMakeRoom() {
    if (takesNothing()) {
      return false;
    }
    return (segment != null && roomInSegment() >= smallFrameBytes) || pool.hasRoom();
  }

  /** Whether {@link #append} would add such a record without opening a segment. */
  public boolean hasRoomNow(int length) {
    return !takesNothing() && segment != null && roomInSegment() >= FrameFormat.frameBytes(length);
  }

  /** Whether everything added is written, and no failure is to be overcome. */
  public boolean isSettled() {
    return !takesNothing() && pool.publishedSequence == nextSequence && pool.isShown();
  }

  /** The failure of the last attempt to write; null if it succeeded: then only the cap refuses. */
  public @Nullable IOException refusal() {
    return refusal;
  }

  /** Bytes of records written so far; shows whether a failing file system still takes some. */
  public long writtenBytes() {
    return writtenBytes;
  }

  public long nextSequence() {
    return nextSequence;
  }

  public int maxPayloadBytes() {
    return maxPayloadBytes;
  }

  /**
   * Adds the unpublished records, in order, to another spool. This one is not written to any more.
   *
   * @param refused receives the level of each record that the other one does not take, also for
   *     lack of memory
   */
  public void handOver(SpoolWriter next, IntConsumer refused) {
    for (int at = unpublished; at < staged; ) {
      int length = FrameFormat.length(staging, at);
      int level = FrameFormat.level(staging, at);
      Outcome outcome = Outcome.FULL;
      try {
        byte[] payload = new byte[length - FrameFormat.FRAME_HEADER_BYTES];
        staging.get(at + FrameFormat.FRAME_HEADER_BYTES, payload);
        outcome = next.append(payload, 0, payload.length, level);
      } catch (OutOfMemoryError e) {
        // The next spool may be smaller.
      }
      if (outcome != Outcome.ADDED) {
        refused.accept(level);
      }
      at += FrameFormat.stride(length);
    }
    staged = 0;
    stageIn(usual);
    isFailing = true;
  }

  /** Leaves a segment that has records, all of them written: the next record begins another. */
  void endSegment() {
    Segment current = segment;
    if (current != null && isSettled() && pool.publishedSequence > current.firstSequence) {
      leaveSegment();
    }
  }

  /** Closes the file until the next record: there may be many idle spools. */
  public void rest() {
    pool.closeFile();
  }

  private boolean hasRoomFor(int frameBytes) {
    if (takesNothing()) {
      return false;
    }
    try {
      if (segment == null && !writeStaged()) {
        return false;
      }
      if (segment == null || roomInSegment() < frameBytes) {
        writeStaged();
        leaveSegment();
        if (!openSegment()) {
          return false;
        }
      }
      if (staging.capacity() - staged < frameBytes) {
        writeStaged();
        if (usual.capacity() < Math.min(STAGING_BYTES, endOfFrames)) {
          usual = FrameFormat.of(new byte[Math.min(STAGING_BYTES, endOfFrames)]);
          stageIn(usual);
        }
      }
      return true;
    } catch (IOException e) {
      refused(e); // the next flush meets the same failure and throws it
      return false;
    }
  }

  private boolean takesNothing() {
    return isFailing || pool.isClosed();
  }

  boolean hasSegment() { // begun and not full
    return segment != null;
  }

  private int roomInSegment() {
    return endOfFrames - fileEnd - (staged - written);
  }

  /** False if the cap allows no segment to write to. */
  private boolean writeStaged() throws IOException {
    roomEnd = 0;
    if (segment == null && staged > 0 && !openSegment()) {
      return false;
    }
    try {
      writeFully(staged);
    } catch (IOException e) {
      publishWhole();
      if (isFailing) {
        leaveRefusedSegment();
      }
      throw e;
    } finally {
      staging.clear();
    }
    pool.publishedSequence = nextSequence;
    stageIn(usual);
    staged = 0;
    written = 0;
    unpublished = 0;
    return true;
  }

  /** Writes the bytes of the staging buffer from {@code written} on. */
  private void writeFully(int end) throws IOException {
    while (written < end) {
      Segment current = Objects.requireNonNull(segment, "a segment to write to");
      int count = pool.write(current.path, staging.limit(end).position(written), fileEnd);
      if (count <= 0) {
        throw new IOException("no progress writing " + (end - written) + " bytes");
      }
      written += count;
      fileEnd += count;
      writtenBytes += count;
      refusal = null;
    }
  }

  private void refused(IOException cause) {
    isFailing = true;
    roomEnd = 0;
    refusal = cause;
    pool.keepAllSpares(true);
    pool.closeFile(); // an interrupt may have closed its channel
  }

  /**
   * Leaves a segment that cannot be filled; the staged records go to the next one, whole. A segment
   * without a record is not left: it would never be shipped, and so never reused.
   */
  private void leaveRefusedSegment() {
    Segment current = segment;
    if (current != null && pool.publishedSequence > current.firstSequence) {
      leaveSegment();
      if (unpublished >= staged) {
        staged = 0;
        unpublished = 0;
      }
      written = unpublished;
    }
  }

  /** Publishes the records that are completely in the file, if only some of them are. */
  private void publishWhole() {
    long published = pool.publishedSequence;
    while (unpublished < written) {
      int length = FrameFormat.length(staging, unpublished);
      if (unpublished + length > written) {
        break;
      }
      unpublished += FrameFormat.stride(length); // a reader does not need the padding
      published++;
    }
    pool.publishedSequence = published;
  }

  private void leaveSegment() {
    if (segment != null) {
      pool.closeFile();
      segment.endSequence = pool.publishedSequence;
      segment = null;
      roomEnd = 0;
    }
  }

  private boolean openSegment() throws IOException {
    Segment opened = pool.open(pool.publishedSequence);
    segment = opened;
    fileEnd = FrameFormat.SEGMENT_HEADER_BYTES;
    return opened != null;
  }
}
