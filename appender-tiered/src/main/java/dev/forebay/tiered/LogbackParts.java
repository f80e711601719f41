package dev.forebay.tiered;

import static java.nio.charset.StandardCharsets.UTF_8;

import ch.qos.logback.classic.encoder.JsonEncoder;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.FileAppender;
import ch.qos.logback.core.Layout;
import ch.qos.logback.core.encoder.Encoder;
import ch.qos.logback.core.encoder.LayoutWrappingEncoder;
import ch.qos.logback.core.filter.Filter;
import ch.qos.logback.core.layout.EchoLayout;
import ch.qos.logback.core.pattern.PatternLayoutBase;
import ch.qos.logback.core.rolling.RollingPolicy;
import ch.qos.logback.core.rolling.RollingPolicyBase;
import ch.qos.logback.core.rolling.TriggeringPolicy;
import ch.qos.logback.core.spi.LifeCycle;
import dev.forebay.ConfigFindings;
import dev.forebay.pipeline.CallerWords;
import dev.forebay.tiered.encode.LineEncoder;
import dev.forebay.tiered.file.RollingLog;
import dev.forebay.tiered.ship.Target;
import java.lang.reflect.Field;
import java.nio.charset.Charset;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;
import java.util.function.Supplier;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * An appender's encoder and policies: starts and checks them, and finds out their properties. For
 * the configuring and starting thread.
 */
final class LogbackParts {

  /** Package of access patterns, to which Logback adds a missing line end. */
  private static final String ACCESS = "ch.qos.logback.access.";

  /** A pattern with nothing after its line end but stack traces, which end with one too. */
  private static final Pattern LINE =
      Pattern.compile(
          "(?s).*((?<!\\\\)%n|\n)(%[-.\\d]*(r?[eE]x|(root)?[eE]xception|x(Ex|Exception|Throwable)|throwable|nopex(ception)?|w[eE]x)(\\{[^{}]*})*)*");

  /** Smaller archives make no sense. */
  private static final long LEAST_FILE_BYTES = 1024;

  static final byte[] NOTHING = {};

  /** What they are of; its file, its encoder and its filters are asked for. */
  final FileAppender<ILoggingEvent> appender;

  private final TieredOptions options;

  @Nullable RollingPolicy rollingPolicy;
  @Nullable TriggeringPolicy<ILoggingEvent> triggeringPolicy;

  /** Of the encoder at the newest start. */
  CallerWords words = CallerWords.of(null);

  LogbackParts(FileAppender<ILoggingEvent> appender, TieredOptions options) {
    this.appender = appender;
    this.options = options;
  }

  /** Starts the parts. Joran has; a program may not have, and stop() has stopped policies. */
  void start(ConfigFindings findings) {
    start("rollingPolicy", rollingPolicy, findings);
    start("triggeringPolicy", triggeringPolicy, findings);
    if (appender.getEncoder() == null && options.destination != null) {
      appender.setEncoder(options.destination.encoder());
    }
    start("encoder", appender.getEncoder(), findings);
    if (appender.getEncoder() == null) {
      findings.error(
          "<encoder> is missing: write <encoder><pattern>%d %-5level [%t] %logger - %msg%n</pattern></encoder>");
    }
    words = CallerWords.of(appender.getEncoder());
    if (options.destination != null) { // a filter that accepts ends the chain
      Filter<ILoggingEvent> first = options.destination.ownLog();
      List<Filter<ILoggingEvent>> users = appender.getCopyOfAttachedFiltersList();
      appender.clearAllFilters();
      appender.addFilter(first);
      users.stream().filter(user -> user != first).forEach(appender::addFilter);
    }
  }

  private static void start(String element, @Nullable LifeCycle part, ConfigFindings findings) {
    if (part != null && !part.isStarted()) {
      try {
        part.start();
      } catch (RuntimeException | LinkageError e) { // a refusal, or a library that does not fit
        findings.error("<%s> cannot be started: %s".formatted(element, e.getMessage()));
      }
    }
  }

