package dev.forebay.kafka;

import ch.qos.logback.classic.spi.ILoggingEvent;
import dev.forebay.observe.Levels;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * What a record in a topic has besides its value.
 *
 * <pre>
 * 0 level u8 | 1 time i64, ms since the epoch | 9 key bytes i16, -1: none | 11 key | logger bytes i16, -1: none | logger
 * </pre>
 *
 * <p>Big-endian.
 *
 * @param level name of the event's; "" if it is not known
 * @param timeMs since the epoch; -1 if it is not known
 * @param key UTF-8; null for the appender's
 * @param logger UTF-8; null if it is not wanted
 */
@SuppressWarnings("ArrayRecordComponent") // never compared
record EventAttributes(String level, long timeMs, byte @Nullable [] key, byte @Nullable [] logger) {

  private static final int FIXED_BYTES = 1 + Long.BYTES + 2 * Short.BYTES;

  /** Longer keys and names are cut. */
  static final int MAX_TEXT_BYTES = 16 * 1024;

  static byte[] encode(ILoggingEvent event, @Nullable String key, boolean withLogger) {
    byte[] keyBytes = bytes(key);
    byte[] loggerBytes = bytes(withLogger ? event.getLoggerName() : null);
    ByteBuffer all =
        ByteBuffer.allocate(FIXED_BYTES + length(keyBytes) + length(loggerBytes))
            .put((byte) Levels.indexOf(event))
            .putLong(event.getTimeStamp());
    put(all, keyBytes);
    put(all, loggerBytes);
    return all.array();
  }

  /** The attributes in a buffer; incomplete ones count as missing. */
  static EventAttributes decode(ByteBuffer from) {
    if (from.remaining() < FIXED_BYTES) {
      return new EventAttributes("", -1, null, null);
    }
    int level = Math.max(0, Math.min(Levels.COUNT - 1, from.get()));
    long timeMs = from.getLong();
    byte[] key = take(from);
    return new EventAttributes(Levels.of(level).name(), timeMs, key, take(from));
  }

  private static byte @Nullable [] bytes(@Nullable String text) {
    if (text == null) {
      return null;
    }
    byte[] all = text.getBytes(StandardCharsets.UTF_8);
    return all.length <= MAX_TEXT_BYTES ? all : Arrays.copyOf(all, MAX_TEXT_BYTES);
  }

  private static int length(byte @Nullable [] text) {
    return text == null ? 0 : text.length;
  }

  private static void put(ByteBuffer to, byte @Nullable [] text) {
    to.putShort((short) (text == null ? -1 : text.length));
    if (text != null) {
      to.put(text);
    }
  }

  private static byte @Nullable [] take(ByteBuffer from) {
    int length = from.remaining() < Short.BYTES ? -1 : from.getShort();
    if (length < 0 || length > from.remaining()) {
      return null;
    }
    byte[] text = new byte[length];
    from.get(text);
    return text;
  }
}
