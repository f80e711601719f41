package dev.forebay.tiered.encode;

import static java.nio.charset.StandardCharsets.UTF_8;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.LoggerContext;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.classic.spi.LoggerContextVO;
import ch.qos.logback.core.encoder.Encoder;
import dev.forebay.pipeline.CallerWords;
import java.time.Instant;
import java.time.ZoneId;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.TimeZone;
import java.util.concurrent.atomic.AtomicReference;
import java.util.concurrent.atomic.AtomicReferenceArray;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * Writes the bytes that a library's encoder of JSON writes, by {@link LineTemplate templates} that
 * it learns from the encoder itself: it has it write samples, and finds their texts in the lines.
 * Events with a throwable, markers, key-value pairs or structured arguments, and texts with
 * characters that encoders escape in different ways, the encoder writes itself. So it does all once
 * it is seen to write an event differently: the first events and some later ones it writes too. Any
 * thread.
 */
final class TemplateEncoder extends LineEncoder {

  private static final String LOGBACK = "ch.qos.logback.";
  private static final String LOGSTASH = "net.logstash.logback.";
  private static final String LOGSTASH_PROVIDERS =
      LOGSTASH + "composite.loggingevent.LoggingEventJsonProviders";

  private static final String BOOT =
      "org.springframework.boot.logging.logback.StructuredLogEncoder";

  /** The encoders, each with a class that is found in it if fields can be searched. */
  private static final Map<String, String> ENCODERS =
      Map.of(
          LOGSTASH + "encoder.LogstashEncoder",
          LOGSTASH_PROVIDERS,
          LOGSTASH + "encoder.LoggingEventCompositeJsonEncoder",
          LOGSTASH_PROVIDERS,
          BOOT,
          "org.springframework.boot.json.JsonWriter$Members",
          "co.elastic.logging.logback.EcsEncoder",
          ArrayList.class.getName());

  private static final int LEVEL_STEP = Level.DEBUG_INT;
  private static final int LEVELS = Level.ERROR_INT / LEVEL_STEP + 1;

  /** What a LogstashEncoder with its own providers is made of. */
  private static final Pattern LOGSTASH_PARTS =
      Pattern.compile(
          "net\\.logstash\\.logback\\."
              + "(LogstashFormatter|(encoder|abbreviator|dataformat|fieldnames|stacktrace|util)\\..*"
              + "|decorate\\.(Composite|Null)[A-Za-z]*Decorator"
              + "|composite\\.(loggingevent\\.)?(Abstract.*|LoggingEvent(Json|Composite).*"
              + "|FastISOTimestampFormatter.*|(Context|LogstashVersion|GlobalCustomFields"
              + "|Arguments|KeyValuePairs|LogLevel|LogLevelValue|LoggerName|LogstashMarkers|Mdc"
              + "|LoggingEventFormattedTimestamp|LoggingEventThreadName|Message|StackTrace|Tags)"
              + "JsonProvider))");

  /** What of Logback's an encoder may have: the others of its parts write texts in other ways. */
  private static final Pattern LOGBACK_PARTS =
      Pattern.compile(
          "ch\\.qos\\.logback\\."
              + "(core\\.spi\\.ContextAware.*|classic\\.pattern\\.[A-Za-z]*ThrowableProxyConverter)");

  /** How often properties of the context may change. */
  private static final int MOST_CHANGES = 100;

  private static final Map<String, String> NO_MDC = Map.of();

  private final Encoder<ILoggingEvent> encoder;
  private final @Nullable LoggerContext loggers;
  private final boolean isBoots;

  /** Arguments of this class become fields; null if none do. */
  private final @Nullable Class<?> structured;

  /** What was learned; null once it was seen to be wrong. */
  private final AtomicReference<@Nullable Learned> learned;

  /**
   * Templates by level.
   *
   * @param context with the properties of which they were learned
   */
  private record Learned(
      @Nullable LoggerContextVO context,
      int changes,
      AtomicReferenceArray<@Nullable LineTemplate> templates) {

    Learned(@Nullable LoggerContextVO context, int changes) {
      this(context, changes, new AtomicReferenceArray<>(LEVELS));
    }

    /** Whether the properties are the same. */
    @SuppressWarnings("ReferenceEquality") // each change makes another one
    boolean isOf(@Nullable LoggerContext loggers) {
      return contextOf(loggers) == context;
    }
  }

