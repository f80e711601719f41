package dev.forebay.tiered.encode;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.PatternLayout;
import ch.qos.logback.classic.encoder.PatternLayoutEncoder;
import ch.qos.logback.classic.pattern.DateConverter;
import ch.qos.logback.classic.pattern.LevelConverter;
import ch.qos.logback.classic.pattern.LineSeparatorConverter;
import ch.qos.logback.classic.pattern.LoggerConverter;
import ch.qos.logback.classic.pattern.MessageConverter;
import ch.qos.logback.classic.pattern.ThreadConverter;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.classic.spi.LoggingEvent;
import ch.qos.logback.core.Layout;
import ch.qos.logback.core.encoder.Encoder;
import ch.qos.logback.core.pattern.Converter;
import ch.qos.logback.core.pattern.FormatInfo;
import ch.qos.logback.core.pattern.FormattingConverter;
import ch.qos.logback.core.pattern.IdentityCompositeConverter;
import ch.qos.logback.core.pattern.LiteralConverter;
import ch.qos.logback.core.pattern.PatternLayoutBase;
import java.lang.reflect.Field;
import java.nio.charset.Charset;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The pattern of a {@link PatternLayoutEncoder} as steps that write the same bytes as the encoder.
 * Each step is one of its converters, which are started already. Of those that lines usually have,
 * of exactly Logback's class, the text is known or remembered; any other is called, and its text
 * formatted as Logback does. Any thread.
 */
public final class CompiledPattern extends LineEncoder {

  private static final byte LITERAL = 0;
  private static final byte MESSAGE = 1;
  private static final byte DATE = 2;
  private static final byte LEVEL = 3;
  private static final byte LOGGER = 4;
  private static final byte THREAD = 5;
  private static final byte OTHER = 6;

  /** Between two levels, whose first is TRACE. */
  private static final int LEVEL_STEP = Level.DEBUG_INT;

  private static final int LEVELS = Level.ERROR_INT / LEVEL_STEP + 1;

  private static final byte[] NOTHING = {};

  /** What is compiled. */
  private final PatternLayoutEncoder encoder;

  private final Charset charset;
  private final PatternLayout layout;
  private final String words;

  /** What to do, step by step. */
  private final byte[] kinds;

  /** The bytes of each literal. */
  private final byte[][] literals;

  private final Converter<ILoggingEvent>[] converters;
  private final @Nullable FormatInfo[] formats;

  @SuppressWarnings("unchecked") // no array is of a generic type
  private CompiledPattern(PatternLayoutEncoder encoder, List<Converter<ILoggingEvent>> converters) {
    this.encoder = encoder;
    this.charset = charset(encoder);
    this.layout = (PatternLayout) encoder.getLayout();
    this.words = layout.getPattern();
    this.kinds = new byte[converters.size()];
    this.literals = new byte[kinds.length][];
    this.converters = (Converter<ILoggingEvent>[]) converters.toArray(new Converter<?>[0]);
    this.formats = new FormatInfo[kinds.length];
    for (int i = 0; i < kinds.length; i++) {
      Converter<ILoggingEvent> converter = converters.get(i);
      byte kind = kind(converter.getClass());
      StringBuilder constant = new StringBuilder();
      if (kind == LITERAL) {
        converter.write(constant, new LoggingEvent()); // it reads none
      }
      kinds[i] = TextBuffer.isWhole(constant) ? kind : OTHER;
      literals[i] = constant.toString().getBytes(charset);
      if (converter instanceof FormattingConverter<?> formatting) {
        formats[i] = formatting.getFormattingInfo();
      }
    }
  }

  /** The pattern of a started encoder; null if there is an {@link #obstacle}. */
  public static @Nullable CompiledPattern of(Encoder<?> encoder) {
    List<Converter<ILoggingEvent>> flat = new ArrayList<>();
    return obstacle(encoder, flat).isEmpty()
        ? new CompiledPattern((PatternLayoutEncoder) encoder, flat)
        : null;
  }

  /** Why an encoder cannot be compiled; "" if it can. */
  public static String obstacle(Encoder<?> encoder) {
    return obstacle(encoder, new ArrayList<>());
  }

  private static String obstacle(Encoder<?> encoder, List<Converter<ILoggingEvent>> flat) {
    if (encoder.getClass() != PatternLayoutEncoder.class) {
      return "encoder " + encoder.getClass().getName();
    }
    PatternLayoutEncoder known = (PatternLayoutEncoder) encoder;
    if (!TextBuffer.knows(charset(known))) {
      return "<charset> " + charset(known);
    }
    Converter<ILoggingEvent> first = head(known.getLayout());
    if (first == null) {
      return "a layout that did not start, or a module of Logback's that is not open";
    }
    flatten(first, flat);
    for (Converter<ILoggingEvent> each : flat) {
      if (!(each instanceof FormattingConverter) && !(each instanceof LiteralConverter)) {
        return "converter " + each.getClass().getName();
      }
    }
    return "";
  }

