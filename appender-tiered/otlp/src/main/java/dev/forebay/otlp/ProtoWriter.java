package dev.forebay.otlp;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.forebay.tiered.encode.TextBuffer;
import java.nio.ByteBuffer;

/**
 * Appends fields in Protocol Buffers' wire format. A message inside begins with one byte for its
 * length, and moves if that is too little. For one thread at a time.
 */
final class ProtoWriter extends TextBuffer {

  private static final int VARINT = 0;
  private static final int FIXED64 = 1;
  private static final int LENGTH = 2;
  private static final int FIXED32 = 5;

  private static final int TYPE_BITS = 3;
  private static final int VARINT_BITS = 7;
  private static final int MORE = 0x80;

  ProtoWriter() {
    super(UTF_8);
  }

  void varint(int field, long value) {
    tag(field, VARINT);
    varint(value);
  }

  void fixed64(int field, long value) {
    tag(field, FIXED64);
    littleEndian(value, Long.SIZE);
  }

  void fixed32(int field, int value) {
    tag(field, FIXED32);
    littleEndian(value, Integer.SIZE);
  }

  void string(int field, String text) {
    int begin = begin(field);
    text(text);
    end(begin);
  }

  void bytes(int field, byte[] bytes) {
    lengthOf(field, bytes.length);
    literal(bytes);
  }

  /** A message or string inside, to be appended before {@link #end} gets the result. */
  int begin(int field) {
    lengthOf(field, 0);
    return length();
  }

  void end(int begin) {
    int count = length() - begin;
    int more = sizeOf(count) - 1;
    fill('\0', more);
    if (more > 0) {
      System.arraycopy(bytes(), begin, bytes(), begin + more, count);
    }
    int at = begin - 1;
    int rest = count;
    for (; rest >= MORE; rest >>>= VARINT_BITS) {
      bytes()[at++] = (byte) (rest | MORE);
    }
    bytes()[at] = (byte) rest;
  }

  /** The tag of a string, bytes or message of so many bytes, which follow. */
  void lengthOf(int field, int count) {
    tag(field, LENGTH);
    varint(count);
  }

  /** Appends what is left in a buffer. */
  void put(ByteBuffer from) {
    int count = from.remaining();
    fill('\0', count);
    from.get(bytes(), length() - count, count);
  }

  /** Appends what another one has. */
  void put(ProtoWriter from) {
    literal(from.bytes(), 0, from.length());
  }

  static int sizeOf(int varint) {
    return Math.max(1, (Integer.SIZE - Integer.numberOfLeadingZeros(varint) + 6) / VARINT_BITS);
  }

  private void tag(int field, int type) {
    varint((long) field << TYPE_BITS | type);
  }

  private void varint(long value) {
    long rest = value;
    for (; (rest & -MORE) != 0; rest >>>= VARINT_BITS) {
      ascii((char) (rest & MORE - 1 | MORE));
    }
    ascii((char) rest);
  }

  private void littleEndian(long value, int bits) {
    for (int shift = 0; shift < bits; shift += Byte.SIZE) {
      ascii((char) (value >>> shift & 0xFF));
    }
  }
}
