package dev.forebay.tiered.encode;

import static java.nio.charset.StandardCharsets.UTF_8;

import ch.qos.logback.classic.spi.ILoggingEvent;
import java.time.ZoneId;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The line that an encoder of JSON writes for the events of one level: bytes that are always the
 * same, and between them the time and the texts of the event. Any thread.
 */
final class LineTemplate {

  private static final byte TIME = 0;
  private static final byte MESSAGE = 1;
  private static final byte LOGGER = 2;
  private static final byte THREAD = 3;
  private static final byte LITERAL = 4;
  private static final byte MDC = 5;

  /** Before the value of an MDC key that is not written. */
  private static final byte[] NOTHING = {};

  /** The same of a key that the encoder has to write. */
  private static final byte[] UNFIT = {};

  /** So many lines are compared with the encoder's, and one of so many and a quarter of an hour. */
  private static final int FIRST_COMPARED = 64;

  private static final int COMPARED_OF = 4096;
  private static final long QUARTER_MS = 900_000;

  /** More MDC keys are left to the encoder. */
  private static final int MOST_KEYS = 256;

  /** The same of one event. */
  private static final int MOST_NAMES = 16;

  /**
   * How an encoder writes.
   *
   * @param hasPairs whether a surrogate pair stands for itself
   */
  record Dialect(EventTime.Form form, ZoneId zone, boolean hasPairs) {}

  /** What the encoder wrote for the sample. */
  private final byte[] line;

  private final Sample sample;
  private final Dialect dialect;

  /** Where MDC values come in that line; -1 if it is not known. */
  private final int mdcAt;

  /** By MDC key, the bytes before its value. */
  private final Map<String, byte[]> keys;

  /** What to write, one after another. */
  private final byte[] kinds;

  private final byte[][] literals;

  /** Lines written, and below 0 later; several threads count, so it is not exact. */
  int written;

  /** When the last line was that is known to be the encoder's. */
  private long comparedQuarter = -1;

  LineTemplate(byte[] line, Sample sample, Dialect dialect) {
    this(line, sample, dialect, -1, Map.of());
  }

  private LineTemplate(
      byte[] line, Sample sample, Dialect dialect, int mdcAt, Map<String, byte[]> keys) {
    this.line = line;
    this.sample = sample;
    this.dialect = dialect;
    this.mdcAt = mdcAt;
    this.keys = keys;
    byte[][] texts = sample.texts(dialect);
    TextBuffer found = new TextBuffer(UTF_8);
    List<byte[]> parts = new ArrayList<>();
    int from = 0;
    int at = 0;
    while (at < line.length) {
      byte slot = at == mdcAt && !endsWith(found, MDC) ? MDC : slotAt(line, at, texts);
      if (slot == LITERAL) {
        at++;
      } else {
        found.ascii((char) LITERAL);
        parts.add(Arrays.copyOfRange(line, from, at));
        found.ascii((char) slot);
        parts.add(NOTHING);
        at += slot == MDC ? 0 : texts[slot].length;
        from = at;
      }
    }
    found.ascii((char) LITERAL);
    parts.add(Arrays.copyOfRange(line, from, at));
    this.kinds = found.toBytes();
    this.literals = parts.toArray(new byte[0][]);
  }

  private static boolean endsWith(TextBuffer found, byte kind) {
    return found.length() > 0 && found.bytes()[found.length() - 1] == kind;
  }

  private static byte slotAt(byte[] line, int at, byte[][] texts) {
    for (byte slot = 0; slot < texts.length; slot++) {
      byte[] text = texts[slot];
      if (at + text.length <= line.length
          && Arrays.equals(line, at, at + text.length, text, 0, text.length)) {
        return slot;
      }
    }
    return LITERAL;
  }

  Sample sample() {
    return sample;
  }

  /** Whether the time is in the line, written so. */
  boolean hasTime() {
    for (byte kind : kinds) {
      if (kind == TIME) {
        return true;
      }
    }
    return false;
  }

  /** Whether the line just written is to be compared with the encoder's. */
  boolean isToCompare(ILoggingEvent event) {
    int before = written++;
    return (before >= 0 && before < FIRST_COMPARED)
        || before % COMPARED_OF == 0
        || quarter(event) != comparedQuarter;
  }

  /** The line of an event was the encoder's. */
  void compared(ILoggingEvent event) {
    comparedQuarter = quarter(event);
  }

  /** Zones change their offsets between quarters of an hour only. */
  private static long quarter(ILoggingEvent event) {
    return event.getTimeStamp() / QUARTER_MS;
  }

  /** Whether the sample's line is the same. */
  boolean isLine(byte @Nullable [] other) {
    return Arrays.equals(line, other);
  }

  /** Whether more MDC keys may be learned. */
  boolean hasRoom() {
    return keys.size() < MOST_KEYS;
  }