  private TemplateEncoder(Encoder<ILoggingEvent> encoder, @Nullable Class<?> structured) {
    this.encoder = encoder;
    this.structured = structured;
    this.loggers = encoder.getContext() instanceof LoggerContext context ? context : null;
    this.isBoots = encoder.getClass().getName().equals(BOOT);
    this.learned = new AtomicReference<>(new Learned(contextOf(loggers), 0));
  }

  /** One for an encoder of a library's, of which each part is known; null for others. */
  public static @Nullable LineEncoder of(Encoder<?> encoder) {
    if (!"".equals(obstacle(encoder))) {
      return null;
    }
    @SuppressWarnings("unchecked") // of such events, as the others of that name
    Encoder<ILoggingEvent> of = (Encoder<ILoggingEvent>) encoder;
    return new TemplateEncoder(of, structured(encoder));
  }

  /** The part that prevents it; "" if none does; null for other encoders. */
  public static @Nullable String obstacle(Encoder<?> encoder) {
    String searched = ENCODERS.get(encoder.getClass().getName());
    if (searched == null) {
      return null;
    }
    CallerWords words = CallerWords.of(encoder);
    if (!encoder.isStarted() || !words.classes().contains(searched)) {
      return "fields that cannot be read";
    }
    for (String name : words.classes()) {
      boolean isKnown =
          (!name.startsWith(LOGSTASH) || LOGSTASH_PARTS.matcher(name).matches())
              && (!name.startsWith(LOGBACK) || LOGBACK_PARTS.matcher(name).matches());
      if (!isKnown || name.equals(Pattern.class.getName())) { // which splits messages
        return "part " + name;
      }
    }
    List<String> unfit = new ArrayList<>(words.foreign());
    unfit.addAll(words.asking());
    return unfit.isEmpty() ? "" : "part " + unfit.get(0);
  }

  private static @Nullable Class<?> structured(Encoder<?> encoder) {
    try {
      return Class.forName(
          LOGSTASH + "argument.StructuredArgument", false, encoder.getClass().getClassLoader());
    } catch (ClassNotFoundException | LinkageError e) { // nobody can use it
      return null;
    }
  }

  @Override
  public boolean isCurrent() {
    return learned.get() != null && encoder.isStarted();
  }

  @Override
  public TextBuffer newLine() {
    return new LineTemplate.Line();
  }

  @Override
  protected void write(ILoggingEvent event, TextBuffer line) {
    Learned known = learned.get();
    if (known == null || !isPlain(event) || !writeBy(known, event, (LineTemplate.Line) line)) {
      line.clear();
      writeItself(event, line);
    }
  }

  private void writeItself(ILoggingEvent event, TextBuffer line) {
    byte[] bytes = encoder.encode(event);
    if (bytes != null) {
      line.literal(bytes);
    }
  }

  /** Whether an event has nothing but what samples have. */
  private boolean isPlain(ILoggingEvent event) {
    Instant instant = event.getInstant();
    return instant != null
        && event.getThrowableProxy() == null
        && isEmpty(event.getMarkerList())
        && isEmpty(event.getKeyValuePairs())
        && hasText(event.getFormattedMessage())
        && !hasStructured(event.getArgumentArray())
        && encoder.isStarted();
  }

  private static boolean isEmpty(@Nullable List<?> list) {
    return list == null || list.isEmpty();
  }

  /** GELF has another text for a blank one. */
  private static boolean hasText(@Nullable String text) {
    for (int i = 0; text != null && i < text.length(); i++) {
      if (!Character.isWhitespace(text.charAt(i))) {
        return true;
      }
    }
    return false;
  }

  private boolean hasStructured(Object @Nullable [] arguments) {
    if (arguments != null && structured != null) {
      for (Object argument : arguments) {
        if (structured.isInstance(argument)) {
          return true;
        }
      }
    }
    return false;
  }

  private boolean writeBy(Learned known, ILoggingEvent event, LineTemplate.Line line) {
    if (!known.isOf(loggers)) {
      LoggerContextVO context = contextOf(loggers);
      boolean mayChange = known.changes < MOST_CHANGES;
      Learned next = mayChange ? new Learned(context, known.changes + 1) : null;
      boolean unused = learned.compareAndSet(known, next); // else another thread was faster
      return false;
    }
    Level level = event.getLevel();
    int index = level == null ? LEVELS : level.levelInt / LEVEL_STEP;
    if (index < 0 || index >= LEVELS) { // ALL and OFF
      return false;
    }
    Map<String, String> mdc = Objects.requireNonNullElse(event.getMDCPropertyMap(), NO_MDC);
    ZoneId zone = isBoots ? line.time.systemZone(event) : null;
    LineTemplate template = known.templates.get(index);
    if (template == null) {
      template = learn(level);
      known.templates.set(index, template);
      if (template == null && encoder.isStarted()) {
        learned.set(null);
      }
    }
    while (template != null) {
      if (template.write(event, mdc, zone, line)) {
        return !template.isToCompare(event) || isAsWritten(known, template, event, line);
      }
      line.clear();
      template = line.unknown == null ? null : learn(known, index, template, line.unknown);
    }
    return false;
  }