  /** Adds what is wrong with the configuration of the log. Accesses no file. */
  void check(ConfigFindings findings) {
    String file = file();
    boolean hasTarget = options.target != null;
    RollingPolicy rolling = rollingPolicy;
    TriggeringPolicy<?> triggering = triggeringPolicy;
    if (appender.isPrudent()) {
      findings.error(
          "<prudent>true</prudent> is not supported: remove it; if several processes share a <file>, one writes to it and the others spool until it stops");
    }
    if (options.destination != null && (hasTarget || file != null || rolling != null)) {
      findings.error(
          "<destination> and <%s> exclude each other: remove one of them, or write a second appender"
              .formatted(hasTarget ? "target" : file == null ? "rollingPolicy" : "file"));
    } else if (hasTarget && (file != null || rolling != null)) {
      findings.error(
          "<target> and <%s> exclude each other: remove one of them"
              .formatted(file == null ? "rollingPolicy" : "file"));
    }
    if (file != null && file.isBlank()) {
      findings.error("<file> is empty");
    } else if (file == null && rolling == null && target() == null && !hasTarget) {
      findings.error("<file> is missing, and there is no <rollingPolicy> that names one");
    }
    var unused = TieredOptions.path("file", file, findings);
    unused = TieredOptions.path("fileNamePattern", pattern(), findings);
    checkPolicy("rollingPolicy", rolling, "triggeringPolicy", triggering, findings);
    if (triggering != rolling) {
      checkPolicy("triggeringPolicy", triggering, "rollingPolicy", rolling, findings);
    }
    long bytes = triggering == null ? LEAST_FILE_BYTES : RollingLog.limitOf(triggering);
    if (bytes >= 0 && bytes < LEAST_FILE_BYTES) {
      findings.warn(
          "<maxFileSize> is %1$d bytes, and so is each archive: a number alone is bytes; %1$dMB may be meant"
              .formatted(bytes));
    }
    if (rolling != null && !appender.isAppend()) {
      findings.warn(
          "<append>false</append> has no meaning with a <rollingPolicy>: existing files are appended to");
    }
    if (file != null && mayBeAnArchive(file)) {
      String text =
          "<file> %s matches <fileNamePattern> %s: an archive could replace it"
              .formatted(file, pattern());
      // Logback accepts this for a fixed window: an existing configuration must still start.
      if (triggering == rolling) {
        findings.error(text);
      } else {
        findings.warn(text);
      }
    }
  }

  private static void checkPolicy(
      String element,
      @Nullable LifeCycle policy,
      String other,
      @Nullable LifeCycle needed,
      ConfigFindings findings) {
    String name = policy == null ? "" : policy.getClass().getName();
    if (policy != null && needed == null) {
      findings.error("<%s> of %s needs a <%s> next to it".formatted(element, name, other));
    }
    if (policy != null && !policy.isStarted()) {
      findings.error(
          "<%s> of %s did not start; the status messages before this one say why"
              .formatted(element, name));
    }
  }

  private boolean mayBeAnArchive(String file) {
    String pattern = pattern();
    return pattern != null && RollingLog.isArchive(file, pattern, appender.getContext());
  }

  /** The active file as configured; null if the policy names it, or there is none. */
  @Nullable String file() {
    return appender.rawFileProperty();
  }

  /** The target that is not a file; null for files. */
  @Nullable Target target() {
    return options.target(file() != null || rollingPolicy != null);
  }

  /**
   * Identity of a log, the same across rolls and restarts: the file, otherwise the file name
   * pattern.
   */
  Path identity() {
    Target target = target();
    String configured = file();
    String file = configured == null ? pattern() : configured;
    try {
      if (target != null) {
        return Path.of(target.name()); // relative, as no file is
      }
      return Path.of(file == null ? "" : file).toAbsolutePath();
    } catch (InvalidPathException e) {
      // Windows knows no colon in a name; what else is refused, check says why.
      return Path.of(target == null ? "" : target.name().replace(':', '_'));
    }
  }

  /** The pattern of the archives' names; null if unknown. */
  @Nullable String pattern() {
    return patternOf(rollingPolicy);
  }