  /**
   * The template that knows an MDC key too. Another one: what writes by this one meanwhile has no
   * place for the key.
   *
   * @param lineWithKey null if the encoder has to write it
   */
  LineTemplate with(String key, byte @Nullable [] lineWithKey) {
    if (lineWithKey == null || isLine(lineWithKey)) {
      return with(key, lineWithKey == null ? UNFIT : NOTHING, mdcAt);
    }
    int place = placeOf(lineWithKey);
    boolean mayFit = place >= 0 && (mdcAt < 0 || mdcAt == place);
    byte[] before = mayFit ? beforeValue(lineWithKey, place) : UNFIT;
    return with(key, before, before == UNFIT ? mdcAt : place);
  }

  private LineTemplate with(String key, byte[] before, int place) {
    Map<String, byte[]> more = new HashMap<>(keys);
    more.put(key, before);
    return new LineTemplate(line, sample, dialect, place, more);
  }

  /** Another MDC key if both are written, with different names; null if not. */
  @Nullable String otherThan(String key) {
    byte[] own = keys.getOrDefault(key, UNFIT);
    for (Map.Entry<String, byte[]> entry : keys.entrySet()) {
      byte[] before = entry.getValue();
      if (own.length > 0 && before.length > 0 && !Arrays.equals(before, own)) {
        return entry.getKey();
      }
    }
    return null;
  }

  /** Where a line has more than this one; -1 if it has no field more, and nothing else. */
  private int placeOf(byte[] longer) {
    int more = longer.length - line.length;
    int common = Arrays.mismatch(line, longer);
    for (int at = common; more > 0 && at >= 0 && at > common - more; at--) {
      boolean isField = longer[at] == ',' && longer[at + more - 1] == '"';
      if (isField
          && Arrays.equals(line, 0, at, longer, 0, at)
          && Arrays.equals(line, at, line.length, longer, at + more, longer.length)) {
        return at;
      }
    }
    return -1;
  }

  /** From the comma to the quote before the value. */
  private byte[] beforeValue(byte[] longer, int place) {
    byte[] value = Sample.VALUE.getBytes(UTF_8);
    int to = place + longer.length - line.length - value.length - 1;
    boolean isText =
        to - place > 4
            && longer[place + 1] == '"'
            && longer[to - 1] == '"'
            && longer[to - 2] == ':'
            && longer[to - 3] == '"'
            && Arrays.equals(longer, to, to + value.length, value, 0, value.length);
    for (int i = place + 2; isText && i < to - 3; i++) {
      isText = longer[i] != '"'; // a name with a quote in it, or more than a name
    }
    return isText ? Arrays.copyOfRange(longer, place, to) : UNFIT;
  }

  /**
   * Appends the line of an event that has nothing but what a sample has, and known MDC keys.
   *
   * @param zone of a time with fewest digits; null for the sample's
   * @return false after a part of the line, if an {@linkplain Line#unknown MDC key} is to be
   *     learned or the encoder has to write it
   */
  boolean write(ILoggingEvent event, Map<String, String> mdc, @Nullable ZoneId zone, Line into) {
    into.unknown = null;
    if (mdcAt < 0 && !mdc.isEmpty() && !entries(mdc, into)) { // which may be known to write none
      return false;
    }
    for (int i = 0; i < kinds.length; i++) {
      boolean isWritten =
          switch (kinds[i]) {
            case LITERAL -> literal(literals[i], into);
            case TIME -> into.time.put(event, dialect.form, zone(zone), into);
            case MESSAGE -> text(event.getFormattedMessage(), into);
            case LOGGER -> text(event.getLoggerName(), into);
            case THREAD -> text(event.getThreadName(), into);
            default -> mdc.isEmpty() || entries(mdc, into);
          };
      if (!isWritten) {
        return false;
      }
    }
    return true;
  }

  private ZoneId zone(@Nullable ZoneId ofSystem) {
    return ofSystem == null || dialect.form != EventTime.Form.FEWEST ? dialect.zone : ofSystem;
  }

  private static boolean literal(byte[] literal, TextBuffer into) {
    into.literal(literal);
    return true;
  }

  private boolean entries(Map<String, String> mdc, Line into) {
    int names = 0;
    for (Map.Entry<String, String> entry : mdc.entrySet()) {
      String key = entry.getKey();
      byte[] before = key == null ? UNFIT : keys.get(key);
      if (before == null) {
        into.unknown = key;
        return false;
      } else if (before != NOTHING) {
        if (before == UNFIT || into.has(before, names)) {
          return false;
        }
        into.names[names++] = before;
        into.literal(before);
        if (!text(entry.getValue(), into)) {
          return false;
        }
        into.ascii('"');
      }
    }
    return true;
  }

  /** Appends a text that every encoder escapes so; false for others. */
  private boolean text(@Nullable String text, Line into) {
    return text != null && into.escaped(text, text.length(), dialect.hasPairs, false);
  }

  /** A line with what its thread remembers. */
  static final class Line extends JsonText {

    /** What comes before the MDC values of the line. */
    private final byte[][] names = new byte[MOST_NAMES][];

    /** A key of the last event, for which there is no place yet. */
    @Nullable String unknown;

    /** Whether a key before it has the same name, or there are too many. */
    private boolean has(byte[] name, int before) {
      for (int i = 0; i < before; i++) {
        if (Arrays.equals(names[i], name)) {
          return true;
        }
      }
      return before == MOST_NAMES;
    }
  }
}
