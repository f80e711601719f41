package dev.forebay.tiered.spool;

import dev.forebay.tiered.disk.Disk;
import dev.forebay.tiered.identity.InstanceId;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.Arrays;
import java.util.zip.CRC32C;
import org.jspecify.annotations.Nullable;

/**
 * Every offset of the spool's files.
 *
 * <pre>
 * segment  0 magic u64 | 8 version u32 | 12 header bytes u32 | 16 instance id | 32 first sequence u64
 *          40 segment bytes u32 | 44 zero | 48 time u64 | 56 zero | 60 crc32c of 0..59 | 64 frames
 * frame    0 length u32 | 4 crc32c | 8 level (8 bits), sequence (56 bits) | 16 payload | zero to 8n
 *          length = 16 + payload; crc32c over instance id, length, word at 8, payload
 * </pre>
 *
 * <p>All little-endian; buffers come from {@link #directBuffer} or {@link #of}, and their position
 * and limit are scratch. An instance belongs to one thread.
 */
final class FrameFormat {
  static final int VERSION = 1;
  static final int SEGMENT_HEADER_BYTES = 64;
  static final int FRAME_HEADER_BYTES = 16;

  /** Frames begin at multiples of this. */
  static final int ALIGNMENT = 8;

  /** Number of levels, TRACE 0 to ERROR 4. */
  static final int LEVELS = 5;

  /** "FOREBAY\n" in the file. */
  private static final long MAGIC = 0x0A59414245524F46L;

  private static final int VERSION_AT = 8;
  private static final int HEADER_BYTES_AT = 12;
  private static final int INSTANCE_AT = 16;
  private static final int FIRST_SEQUENCE_AT = 32;
  private static final int SEGMENT_BYTES_AT = 40;
  private static final int TIME_AT = 48;
  private static final int HEADER_CRC_AT = 60;

  private static final int CRC_AT = 4;

  /** Also the first byte of a frame to pass to {@link #addToChecksum}. */
  static final int WORD_AT = 8;

  private static final int LEVEL_SHIFT = 56;
  private static final long SEQUENCE_MASK = (1L << LEVEL_SHIFT) - 1;

  private final CRC32C crc = new CRC32C();

  /** The instance id, followed by the length of the current frame. */
  private final byte[] seed;

  FrameFormat(InstanceId instance) {
    seed = Arrays.copyOf(instance.bytes(), InstanceId.BYTES + Integer.BYTES);
  }

  /** A buffer of an array, for the methods below. */
  static ByteBuffer of(byte[] bytes) {
    return ByteBuffer.wrap(bytes).order(ByteOrder.LITTLE_ENDIAN);
  }

  static ByteBuffer directBuffer(int bytes) {
    return Disk.buffer(bytes).order(ByteOrder.LITTLE_ENDIAN);
  }

  /** Bytes of a record in a segment; a long because a payload may be as long as any array. */
  static long frameBytes(int payloadBytes) {
    return aligned((long) FRAME_HEADER_BYTES + payloadBytes);
  }

  static int endOfFrames(int segmentBytes) {
    return segmentBytes & -ALIGNMENT;
  }

  static int maxPayloadBytes(int segmentBytes) {
    return endOfFrames(segmentBytes) - SEGMENT_HEADER_BYTES - FRAME_HEADER_BYTES;
  }

  /** Puts a frame at a multiple of {@link #ALIGNMENT} into an array that has room for it. */
  void putFrame(
      byte[] target,
      int at,
      byte[] payload,
      int offset,
      int payloadBytes,
      int level,
      long sequence) {
    int length = FRAME_HEADER_BYTES + payloadBytes;
    int end = at + length;
    long word = (long) level << LEVEL_SHIFT | sequence;
    putInt(target, at, length);
    putInt(target, at + WORD_AT, (int) word);
    putInt(target, at + WORD_AT + Integer.BYTES, (int) (word >>> Integer.SIZE));
    System.arraycopy(payload, offset, target, at + FRAME_HEADER_BYTES, payloadBytes);
    while ((end & ALIGNMENT - 1) != 0) {
      target[end++] = 0;
    }
    beginChecksum(length);
    crc.update(target, at + WORD_AT, length - WORD_AT);
    putInt(target, at + CRC_AT, checksum());
  }

  /** Without a buffer or a handle: the compiler has less to look through until it is fast. */
  private static void putInt(byte[] target, int at, int value) {
    target[at] = (byte) value;
    target[at + 1] = (byte) (value >>> 8);
    target[at + 2] = (byte) (value >>> 16);
    target[at + 3] = (byte) (value >>> 24);
  }

