package dev.forebay.boot;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.LoggerContext;
import ch.qos.logback.classic.encoder.PatternLayoutEncoder;
import ch.qos.logback.classic.filter.ThresholdFilter;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.Context;
import ch.qos.logback.core.encoder.Encoder;
import ch.qos.logback.core.rolling.SizeAndTimeBasedRollingPolicy;
import ch.qos.logback.core.rolling.TriggeringPolicy;
import ch.qos.logback.core.spi.ContextAware;
import ch.qos.logback.core.spi.LifeCycle;
import ch.qos.logback.core.spi.ScanException;
import ch.qos.logback.core.util.FileSize;
import ch.qos.logback.core.util.OptionHelper;
import dev.forebay.tiered.TieredAppender;
import java.nio.charset.Charset;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
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

  /** The faults of the properties; null if Boot has not configured the context. */
  private @Nullable List<String> problems;

  private boolean isPrepared;

  private volatile @Nullable FileAppender earlier;

  /** Boot's variables for XML alone, as in its {@code defaults.xml}. */
  private final Map<String, String> ofXml = new HashMap<>();

  /** The property that was read last and what it must be: named if a part cannot be made of it. */
  private String suspect = "";

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
      problems = ForebayProperties.apply(environment, this, this::addWarn);
    }
  }

  /**
   * {@code NAME=value} of one of Boot's variables, for the include.
   *
   * @hidden
   */
  public void addBootVariable(String assignment) {
    int end = assignment.indexOf('=');
    if (end < assignment.length() - 1) {
      ofXml.put(assignment.substring(0, end), assignment.substring(end + 1));
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

  /**
   * For Boot's defaults, after which Boot does not look for errors of the log.
   *
   * @param ending perhaps not yet done with the log
   */
  void startAfter(@Nullable FileAppender ending) {
    earlier = ending;
    awaitNoOpening();
    start();
  }

  @Override
  public void stop() {
    FileAppender ending = earlier;
    earlier = null;
    if (ending != null) { // only then the log is ours
      ending.stop();
    }
    super.stop();
  }

  /** Whether the appender may start; otherwise a status says why not. */
  private boolean prepare() {
    if (problems == null) {
      // Logback reads a logback.xml before Boot does, which then starts all over.
      addInfo("Appender [%s] waits for Spring Boot to configure Logback".formatted(getName()));
      return false;
    }
    String ofBoot = value("file.name", "LOG_FILE", "", "a path");
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
      String lowest = value("threshold.file", "FILE_LOG_THRESHOLD", "TRACE", "a level");
      Objects.requireNonNull(Level.toLevel(lowest, null), "Logback has no such level");
      if (!lowest.equalsIgnoreCase("TRACE")) {
        ThresholdFilter threshold = new ThresholdFilter();
        threshold.setLevel(lowest);
        addFilter(started(threshold));
      }
      if (getEncoder() == null) {
        setEncoder(newEncoder());
      }
      if (getRollingPolicy() == null && !hasTrigger) {
        setRollingPolicy(newPolicy());
      }
      return true;
    } catch (RuntimeException e) {
      addError(
          "Appender [%s]: a property of its file cannot be used: %s".formatted(getName(), suspect),
          e);
      return false;
    }
  }

  private Encoder<ILoggingEvent> newEncoder() {
    Charset charset =
        Charset.forName(
            value("charset.file", "FILE_LOG_CHARSET", "UTF-8", "a charset such as UTF-8"));
    String format =
        value(
            "structured.format.file",
            "FILE_LOG_STRUCTURED_FORMAT",
            "",
            "ecs, gelf, logstash or a class");
    if (!format.isEmpty()) {
      StructuredLogEncoder structured = new StructuredLogEncoder();
      structured.setCharset(charset);
      structured.setFormat(format);
      return started(structured);
    }
    PatternLayoutEncoder lines = new PatternLayoutEncoder();
    lines.setCharset(charset);
    String pattern =
        value(
            "pattern.file",
            "FILE_LOG_PATTERN",
            "",
            "a pattern; or write an <encoder> or include dev/forebay/boot/file-appender.xml after org/springframework/boot/logging/logback/defaults.xml");
    lines.setPattern(pattern.isBlank() ? "" : pattern);
    return started(lines);
  }

  /** A policy with Boot's own defaults. */
  private SizeAndTimeBasedRollingPolicy<ILoggingEvent> newPolicy() {
    SizeAndTimeBasedRollingPolicy<ILoggingEvent> policy = new SizeAndTimeBasedRollingPolicy<>();
    policy.setContext(getContext());
    policy.setParent(this);
    policy.setCleanHistoryOnStart(
        ForebayProperties.flag(rolling("clean-history-on-start", "false", "true or false")));
    policy.setMaxFileSize(
        FileSize.valueOf(rolling("max-file-size", "10MB", "a size such as 10MB")));
    policy.setTotalSizeCap(FileSize.valueOf(rolling("total-size-cap", "0", "a size such as 1GB")));
    policy.setMaxHistory(Integer.parseUnsignedInt(rolling("max-history", "7", "a whole number")));
    policy.setFileNamePattern(
        rolling(
            "file-name-pattern",
            rawFileProperty() + ".%d{yyyy-MM-dd}.%i.gz",
            "a path with %d and %i"));
    return started(policy);
  }

  private <T extends ContextAware & LifeCycle> T started(T part) {
    part.setContext(getContext());
    part.start();
    LifeCycle judge = part instanceof PatternLayoutEncoder lines ? lines.getLayout() : part;
    if (!judge.isStarted()) {
      throw new IllegalArgumentException("Logback refuses it");
    }
    return part;
  }

  private String rolling(String property, String otherwise, String write) {
    String variable =
        "LOGBACK_ROLLINGPOLICY_" + property.toUpperCase(Locale.ROOT).replace('-', '_');
    return value("logback.rollingpolicy." + property, variable, otherwise, write);
  }

  /**
   * What XML, the context, the system's properties or the environment say of a property of Boot, in
   * this order. It is at fault if the next step fails.
   */
  private String value(String property, String variable, String otherwise, String write) {
    String found = ofXml.get(variable);
    String value =
        found == null ? OptionHelper.propertyLookup(variable, getContext(), null) : found;
    value = value == null ? otherwise : value;
    suspect = "logging." + property + " is \"" + value + "\": must be " + write;
    try {
      return OptionHelper.substVars(value, getContext());
    } catch (ScanException e) {
      throw new IllegalArgumentException(e);
    }
  }
}
