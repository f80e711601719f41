package dev.forebay.boot;

import ch.qos.logback.classic.LoggerContext;
import ch.qos.logback.classic.encoder.PatternLayoutEncoder;
import ch.qos.logback.classic.filter.ThresholdFilter;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.Context;
import ch.qos.logback.core.encoder.Encoder;
import ch.qos.logback.core.rolling.SizeAndTimeBasedRollingPolicy;
import ch.qos.logback.core.rolling.TriggeringPolicy;
import ch.qos.logback.core.spi.ScanException;
import ch.qos.logback.core.util.FileSize;
import ch.qos.logback.core.util.OptionHelper;
import dev.forebay.tiered.TieredAppender;
import java.nio.charset.Charset;
import java.util.List;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;
import org.springframework.boot.logging.logback.StructuredLogEncoder;
import org.springframework.core.env.ConfigurableEnvironment;

/**
 * A {@link TieredAppender} that takes whatever its configuration omits from the application's
 * properties: {@code logging.file}, {@code logging.pattern}, {@code logging.charset}, {@code
 * logging.threshold}, {@code logging.structured} and {@code logging.logback.rollingpolicy} as
 * Boot's own file appender, and {@code forebay} for all properties of this one. In XML it stands
 * after Boot's {@code defaults.xml}. It does not start if a property cannot be used; an ERROR
 * status names the property and what to write. Threads as for {@link TieredAppender}.
 */
public final class FileAppender extends TieredAppender {

  /** What is wrong with the properties; null if Boot has not configured the context. */
  private @Nullable List<String> problems;

  private boolean isPrepared;

  /**
   * With or without the rolling policy that it needs: a start refuses it, no default replaces it.
   */
  private boolean hasTrigger;

  /** With default settings. */
  public FileAppender() {}

  /** Also applies the properties: elements of the configuration, which are set later, win. */
  @Override
  public void setContext(Context context) {
    super.setContext(context);
    ConfigurableEnvironment environment =
        context instanceof LoggerContext logback ? KeptEnvironment.of(logback) : null;
    if (environment != null) {
      problems = new ForebayProperties(environment, this::addWarn).applyTo(this);
    }
  }

  @Override
  public void setTriggeringPolicy(TriggeringPolicy<ILoggingEvent> policy) {
    hasTrigger = true;
    super.setTriggeringPolicy(policy);
  }

  @Override
  public synchronized void start() {
    if (isPrepared || prepare()) {
      isPrepared = true;
      super.start();
    }
  }

  /** For Boot's defaults, after which nobody looks for errors of the log. */
  void startAtOnce() {
    awaitNoOpening();
    start();
  }

  /** Whether it may start; otherwise a status says why not. */
  private boolean prepare() {
    if (problems == null) {
      // Logback reads a logback.xml before Boot does, which then starts all over.
      addInfo("Appender [%s] waits for Spring Boot to configure Logback".formatted(getName()));
      return false;
    }
    String ofBoot = value("${LOG_FILE:-}");
    String file = rawFileProperty();
    if (file == null && ofBoot.isEmpty()) {
      addError(
          "Appender [%s] has no file: set logging.file.name or logging.file.path"
              .formatted(getName()));
      return false;
    }
    if (file == null) {
      setFile(ofBoot);
    } else if (!ofBoot.isEmpty() && !file.equals(ofBoot)) {
      addWarn(
          "Appender [%s] writes to its <file> %s, not to %s, which logging.file names and the endpoint \"logfile\" shows: remove one of the two"
              .formatted(getName(), file, ofBoot));
    }
    problems.forEach(this::addError);
    return problems.isEmpty() && hasParts();
  }

  private boolean hasParts() {
    try {
      String lowest = value("${FILE_LOG_THRESHOLD:-TRACE}");
      if (!lowest.equalsIgnoreCase("TRACE")) {
        ThresholdFilter threshold = new ThresholdFilter();
        threshold.setContext(getContext());
        threshold.setLevel(lowest);
        threshold.start();
        addFilter(threshold);
      }
      if (getEncoder() == null) {
        setEncoder(newEncoder());
      }
      if (getRollingPolicy() == null && !hasTrigger) {
        setRollingPolicy(newPolicy());
      }
      return true;
    } catch (IllegalArgumentException e) { // a charset, number or format that is none
      addError(
          "Appender [%s]: a property of its file cannot be used: %s"
              .formatted(getName(), e.getMessage()),
          e);
      return false;
    }
  }

  private Encoder<ILoggingEvent> newEncoder() {
    Charset charset =
        value(
            "charset.file",
            "${FILE_LOG_CHARSET:-UTF-8}",
            Charset::forName,
            "a charset such as UTF-8");
    String format = value("${FILE_LOG_STRUCTURED_FORMAT:-}");
    Encoder<ILoggingEvent> encoder;
    if (format.isEmpty()) {
      String pattern = value("${FILE_LOG_PATTERN:-}");
      if (pattern.isEmpty()) {
        throw new IllegalArgumentException(
            "there is no FILE_LOG_PATTERN: set logging.pattern.file, write an <encoder> or include dev/forebay/boot/file-appender.xml after org/springframework/boot/logging/logback/defaults.xml");
      }
      PatternLayoutEncoder lines = new PatternLayoutEncoder();
      lines.setCharset(charset);
      lines.setPattern(pattern);
      encoder = lines;
    } else {
      StructuredLogEncoder structured = new StructuredLogEncoder();
      structured.setCharset(charset);
      structured.setFormat(format);
      encoder = structured;
    }
    encoder.setContext(getContext());
    encoder.start();
    return encoder;
  }

  /** The value of a property in its own type. */
  private <T> T value(String name, String variable, Function<String, T> type, String write) {
    String value = value(variable);
    try {
      return type.apply(value);
    } catch (IllegalArgumentException e) {
      throw new IllegalArgumentException(
          "logging.%s is \"%s\": must be %s".formatted(name, value, write), e);
    }
  }

  /** Defaults as of Boot's own. */
  private SizeAndTimeBasedRollingPolicy<ILoggingEvent> newPolicy() {
    SizeAndTimeBasedRollingPolicy<ILoggingEvent> policy = new SizeAndTimeBasedRollingPolicy<>();
    policy.setContext(getContext());
    policy.setParent(this);
    String names = value("${LOGBACK_ROLLINGPOLICY_FILE_NAME_PATTERN:-}");
    policy.setFileNamePattern(
        names.isEmpty() ? rawFileProperty() + ".%d{yyyy-MM-dd}.%i.gz" : names);
    policy.setCleanHistoryOnStart(
        Boolean.parseBoolean(value("${LOGBACK_ROLLINGPOLICY_CLEAN_HISTORY_ON_START:-false}")));
    policy.setMaxFileSize(FileSize.valueOf(value("${LOGBACK_ROLLINGPOLICY_MAX_FILE_SIZE:-10MB}")));
    policy.setTotalSizeCap(FileSize.valueOf(value("${LOGBACK_ROLLINGPOLICY_TOTAL_SIZE_CAP:-0}")));
    policy.setMaxHistory(
        value(
            "logback.rollingpolicy.max-history",
            "${LOGBACK_ROLLINGPOLICY_MAX_HISTORY:-7}",
            Integer::valueOf,
            "a whole number"));
    policy.start();
    return policy;
  }

  /** Boot puts its properties into the context, or into those of the system. */
  private String value(String text) {
    try {
      return OptionHelper.substVars(text, getContext());
    } catch (ScanException e) {
      throw new IllegalArgumentException(text + " cannot be resolved", e);
    }
  }
}
