package dev.forebay.tiered;

import ch.qos.logback.core.encoder.Encoder;
import ch.qos.logback.core.rolling.RollingPolicy;
import ch.qos.logback.core.rolling.RollingPolicyBase;
import ch.qos.logback.core.rolling.TriggeringPolicy;
import ch.qos.logback.core.spi.LifeCycle;
import dev.forebay.ConfigFindings;
import dev.forebay.tiered.file.LogConfiguration;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import org.jspecify.annotations.Nullable;

/** What an appender does with its encoder and policies when it starts. */
final class LogbackParts {

  private LogbackParts() {}

  /** Starts the parts. Joran has; a program may not have, and stop() has stopped policies. */
  static void start(
      @Nullable RollingPolicy rolling,
      @Nullable TriggeringPolicy<?> triggering,
      @Nullable Encoder<?> encoder,
      ConfigFindings findings) {
    start("rollingPolicy", rolling, findings);
    start("triggeringPolicy", triggering, findings);
    start("encoder", encoder, findings);
    if (encoder == null) {
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

  /** Adds what is wrong with the configuration of a log. */
  static void report(Iterable<LogConfiguration.Problem> problems, ConfigFindings findings) {
    for (LogConfiguration.Problem problem : problems) {
      if (problem.severity() == LogConfiguration.Severity.UNUSABLE) {
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
  static Path identity(@Nullable String rawFile, @Nullable RollingPolicy policy) {
    String file = rawFile;
    if (file == null && policy instanceof RollingPolicyBase named) {
      file = named.getFileNamePattern();
    }
    try {
      return Path.of(file == null ? "" : file).toAbsolutePath();
    } catch (InvalidPathException e) {
      return Path.of(""); // LogConfiguration refuses it and reports why
    }
  }
}
