package dev.forebay.tiered.spool;

import dev.forebay.tiered.identity.LogNote;
import java.nio.ByteBuffer;

/**
 * What a destination has to know of an event besides its line: in front of it in the payload, if
 * the spool's {@link LogNote} says so.
 *
 * <pre>
 * payload  0 length of the attributes, big-endian u16 | 2 attributes | line
 * </pre>
 */
public final class Attributes {

  public static final int MAX_BYTES = 0xFFFF;

  private static final int LENGTH_BYTES = Short.BYTES;

  /** Most bytes before the line. */
  public static final int MOST_BEFORE = LENGTH_BYTES + MAX_BYTES;

  private Attributes() {}

  /**
   * The payload of a record; attributes of at most {@link #MAX_BYTES}.
   *
   * @param line begins with so many bytes of a line
   */
  public static byte[] join(byte[] attributes, byte[] line, int lineLength) {
    return ByteBuffer.allocate(LENGTH_BYTES + attributes.length + lineLength)
        .putShort((short) attributes.length)
        .put(attributes)
        .put(line, 0, lineLength)
        .array();
  }

  /** Moves from the start of a payload to that of its line; returns the attributes. */
  public static ByteBuffer take(ByteBuffer payload) {
    if (payload.remaining() < LENGTH_BYTES) {
      return ByteBuffer.allocate(0); // written without
    }
    int length = Math.min(payload.getShort() & MAX_BYTES, payload.remaining());
    ByteBuffer attributes = payload.slice(payload.position(), length);
    payload.position(payload.position() + length);
    return attributes;
  }
}
