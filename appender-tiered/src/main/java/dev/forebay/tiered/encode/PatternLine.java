package dev.forebay.tiered.encode;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.pattern.Converter;
import ch.qos.logback.core.pattern.FormatInfo;
import ch.qos.logback.core.pattern.FormattingConverter;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * Writes events by a {@link CompiledPattern}, one after another into the same buffer. For one
 * thread at a time.
 */
public final class PatternLine {

  /** Between two levels, whose first is TRACE. */
  private static final int LEVEL_STEP = Level.DEBUG_INT;

  private static final int LEVELS = Level.ERROR_INT / LEVEL_STEP + 1;

  private static final byte[] NOTHING = {};

  private final CompiledPattern pattern;
  private final byte[] kinds;

  /** Of each step, the bytes of a literal or of levels, {@link DateText} or {@link NameText}. */
  private final Object[] known;

  private final Converter<ILoggingEvent>[] converters;
  private final @Nullable FormatInfo[] formats;
  private final TextBuffer text;

  /** For what Logback formats. */
  private final StringBuilder scratch = new StringBuilder();

  @SuppressWarnings("unchecked") // no array is of a generic type
  PatternLine(CompiledPattern pattern) {
    int steps = pattern.kinds.length;
    this.pattern = pattern;
    kinds = pattern.kinds;
    known = new Object[steps];
    converters = (Converter<ILoggingEvent>[]) new Converter<?>[steps];
    formats = new FormatInfo[steps];
    text = new TextBuffer(pattern.charset);
    for (int i = 0; i < steps; i++) {
      Object part = pattern.parts[i];
      known[i] = part instanceof byte[] ? part : NOTHING;
      if (part instanceof Converter<?>) {
        converters[i] = (Converter<ILoggingEvent>) part;
        known[i] = known(kinds[i], converters[i]);
      }
      if (part instanceof FormattingConverter<?> formatting) {
        formats[i] = formatting.getFormattingInfo();
      }
    }
  }

  private static Object known(byte kind, Converter<ILoggingEvent> converter) {
    return switch (kind) {
      case CompiledPattern.DATE -> new DateText(converter);
      case CompiledPattern.LEVEL -> levels();
      case CompiledPattern.LOGGER, CompiledPattern.THREAD -> new NameText(converter);
      default -> NOTHING;
    };
  }

  private static byte[][] levels() {
    byte[][] levels = new byte[LEVELS][];
    Arrays.fill(levels, NOTHING);
    return levels;
  }

  /** Replaces the line by that of an event. If this throws, it is empty. */
  public void encode(ILoggingEvent event) {
    text.clear();
    try {
      if (pattern.isCurrent()) {
        putAll(event);
      } else {
        text.literal(pattern.encoder.encode(event));
      }
    } catch (Throwable t) { // of foreign code
      text.clear();
      throw t;
    }
  }

  /** The line's bytes are the first {@link #length}, until the next one. */
  public byte[] bytes() {
    return text.bytes();
  }

  public int length() {
    return text.length();
  }

  byte[] toBytes() {
    return text.toBytes();
  }

  /** Empties the line, and forgets the memory of a huge one. */
  public void clear() {
    text.clear();
  }

  private void putAll(ILoggingEvent event) {
    for (int i = 0; i < kinds.length; i++) {
      put(i, event);
    }
  }

  private void put(int step, ILoggingEvent event) {
    switch (kinds[step]) {
      case CompiledPattern.LITERAL -> text.literal((byte[]) known[step]);
      case CompiledPattern.MESSAGE -> put(event.getFormattedMessage(), formats[step]);
      case CompiledPattern.DATE -> ((DateText) known[step]).put(text, event, scratch);
      case CompiledPattern.LEVEL -> putLevel(step, event);
      case CompiledPattern.LOGGER ->
          ((NameText) known[step]).put(text, event.getLoggerName(), event, scratch);
      case CompiledPattern.THREAD ->
          ((NameText) known[step]).put(text, event.getThreadName(), event, scratch);
      default -> put(converters[step].convert(event), formats[step]);
    }
  }

  private void putLevel(int step, ILoggingEvent event) {
    byte[][] levels = (byte[][]) known[step];
    int index = event.getLevel().levelInt / LEVEL_STEP;
    if (index < 0 || index >= LEVELS) { // ALL and OFF
      put(converters[step].convert(event), formats[step]);
      return;
    }
    if (levels[index] == NOTHING) {
      int from = text.length();
      put(converters[step].convert(event), formats[step]);
      levels[index] = text.toBytes(from);
    } else {
      text.literal(levels[index]);
    }
  }

  /** As Logback's {@link FormattingConverter} does. */
  private void put(@Nullable String value, @Nullable FormatInfo format) {
    if (format != null) {
      putFormatted(value, format);
    } else {
      text.text(String.valueOf(value));
    }
  }

  private void putFormatted(@Nullable String value, FormatInfo format) {
    int length = value == null ? 0 : value.length();
    int missing = length < format.getMin() ? format.getMin() - length : 0;
    if (value == null) {
      text.fill(' ', missing);
    } else if (length > format.getMax()) {
      boolean isEndKept = format.isLeftTruncate();
      int surplus = length - format.getMax();
      text.text(value, isEndKept ? surplus : 0, isEndKept ? length : length - surplus);
    } else {
      text.fill(' ', format.isLeftPad() ? missing : 0);
      text.text(value);
      text.fill(' ', format.isLeftPad() ? 0 : missing);
    }
  }
}