  private @Nullable LineTemplate learn(
      Learned known, int index, LineTemplate template, String key) {
    if (!template.hasRoom()) {
      return null;
    }
    byte @Nullable [] line = sampleLine(template.sample(), Map.of(key, Sample.VALUE));
    boolean isHidden = isBoots && template.isLine(line); // it may warn, or refuse two of them
    LineTemplate more = template.with(key, isHidden ? null : line);
    String other = more.otherThan(key);
    if (other != null && !(writes(more, key, other) && writes(more, other, key))) {
      more = template.with(key, null);
    }
    known.templates.set(index, more);
    return more;
  }

  /** Whether the template writes two MDC keys in that order as the encoder does. */
  private boolean writes(LineTemplate template, String first, String second) {
    Map<String, String> mdc = new LinkedHashMap<>(Map.of(first, Sample.VALUE));
    mdc.put(second, "");
    LineTemplate.Line written = new LineTemplate.Line();
    Sample sample = template.sample();
    return template.write(sample.event(loggers, mdc), mdc, null, written)
        && Arrays.equals(written.toBytes(), sampleLine(sample, mdc));
  }

  /** The template of a level; null if none writes what the encoder does. */
  private @Nullable LineTemplate learn(Level level) {
    Sample plain = Sample.plain(level);
    Sample pair = Sample.pair(level);
    byte[] line = sampleLine(plain, NO_MDC);
    byte[] withPair = sampleLine(pair, NO_MDC);
    if (line == null || withPair == null) {
      return null;
    }
    boolean hasPairs = new String(withPair, UTF_8).contains(pair.message());
    Sample other = Sample.other(level, hasPairs);
    byte[] otherLine = sampleLine(other, NO_MDC);
    for (ZoneId zone : zones()) {
      for (EventTime.Form form : EventTime.Form.values()) {
        LineTemplate template =
            new LineTemplate(line, plain, new LineTemplate.Dialect(form, zone, hasPairs));
        LineTemplate.Line written = new LineTemplate.Line();
        if (template.hasTime()
            && template.write(other.event(loggers, NO_MDC), NO_MDC, null, written)
            && Arrays.equals(written.toBytes(), otherLine)) {
          return template;
        }
      }
    }
    return null;
  }

  private Set<ZoneId> zones() {
    Set<ZoneId> zones = new LinkedHashSet<>();
    try { // first: others may differ from it on a few days of the year only
      Object own = encoder.getClass().getMethod("getTimeZone").invoke(encoder);
      zones.add(TimeZone.getTimeZone(String.valueOf(own)).toZoneId());
    } catch (ReflectiveOperationException | RuntimeException e) {
      // Not every encoder has one.
    }
    zones.addAll(List.of(ZoneId.systemDefault(), ZoneOffset.UTC));
    return zones;
  }

  /** Null if the encoder refuses the sample. */
  private byte @Nullable [] sampleLine(Sample sample, Map<String, String> mdc) {
    try {
      return encoder.encode(sample.event(loggers, mdc));
    } catch (RuntimeException | Error e) { // for Boot, a key that the format has
      return null;
    }
  }

  private static @Nullable LoggerContextVO contextOf(@Nullable LoggerContext loggers) {
    return loggers == null ? null : loggers.getLoggerContextRemoteView();
  }

  /** Whether the encoder writes the same line; if not, nothing is written by templates any more. */
  private boolean isAsWritten(
      Learned known, LineTemplate template, ILoggingEvent event, TextBuffer line) {
    byte[] bytes = encoder.encode(event);
    boolean isSame =
        bytes != null && Arrays.equals(bytes, 0, bytes.length, line.bytes(), 0, line.length());
    if (isSame) {
      template.compared(event);
    } else if (known.isOf(loggers) && encoder.isStarted()) {
      learned.set(null);
    }
    return isSame;
  }
}