  /** Whether the encoder is as it was; if it was changed or started again, it encodes itself. */
  @Override
  public boolean isCurrent() {
    return encoder.getLayout() == layout
        && layout.isStarted()
        && words.equals(layout.getPattern())
        && charset.equals(charset(encoder));
  }

  /** As Logback's encoder chooses it. */
  private static Charset charset(PatternLayoutEncoder encoder) {
    return encoder.getCharset() == null ? Charset.defaultCharset() : encoder.getCharset();
  }

  /** The first converter of a started layout; null if it did not start, or hides it. */
  private static @Nullable Converter<ILoggingEvent> head(@Nullable Layout<?> layout) {
    if (layout == null || !layout.isStarted()) {
      return null;
    }
    try {
      Field field = PatternLayoutBase.class.getDeclaredField("head");
      field.setAccessible(true);
      @SuppressWarnings("unchecked") // of a layout of such events
      Converter<ILoggingEvent> head = (Converter<ILoggingEvent>) field.get(layout);
      return head;
    } catch (ReflectiveOperationException | RuntimeException | LinkageError e) { // not open
      return null;
    }
  }

  /** A group that is not formatted as one writes what its converters write. */
  private static void flatten(
      @Nullable Converter<ILoggingEvent> first, List<Converter<ILoggingEvent>> into) {
    for (Converter<ILoggingEvent> each = first; each != null; each = each.getNext()) {
      if (each.getClass() == IdentityCompositeConverter.class
          && ((FormattingConverter<?>) each).getFormattingInfo() == null) {
        flatten(((IdentityCompositeConverter<ILoggingEvent>) each).getChildConverter(), into);
      } else {
        into.add(each);
      }
    }
  }

  private static byte kind(Class<?> converter) {
    if (converter == LiteralConverter.class || converter == LineSeparatorConverter.class) {
      return LITERAL;
    } else if (converter == MessageConverter.class) {
      return MESSAGE;
    } else if (converter == DateConverter.class) {
      return DATE;
    } else if (converter == LevelConverter.class) {
      return LEVEL;
    } else if (converter == LoggerConverter.class) {
      return LOGGER;
    }
    return converter == ThreadConverter.class ? THREAD : OTHER;
  }

  @Override
  public TextBuffer newLine() {
    TextBuffer line = new TextBuffer(charset, kinds.length);
    for (int i = 0; i < kinds.length; i++) {
      line.memory[i] =
          switch (kinds[i]) {
            case DATE -> new DateText(converters[i]);
            case LEVEL -> levels();
            case LOGGER, THREAD -> new NameText(converters[i]);
            default -> NOTHING;
          };
    }
    return line;
  }

  private static byte[][] levels() {
    byte[][] levels = new byte[LEVELS][];
    Arrays.fill(levels, NOTHING);
    return levels;
  }

  @Override
  protected void write(ILoggingEvent event, TextBuffer line) {
    if (isCurrent()) {
      putAll(event, line);
    } else {
      line.literal(encoder.encode(event));
    }
  }

  private void putAll(ILoggingEvent event, TextBuffer text) {
    for (int i = 0; i < kinds.length; i++) {
      put(i, event, text);
    }
  }

  private void put(int step, ILoggingEvent event, TextBuffer text) {
    switch (kinds[step]) {
      case LITERAL -> text.literal(literals[step]);
      case MESSAGE -> put(event.getFormattedMessage(), formats[step], text);
      case DATE -> ((DateText) text.memory[step]).put(text, event, text.scratch);
      case LEVEL -> putLevel(step, event, text);
      case LOGGER ->
          ((NameText) text.memory[step]).put(text, event.getLoggerName(), event, text.scratch);
      case THREAD ->
          ((NameText) text.memory[step]).put(text, event.getThreadName(), event, text.scratch);
      default -> put(converters[step].convert(event), formats[step], text);
    }
  }

  private void putLevel(int step, ILoggingEvent event, TextBuffer text) {
    byte[][] levels = (byte[][]) text.memory[step];
    int index = event.getLevel().levelInt / LEVEL_STEP;
    if (index < 0 || index >= LEVELS) { // ALL and OFF
      put(converters[step].convert(event), formats[step], text);
      return;
    }
    if (levels[index] == NOTHING) {
      int from = text.length();
      put(converters[step].convert(event), formats[step], text);
      levels[index] = text.toBytes(from);
    } else {
      text.literal(levels[index]);
    }
  }

  /** As Logback's {@link FormattingConverter} does. */
  private static void put(@Nullable String value, @Nullable FormatInfo format, TextBuffer text) {
    if (format != null) {
      putFormatted(value, format, text);
    } else {
      text.text(String.valueOf(value));
    }
  }

  private static void putFormatted(@Nullable String value, FormatInfo format, TextBuffer text) {
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
