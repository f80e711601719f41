package dev.forebay.boot;

import ch.qos.logback.classic.LoggerContext;
import ch.qos.logback.classic.encoder.PatternLayoutEncoder;
import ch.qos.logback.classic.filter.ThresholdFilter;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.encoder.Encoder;
import ch.qos.logback.core.rolling.SizeAndTimeBasedRollingPolicy;
import ch.qos.logback.core.spi.ScanException;
import ch.qos.logback.core.util.FileSize;
import ch.qos.logback.core.util.OptionHelper;
import dev.forebay.tiered.TieredAppender;
import java.nio.charset.Charset;
import java.nio.charset.StandardCharsets;
import java.util.List;
import org.springframework.boot.logging.logback.StructuredLogEncoder;
import org.springframework.core.env.ConfigurableEnvironment;

/**
 * A {@link TieredAppender} that takes what its configuration does not say from the application's
 * properties: {@code logging.file}, {@code logging.pattern}, {@code logging.charset}, {@code
 * logging.threshold}, {@code logging.structured} and {@code logging.logback.rollingpolicy} as
 * Boot's own file appender, and {@code forebay} for all properties of this one. In XML it stands
 * after Boot's {@code defaults.xml}. Threads as for {@link TieredAppender}.
 */
public final class FileAppender extends TieredAppender {

  private boolean isPrepared;

  public FileAppender() {}

  @Override
  public synchronized void start() {
    if (isPrepared || prepare()) {
      isPrepared = true;
      super.start();
    }
  }

  /** Whether it may start; otherwise a status says why not. */
  private boolean prepare() {
    ConfigurableEnvironment environment =
        getContext() instanceof LoggerContext logback ? KeptEnvironment.of(logback) : null;
    if (environment == null) {
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
    List<String> problems = new ForebayProperties(environment, this::addWarn).applyTo(this);
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
      if (getRollingPolicy() == null) {
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
    Charset charset = charset(value("${FILE_LOG_CHARSET:-}"));
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

  private static Charset charset(String name) {
    try {
      return name.isEmpty() ? StandardCharsets.UTF_8 : Charset.forName(name);
    } catch (IllegalArgumentException e) {
      throw new IllegalArgumentException(
          "logging.charset.file is \"%s\": must be a charset such as UTF-8".formatted(name), e);
    }
  }

  private static int days(String number) {
    try {
      return Integer.parseInt(number);
    } catch (NumberFormatException e) {
      throw new IllegalArgumentException(
          "logging.logback.rollingpolicy.max-history is \"%s\": must be a whole number"
              .formatted(number),
          e);
    }
  }

  /** Defaults as of Boot's own. */
  private SizeAndTimeBasedRollingPolicy<ILoggingEvent> newPolicy() {
    SizeAndTimeBasedRollingPolicy<ILoggingEvent> policy = new SizeAndTimeBasedRollingPolicy<>();
    policy.setContext(getContext());
    policy.setParent(this);
    String names = "${LOGBACK_ROLLINGPOLICY_FILE_NAME_PATTERN:-" + rawFileProperty();
    policy.setFileNamePattern(value(names + ".%d{yyyy-MM-dd}.%i.gz}"));
    policy.setCleanHistoryOnStart(
        Boolean.parseBoolean(value("${LOGBACK_ROLLINGPOLICY_CLEAN_HISTORY_ON_START:-false}")));
    policy.setMaxFileSize(FileSize.valueOf(value("${LOGBACK_ROLLINGPOLICY_MAX_FILE_SIZE:-10MB}")));
    policy.setTotalSizeCap(FileSize.valueOf(value("${LOGBACK_ROLLINGPOLICY_TOTAL_SIZE_CAP:-0}")));
    policy.setMaxHistory(days(value("${LOGBACK_ROLLINGPOLICY_MAX_HISTORY:-7}")));
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
