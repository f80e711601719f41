package dev.forebay.tiered.encode;

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
import ch.qos.logback.core.encoder.EncoderBase;
import ch.qos.logback.core.pattern.Converter;
import ch.qos.logback.core.pattern.FormattingConverter;
import ch.qos.logback.core.pattern.IdentityCompositeConverter;
import ch.qos.logback.core.pattern.LiteralConverter;
import ch.qos.logback.core.pattern.PatternLayoutBase;
import java.lang.reflect.Field;
import java.nio.charset.Charset;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicReferenceArray;
import org.jspecify.annotations.Nullable;

/**
 * The pattern of a {@link PatternLayoutEncoder} as steps that write the same bytes as the encoder.
 * Each step is one of its converters, which are started already. Of those that lines usually have,
 * of exactly Logback's class, the text is known or remembered; any other is called, and its text
 * formatted as Logback does. Any thread.
 */
public final class CompiledPattern extends EncoderBase<ILoggingEvent> {

  static final byte LITERAL = 0;
  static final byte MESSAGE = 1;
  static final byte DATE = 2;
  static final byte LEVEL = 3;
  static final byte LOGGER = 4;
  static final byte THREAD = 5;
  static final byte OTHER = 6;

  private static final byte[] NOTHING = {};

  /** Lines kept for log calls. */
  private static final int SPARES = 32;

  /** Places at which a log call looks for a line. */
  private static final int PROBES = 4;

  /** What is compiled. */
  final PatternLayoutEncoder encoder;

  final Charset charset;
  private final PatternLayout layout;
  private final String words;

  /** What to do, step by step. */
  final byte[] kinds;

  /** What to do it with: the bytes of a literal, or a converter. */
  final Object[] parts;

  private final AtomicReferenceArray<@Nullable PatternLine> spares =
      new AtomicReferenceArray<>(SPARES);

  private CompiledPattern(PatternLayoutEncoder encoder, List<Converter<ILoggingEvent>> converters) {
    this.encoder = encoder;
    this.charset = charset(encoder);
    this.layout = (PatternLayout) encoder.getLayout();
    this.words = layout.getPattern();
    this.kinds = new byte[converters.size()];
    this.parts = new Object[kinds.length];
    for (int i = 0; i < kinds.length; i++) {
      Converter<ILoggingEvent> converter = converters.get(i);
      byte kind = kind(converter.getClass());
      StringBuilder constant = new StringBuilder();
      if (kind == LITERAL) {
        converter.write(constant, new LoggingEvent()); // it reads none
      }
      boolean isWhole = TextBuffer.isWhole(constant);
      kinds[i] = isWhole ? kind : OTHER;
      parts[i] = isWhole && kind == LITERAL ? constant.toString().getBytes(charset) : converter;
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

  /** A line of a thread that uses it again and again. */
  public PatternLine newLine() {
    return new PatternLine(this);
  }

  /** A line for a log call, which gives it back. */
  private PatternLine take() {
    int place = (int) Thread.currentThread().getId();
    for (int i = 0; i < PROBES; i++) {
      PatternLine spare = spares.getAndSet(place + i & SPARES - 1, null);
      if (spare != null) {
        return spare;
      }
    }
    return newLine();
  }

  private void giveBack(PatternLine line) {
    line.clear();
    int place = (int) Thread.currentThread().getId();
    for (int i = 0; i < PROBES; i++) {
      if (spares.compareAndSet(place + i & SPARES - 1, null, line)) {
        return;
      }
    }
  }

  /** The bytes of an event. Any thread; a {@link PatternLine} of one's own makes no copy. */
  @Override
  public byte[] encode(ILoggingEvent event) {
    PatternLine line = take();
    try {
      line.encode(event);
      return line.toBytes();
    } finally {
      giveBack(line);
    }
  }

  @Override
  public byte[] headerBytes() {
    return NOTHING;
  }

  @Override
  public byte[] footerBytes() {
    return NOTHING;
  }
}
