package dev.forebay.tiered.flight;

import dev.forebay.tiered.identity.Sha256;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;

/**
 * The payload of a loop's record.
 *
 * <pre>
 *  0  u16 key bytes, little-endian      2 + k  the encoded event
 *  2  value of the MDC key, k bytes of UTF-8
 * </pre>
 *
 * <p>The value stands in each record, so a dump needs no other index.
 */
final class RecordLayout {
  static final int PREFIX_BYTES = 2;

  /** A hash stands for a longer value. */
  static final int MAX_KEY_BYTES = 256;

  /** Most bytes before the event. */
  static final int MOST_BEFORE = PREFIX_BYTES + MAX_KEY_BYTES;

  static final byte[] NO_KEY = {};

  private byte[] scratch = new byte[1024];
  private int length;

  /** The bytes that stand for a value; none if the event has no value. */
  static byte[] keyBytes(String value) {
    byte[] bytes = value.getBytes(StandardCharsets.UTF_8);
    return bytes.length <= MAX_KEY_BYTES ? bytes : Sha256.of(bytes);
  }

  /** Puts a record together; {@link #bytes} and {@link #length} are valid until the next call. */
  void put(byte[] key, byte[] event, int eventLength) {
    length = Math.addExact(PREFIX_BYTES + key.length, eventLength);
    if (scratch.length < length) {
      scratch = new byte[Math.max(length, 2 * scratch.length)];
    }
    scratch[0] = (byte) key.length;
    scratch[1] = (byte) (key.length >>> Byte.SIZE);
    System.arraycopy(key, 0, scratch, PREFIX_BYTES, key.length);
    System.arraycopy(event, 0, scratch, PREFIX_BYTES + key.length, eventLength);
  }

  byte[] bytes() {
    return scratch;
  }

  int length() {
    return length;
  }

  /**
   * Offset of the event in a record, of which at least the beginning is there.
   *
   * @param end end of the bytes that are there
   * @return -1 if this is no such record
   */
  static int eventOffset(ByteBuffer source, int at, int end) {
    if (end - at < PREFIX_BYTES) {
      return -1;
    }
    int key = (source.get(at) & 0xFF) | (source.get(at + 1) & 0xFF) << Byte.SIZE;
    int offset = PREFIX_BYTES + key;
    return key > MAX_KEY_BYTES || offset > end - at ? -1 : offset;
  }

  /** Whether the record at a position, whose event begins at {@code offset}, has this value. */
  static boolean hasKey(ByteBuffer source, int at, int offset, byte[] key) {
    int from = at + PREFIX_BYTES;
    return key.length == offset - PREFIX_BYTES
        && source.duplicate().limit(from + key.length).position(from).equals(ByteBuffer.wrap(key));
  }
}
