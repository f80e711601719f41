package dev.forebay.tiered.file;

import ch.qos.logback.core.Context;
import ch.qos.logback.core.rolling.RollingPolicy;
import ch.qos.logback.core.rolling.RollingPolicyBase;
import ch.qos.logback.core.rolling.TriggeringPolicy;
import ch.qos.logback.core.rolling.helper.FileNamePattern;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.PatternSyntaxException;
import org.jspecify.annotations.Nullable;

/**
 * Checks a configured log file and its policies. Accesses no file and changes nothing, so that any
 * thread can call it before anything is started.
 */
public final class LogConfiguration {

  /** The consequence of a problem. */
  public enum Severity {
    /** Nothing can be written; the appender must not start. */
    UNUSABLE,
    /** The appender works, but not exactly as configured. */
    ADVICE
  }

  /**
   * One problem.
   *
   * @param severity whether the appender can start
   * @param message for the user, naming the element and the value
   */
  public record Problem(Severity severity, String message) {}

  private LogConfiguration() {}

  /**
   * All problems of a configuration; empty if there are none.
   *
   * @param context for parsing the file name pattern
   */
  public static List<Problem> problems(
      @Nullable String file,
      boolean append,
      boolean prudent,
      @Nullable RollingPolicy rolling,
      @Nullable TriggeringPolicy<?> triggering,
      Context context) {
    List<Problem> problems = new ArrayList<>();
    if (prudent) {
      problems.add(
          unusable(
              "<prudent>true</prudent> is not supported: remove it; if several processes share a"
                  + " <file>, one writes to it and the others spool until it stops"));
    }
    if (file != null && file.isBlank()) {
      problems.add(unusable("<file> is empty"));
    } else if (file == null && rolling == null) {
      problems.add(unusable("<file> is missing, and there is no <rollingPolicy> that names one"));
    }
    addPathProblem(problems, "file", file);
    addPathProblem(problems, "fileNamePattern", rolling == null ? null : fileNamePattern(rolling));
    if (rolling != null && triggering == null) {
      problems.add(
          unusable(
              "<rollingPolicy> of "
                  + rolling.getClass().getName()
                  + " needs a <triggeringPolicy> next to it"));
    }
    if (rolling == null && triggering != null) {
      problems.add(
          unusable(
              "<triggeringPolicy> of "
                  + triggering.getClass().getName()
                  + " needs a <rollingPolicy> next to it"));
    }
    if (rolling != null) {
      addRollingProblems(problems, file, append, rolling, triggering, context);
    }
    return problems;
  }

  /** A non-ASCII name is not a valid path if the JVM was started with {@code LC_ALL=C}. */
  private static void addPathProblem(
      List<Problem> problems, String element, @Nullable String value) {
    try {
      var unused = Path.of(value == null ? "" : value);
    } catch (InvalidPathException e) {
      problems.add(
          unusable("<%s> is \"%s\": must be a path; %s".formatted(element, value, e.getReason())));
    }
  }

  private static void addRollingProblems(
      List<Problem> problems,
      @Nullable String file,
      boolean append,
      RollingPolicy rolling,
      @Nullable TriggeringPolicy<?> triggering,
      Context context) {
    if (!rolling.isStarted()) {
      problems.add(unusable(notStarted("<rollingPolicy>", rolling)));
    }
    if (triggering != null && triggering != rolling && !triggering.isStarted()) {
      problems.add(unusable(notStarted("<triggeringPolicy>", triggering)));
    }
    if (!append) {
      problems.add(
          new Problem(
              Severity.ADVICE,
              "<append>false</append> has no meaning with a <rollingPolicy>: existing files are"
                  + " appended to"));
    }
    String collision = file == null ? null : collision(file, rolling, context);
    if (collision != null) {
      // A fixed window has a separate trigger. Logback accepts such a collision, so it is only
      // advice: an existing configuration must still start.
      problems.add(
          new Problem(triggering == rolling ? Severity.UNUSABLE : Severity.ADVICE, collision));
    }
  }

  /** Why an archive could take the name of the active file; null if none can. */
  private static @Nullable String collision(String file, RollingPolicy rolling, Context context) {
    String pattern = fileNamePattern(rolling);
    try {
      if (pattern == null || !file.matches(new FileNamePattern(pattern, context).toRegex())) {
        return null;
      }
    } catch (PatternSyntaxException e) {
      return null; // Logback does not quote a bracket in a name
    }
    return "<file> "
        + file
        + " matches <fileNamePattern> "
        + pattern
        + ": an archive could replace it";
  }

  /** The file name pattern of a policy's archives; null if unknown. */
  private static @Nullable String fileNamePattern(RollingPolicy rolling) {
    return rolling instanceof RollingPolicyBase named ? named.getFileNamePattern() : null;
  }

  private static Problem unusable(String message) {
    return new Problem(Severity.UNUSABLE, message);
  }

  private static String notStarted(String element, Object policy) {
    return element
        + " of "
        + policy.getClass().getName()
        + " did not start; the status messages before this one say why";
  }
}
