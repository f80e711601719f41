package dev.forebay.tiered;

import ch.qos.logback.classic.encoder.JsonEncoder;
import ch.qos.logback.classic.encoder.PatternLayoutEncoder;
import ch.qos.logback.core.encoder.Encoder;
import ch.qos.logback.core.encoder.LayoutWrappingEncoder;
import ch.qos.logback.core.rolling.RollingPolicy;
import ch.qos.logback.core.rolling.RollingPolicyBase;
import ch.qos.logback.core.spi.LifeCycle;
import dev.forebay.ConfigFindings;
import dev.forebay.tiered.file.LogConfiguration;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** What an appender does with its encoder and policies when it starts, and knows of them. */
final class LogbackParts {

  private static final List<String> LIBRARIES =
      List.of(
          "net.logstash.logback.encoder.",
          "org.springframework.boot.logging.logback.",
          "co.elastic.logging.logback.");

  private LogbackParts() {}

  /** Starts the parts. Joran has; a program may not have, and stop() has stopped policies. */
  static void start(TieredAppender of, ConfigFindings findings) {
    start("rollingPolicy", of.rollingPolicy, findings);
    start("triggeringPolicy", of.triggeringPolicy, findings);
    start("encoder", of.getEncoder(), findings);
    if (of.getEncoder() == null) {
      findings.error("<encoder> is missing");
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

  /** Adds what is wrong with the configuration of the log. */
  static void check(TieredAppender of, ConfigFindings findings) {
    for (LogConfiguration.Problem problem :
        LogConfiguration.problems(
            of.rawFileProperty(),
            of.isAppend(),
            of.isPrudent(),
            of.rollingPolicy,
            of.triggeringPolicy,
            of.getContext())) {
      if (problem.isFatal()) {
        findings.error(problem.message());
      } else {
        findings.warn(problem.message());
      }
    }
  }

  /**
   * Identity of a log, the same across rolls and restarts: the file, otherwise the file name
   * pattern.
   */
  static Path identity(TieredAppender of) {
    String rawFile = of.rawFileProperty();
    String file = rawFile == null ? patternOf(of.rollingPolicy) : rawFile;
    try {
      return Path.of(file == null ? "" : file).toAbsolutePath();
    } catch (InvalidPathException e) {
      return Path.of(""); // LogConfiguration refuses it and reports why
    }
  }

  /** What names the archives of a policy; null if that is not known. */
  static @Nullable String patternOf(@Nullable RollingPolicy policy) {
    return policy instanceof RollingPolicyBase named ? named.getFileNamePattern() : null;
  }

  /**
   * Whether an encoder writes lines of text: Logback's, and other common ones by their package
   * names, or what extends one. Any other may write binary data.
   */
  static boolean writesText(Encoder<?> encoder) {
    boolean isKnown = encoder instanceof LayoutWrappingEncoder<?> || encoder instanceof JsonEncoder;
    for (Class<?> type = encoder.getClass();
        type != null && !isKnown;
        type = type.getSuperclass()) {
      isKnown = isOfLibrary(type);
    }
    return isKnown;
  }

  private static boolean isOfLibrary(Class<?> encoder) {
    for (String name : LIBRARIES) {
      if (encoder.getName().startsWith(name)) {
        return true;
      }
    }
    return false;
  }

  /**
   * Whether log calls may encode their own events. By default they may with encoders that are
   * known, not with what somebody else has made of them: these bear many threads at once, as under
   * Logback's own file appenders, and wait for nothing.
   *
   * @param configured what the user says of it; null if nothing
   */
  static boolean mayCallersEncode(Encoder<?> encoder, @Nullable Boolean configured) {
    Class<?> type = encoder.getClass();
    boolean isKnown =
        type == PatternLayoutEncoder.class || type == JsonEncoder.class || isOfLibrary(type);
    return (configured == null ? isKnown : configured) && !isStateful(encoder);
  }

  /** As {@code Encoder.isStateful()} of Logback 1.6 says; earlier encoders cannot say it. */
  private static boolean isStateful(Encoder<?> encoder) {
    try {
      return Boolean.TRUE.equals(Encoder.class.getMethod("isStateful").invoke(encoder));
    } catch (ReflectiveOperationException | RuntimeException e) {
      return false;
    }
  }
}
