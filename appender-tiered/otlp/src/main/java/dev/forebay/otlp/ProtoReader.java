package dev.forebay.otlp;

import java.nio.BufferUnderflowException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import org.jspecify.annotations.Nullable;

/** Finds fields of a message, which may be cut; in what is no message there are none. */
final class ProtoReader {

  private static final int TYPE_BITS = 3;
  private static final int TYPE_MASK = 7;
  private static final int VARINT_BITS = 7;

  private final byte[] message;

  ProtoReader(byte[] message) {
    this.message = message;
  }

  /** The last value of a field; 0 if there is none. */
  long varint(int field) {
    Object value = find(field);
    return value instanceof Long number ? number : 0;
  }

  /** The last value of a field; null if there is none. */
  @Nullable ByteBuffer bytes(int field) {
    Object value = find(field);
    return value instanceof ByteBuffer bytes ? bytes : null;
  }

  static byte[] copy(ByteBuffer of) {
    byte[] bytes = new byte[of.remaining()];
    of.get(bytes);
    return bytes;
  }

  private @Nullable Object find(int field) {
    ByteBuffer from = ByteBuffer.wrap(message).order(ByteOrder.LITTLE_ENDIAN);
    Object found = null;
    try {
      while (from.hasRemaining()) {
        long tag = varint(from);
        Object value = value((int) (tag & TYPE_MASK), from);
        if (value == null) {
          return null;
        }
        found = tag >>> TYPE_BITS == field ? value : found;
      }
    } catch (BufferUnderflowException e) {
      return null;
    }
    return found;
  }

  private static @Nullable Object value(int type, ByteBuffer from) {
    return switch (type) {
      case 0 -> varint(from);
      case 1 -> from.getLong();
      case 2 -> lengthDelimited(varint(from), from);
      case 5 -> (long) from.getInt();
      default -> null;
    };
  }

  private static @Nullable ByteBuffer lengthDelimited(long length, ByteBuffer from) {
    if (length < 0) {
      return null;
    }
    int there = (int) Math.min(length, from.remaining());
    ByteBuffer value = from.slice(from.position(), there);
    from.position(from.position() + there);
    return value;
  }

  private static long varint(ByteBuffer from) {
    long value = 0;
    for (int shift = 0; shift < Long.SIZE; shift += VARINT_BITS) {
      byte next = from.get();
      value |= (long) (next & 0x7F) << shift;
      if (next >= 0) {
        return value;
      }
    }
    throw new BufferUnderflowException();
  }
}
