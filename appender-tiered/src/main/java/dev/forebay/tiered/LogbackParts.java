package dev.forebay.tiered;

import static java.nio.charset.StandardCharsets.UTF_8;

import ch.qos.logback.classic.encoder.JsonEncoder;
import ch.qos.logback.classic.spi.ILoggingEvent;
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

/** Starts and checks an appender's encoder and policies, and finds out their properties. */
final class LogbackParts {

  /** Package of access patterns, to which Logback adds a missing line end. */
  private static final String ACCESS = "ch.qos.logback.access.";

  /** A pattern with nothing after its line end but stack traces, which end with one too. */
  private static final Pattern LINE =
      Pattern.compile(
          "(?s).*((?<!\\\\)%n|\n)(%[-.\\d]*(r?[eE]x|(root)?[eE]xception|x(Ex|Exception|Throwable)|throwable|nopex(ception)?|w[eE]x)(\\{[^{}]*})*)*");

  /** Smaller archives make no sense. */
  private static final long LEAST_FILE_BYTES = 1024;

  private static final byte[] NOTHING = {};

  private LogbackParts() {}

  /** Starts the parts. Joran has; a program may not have, and stop() has stopped policies. */
  static void start(TieredAppender of, ConfigFindings findings) {
    start("rollingPolicy", of.rollingPolicy, findings);
    start("triggeringPolicy", of.triggeringPolicy, findings);
    start("encoder", of.getEncoder(), findings);
    if (of.getEncoder() == null) {
      findings.error(
          "<encoder> is missing: write <encoder><pattern>%d %-5level [%t] %logger - %msg%n</pattern></encoder>");
    }
    if (of.tieredOptions.destination != null) { // a filter that accepts ends the chain
      Filter<ILoggingEvent> first = of.tieredOptions.destination.ownLog();
      List<Filter<ILoggingEvent>> users = of.getCopyOfAttachedFiltersList();
      of.clearAllFilters();
      of.addFilter(first);
      users.stream().filter(user -> user != first).forEach(of::addFilter);
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
  static void check(TieredAppender of, ConfigFindings findings) {
    String file = of.rawFileProperty();
    boolean hasTarget = of.tieredOptions.target != null;
    RollingPolicy rolling = of.rollingPolicy;
    TriggeringPolicy<?> triggering = of.triggeringPolicy;
    if (of.isPrudent()) {
      findings.error(
          "<prudent>true</prudent> is not supported: remove it; if several processes share a <file>, one writes to it and the others spool until it stops");
    }
    if (of.tieredOptions.destination != null && (hasTarget || file != null || rolling != null)) {
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
    } else if (file == null && rolling == null && of.target() == null && !hasTarget) {
      findings.error("<file> is missing, and there is no <rollingPolicy> that names one");
    }
    var unused = TieredOptions.path("file", file, findings);
    unused = TieredOptions.path("fileNamePattern", patternOf(rolling), findings);
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
    if (rolling != null && !of.isAppend()) {
      findings.warn(
          "<append>false</append> has no meaning with a <rollingPolicy>: existing files are appended to");
    }
    if (file != null && mayBeAnArchive(file, of)) {
      String text =
          "<file> %s matches <fileNamePattern> %s: an archive could replace it"
              .formatted(file, patternOf(rolling));
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

  private static boolean mayBeAnArchive(String file, TieredAppender of) {
    String pattern = patternOf(of.rollingPolicy);
    return pattern != null && RollingLog.isArchive(file, pattern, of.getContext());
  }

  /**
   * Identity of a log, the same across rolls and restarts: the file, otherwise the file name
   * pattern.
   */
  static Path identity(TieredAppender of) {
    Target target = of.target();
    String rawFile = of.rawFileProperty();
    String file = rawFile == null ? patternOf(of.rollingPolicy) : rawFile;
    try {
      if (target != null) {
        return Path.of(target.name()); // relative, as no file is
      }
      return Path.of(file == null ? "" : file).toAbsolutePath();
    } catch (InvalidPathException e) {
      return Path.of(""); // check refuses it and says why
    }
  }

  /** The pattern of a policy's archive names; null if unknown. */
  static @Nullable String patternOf(@Nullable RollingPolicy policy) {
    return policy instanceof RollingPolicyBase named ? named.getFileNamePattern() : null;
  }

  /**
   * The line end that an encoder, or the one that it adapts and supplies, is known to end each
   * event with, in its character set; nothing if that is not known.
   */
  static byte[] lineEnd(Encoder<?> encoder) {
    if (encoder instanceof Supplier<?> adapter && adapter.get() instanceof Encoder<?> adapted) {
      return lineEnd(adapted);
    }
    List<String> foreign = CallerWords.of(encoder).foreign();
    if (encoder instanceof LayoutWrappingEncoder<?> text) {
      Charset charset = text.getCharset() == null ? Charset.defaultCharset() : text.getCharset();
      boolean isKnown =
          isOfLogback(encoder, "encode")
              && endsLines(text.getLayout())
              && (foreign.isEmpty() // which needs no lambda
                  || foreign.stream().noneMatch(word -> LINE.matcher("\n" + word).matches()));
      return isKnown ? encoded(System.lineSeparator(), charset) : NOTHING;
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