  /** The pattern of a policy's archive names; null if unknown. */
  static @Nullable String patternOf(@Nullable RollingPolicy policy) {
    return policy instanceof RollingPolicyBase named ? named.getFileNamePattern() : null;
  }

  byte[] header() {
    return bytesOf(appender.getEncoder().headerBytes());
  }

  byte[] footer() {
    return bytesOf(appender.getEncoder().footerBytes());
  }

  private static byte[] bytesOf(byte @Nullable [] bytes) {
    return bytes == null ? NOTHING : bytes.clone();
  }

  /**
   * The line end that an encoder, or the one that it adapts and supplies, is known to end each
   * event with, in its character set; nothing if that is not known.
   */
  static byte[] lineEnd(Encoder<?> encoder) {
    return lineEnd(encoder, CallerWords.of(encoder).foreign());
  }

  /** As {@link #lineEnd}, with the parts of the encoder that are foreign. */
  static byte[] lineEnd(Encoder<?> encoder, List<String> foreign) {
    if (encoder instanceof Supplier<?> adapter && adapter.get() instanceof Encoder<?> adapted) {
      return lineEnd(adapted);
    }
    if (encoder instanceof LayoutWrappingEncoder<?> text) {
      Charset charset = text.getCharset() == null ? Charset.defaultCharset() : text.getCharset();
      boolean isKnown =
          isOfLogback(encoder, "encode")
              && endsLines(text.getLayout())
              && (foreign.isEmpty() // which needs no lambda
                  || foreign.stream().noneMatch(word -> LINE.matcher("\n" + word).matches()));
      return isKnown ? encoded(System.lineSeparator(), charset) : NOTHING;
    }
    if (encoder instanceof LineEncoder) {
      return encoded("\n", UTF_8);
    }
    Class<?> writer = writerOf(encoder, "encode");
    boolean isKnown = // Boot's ends with what its formatter ends with
        writer == JsonEncoder.class
            || (CallerEncoding.isOfLibrary(writer)
                && (foreign.isEmpty() || !writer.getName().startsWith(CallerEncoding.BOOT)));
    Object end = // of logstash's
        CallerEncoding.answer(encoder.getClass(), "getLineSeparator", encoder, "\n");
    if (!isKnown || end == null) {
      return NOTHING;
    }
    Object charset =
        CallerEncoding.answer(encoder.getClass(), "getEncoding", encoder, charsetField(encoder));
    return encoded(end.toString(), Charset.forName(String.valueOf(charset)));
  }

  /** Boot's encoder has no getter for it. */
  private static Object charsetField(Encoder<?> encoder) {
    try {
      Field field = encoder.getClass().getDeclaredField("charset");
      field.setAccessible(true);
      return Objects.requireNonNullElse(field.get(encoder), UTF_8);
    } catch (ReflectiveOperationException | RuntimeException e) {
      return UTF_8;
    }
  }

  private static boolean endsLines(@Nullable Layout<?> layout) {
    if (!(layout instanceof PatternLayoutBase<?> patterned)) {
      return layout instanceof EchoLayout;
    }
    if (!isOfLogback(layout, "doLayout")) {
      return false;
    }
    String pattern = patterned.getPattern();
    return patterned.getClass().getName().startsWith(ACCESS)
        || (pattern != null && LINE.matcher(pattern).matches());
  }

  /** Without the mark of the byte order that some character sets begin with. */
  private static byte[] encoded(String end, Charset charset) {
    byte[] before = "x".getBytes(charset);
    byte[] all = ("x" + end).getBytes(charset);
    return Arrays.copyOfRange(all, before.length, all.length);
  }

  private static boolean isOfLogback(Object part, String method) {
    return writerOf(part, method).getName().startsWith("ch.qos.logback.");
  }

  /** The class that declares the method: a superclass of the part, perhaps a library's. */
  private static Class<?> writerOf(Object part, String method) {
    try {
      return part.getClass().getMethod(method, Object.class).getDeclaringClass();
    } catch (NoSuchMethodException e) {
      return part.getClass();
    }
  }
}
