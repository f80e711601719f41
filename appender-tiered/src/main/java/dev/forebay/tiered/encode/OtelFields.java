package dev.forebay.tiered.encode;

import ch.qos.logback.classic.Level;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.slf4j.event.KeyValuePair;

/**
 * What a record of OpenTelemetry has of an event, whether it becomes a line or is sent. Any thread.
 */
public final class OtelFields {

  /** The last that 64 bits have nanoseconds of, since the epoch. */
  public static final long LAST_SECOND = 18_446_744_072L;

  private static final int HEX = 16;

  private OtelFields() {}

  /** The first of each of OpenTelemetry's ranges. */
  public static int severityOf(Level level) {
    if (level.isGreaterOrEqual(Level.WARN)) {
      return level.isGreaterOrEqual(Level.ERROR) ? 17 : 13;
    } else if (level.isGreaterOrEqual(Level.DEBUG)) {
      return level.isGreaterOrEqual(Level.INFO) ? 9 : 5;
    }
    return 1;
  }

  /** Whether a text is an identifier: so many digits, lower-case and hexadecimal. */
  public static boolean isIdentifier(@Nullable String text, int digits, boolean isZeroValid) {
    if (text == null || text.length() != digits) {
      return false;
    }
    boolean isZero = true;
    for (int i = 0; i < digits; i++) {
      char c = text.charAt(i);
      if (c > 'f' || Character.digit(c, HEX) < 0) {
        return false;
      }
      isZero &= c == '0';
    }
    return isZeroValid || !isZero;
  }

  /** Pairs that are texts, which may identify a trace that the MDC does not; the last of a name. */
  public static Map<String, String> texts(List<KeyValuePair> pairs) {
    Map<String, String> texts = new HashMap<>();
    for (KeyValuePair pair : pairs) {
      if (pair != null && pair.key != null && pair.value instanceof String text) {
        texts.put(pair.key, text);
      }
    }
    return texts;
  }
}