  /** The length field of the frame at a position; any value if there is no frame. */
  static int length(ByteBuffer source, int at) {
    return source.getInt(at);
  }

  /** The level of the frame at a position; any value if there is no frame. */
  static int level(ByteBuffer source, int at) {
    return (int) (source.getLong(at + WORD_AT) >>> LEVEL_SHIFT);
  }

  static long sequence(ByteBuffer source, int at) {
    return source.getLong(at + WORD_AT) & SEQUENCE_MASK;
  }

  /** Negative unless the frame at a position has this sequence, and a level. */
  static long misfit(ByteBuffer source, int at, long sequence) {
    long level = source.getLong(at + WORD_AT) - sequence;
    return -(level & SEQUENCE_MASK) | LEVELS - 1 - (level >>> LEVEL_SHIFT);
  }

  /** Whether the checksum of a frame that is whole in a buffer is right. */
  boolean isChecksumRight(ByteBuffer source, int at, int length) {
    beginChecksum(length);
    addToChecksum(source, at + WORD_AT, length - WORD_AT);
    return checksum() == expectedChecksum(source, at);
  }

  static int expectedChecksum(ByteBuffer source, int at) {
    return source.getInt(at + CRC_AT);
  }

  /** Starts the checksum of a frame whose bytes from the sequence on are then added. */
  void beginChecksum(int length) {
    putInt(seed, InstanceId.BYTES, length);
    crc.reset();
    crc.update(seed, 0, seed.length);
  }

  void addToChecksum(ByteBuffer source, int at, int bytes) {
    crc.update(source.limit(at + bytes).position(at));
    source.clear();
  }

  int checksum() {
    return (int) crc.getValue();
  }

  /** Distance from one frame to the next. */
  static int stride(int length) {
    return (int) aligned(length);
  }

  static void putHeader(
      ByteBuffer target,
      int version,
      InstanceId instance,
      long firstSequence,
      int segmentBytes,
      long timeMs) {
    target.clear().limit(SEGMENT_HEADER_BYTES);
    target.putLong(0, MAGIC);
    target.putInt(VERSION_AT, version);
    target.putInt(HEADER_BYTES_AT, SEGMENT_HEADER_BYTES);
    target.put(INSTANCE_AT, instance.bytes());
    target.putLong(FIRST_SEQUENCE_AT, firstSequence);
    target.putInt(SEGMENT_BYTES_AT, segmentBytes);
    target.putLong(TIME_AT, timeMs);
    target.putInt(HEADER_CRC_AT, headerChecksum(target));
  }

  /** Whether it is undamaged; in one of another version only the version is meaningful. */
  static boolean isHeader(ByteBuffer source) {
    return source.getLong(0) == MAGIC && source.getInt(HEADER_CRC_AT) == headerChecksum(source);
  }

  static int version(ByteBuffer header) {
    return header.getInt(VERSION_AT);
  }

  /** When the segment was begun, milliseconds since the epoch; 0 if not stated. */
  static long timeMs(ByteBuffer header) {
    return header.getLong(TIME_AT);
  }

  /** The size that the segment may grow to. */
  static int segmentBytes(ByteBuffer header) {
    return header.getInt(SEGMENT_BYTES_AT);
  }

  /** What in a header differs from what it should be; null if nothing does. */
  static @Nullable String headerFault(ByteBuffer header, InstanceId instance, long firstSequence) {
    byte[] bytes = new byte[InstanceId.BYTES];
    header.get(INSTANCE_AT, bytes);
    InstanceId found = InstanceId.of(bytes);
    int segmentBytes = segmentBytes(header);
    if (version(header) == VERSION
        && found.equals(instance)
        && header.getLong(FIRST_SEQUENCE_AT) == firstSequence
        && segmentBytes >= 0
        && segmentBytes <= SpoolLimits.MAX_SEGMENT_BYTES) {
      return null;
    }
    return "its header does not match: version %d, spool %s, first sequence %d, %d bytes"
        .formatted(version(header), found, header.getLong(FIRST_SEQUENCE_AT), segmentBytes);
  }

  private static int headerChecksum(ByteBuffer buffer) {
    CRC32C crc = new CRC32C();
    crc.update(buffer.duplicate().position(0).limit(HEADER_CRC_AT));
    return (int) crc.getValue();
  }

  private static long aligned(long bytes) {
    return (bytes + ALIGNMENT - 1) & -ALIGNMENT;
  }
}
