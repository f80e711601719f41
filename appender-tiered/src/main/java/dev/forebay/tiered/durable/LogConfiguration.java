package dev.forebay.tiered.durable;

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
 * Says what is wrong with a configured log file and its policies. Touches no file and changes
 * nothing, so that it can be asked on any thread before anything is started.
 */
public final class LogConfiguration {

  /** What a problem means for the appender. */
  public enum Severity {
    /** Nothing can be written; the appender must not start. */
    UNUSABLE,
    /** The appender works, but not quite as the configuration reads. */
    ADVICE
  }

  /**
   * One thing that is wrong.
   *
   * @param severity whether the appender can start
   * @param message for the user, naming the element and the value
   */
  public record Problem(Severity severity, String message) {}

  private LogConfiguration() {}

  /**
   * All problems of a configuration, none if it is fine.
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
              "<prudent>true</prudent> is not supported: remove it; of several processes that share a"
                  + " <file> one writes to it, the others spool until it has gone"));
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
                  + " needs a <triggeringPolicy> beside it"));
    }
    if (rolling == null && triggering != null) {
      problems.add(
          unusable(
              "<triggeringPolicy> of "
                  + triggering.getClass().getName()
                  + " needs a <rollingPolicy> beside it"));
    }
    if (rolling != null) {
      addRollingProblems(problems, file, append, rolling, triggering, context);
    }
    return problems;
  }

  /** A name beyond ASCII is no path where the JVM was started with {@code LC_ALL=C}. */
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
      // A fixed window has its trigger apart. Logback lets such a collision pass, so it is no
      // reason to refuse a configuration that has been in use.
      problems.add(
          new Problem(triggering == rolling ? Severity.UNUSABLE : Severity.ADVICE, collision));
    }
  }

  /** Why an archive could take the name of the active file, or null when none can. */
  private static @Nullable String collision(String file, RollingPolicy rolling, Context context) {
    String pattern = fileNamePattern(rolling);
    try {
      if (pattern == null || !file.matches(new FileNamePattern(pattern, context).toRegex())) {
        return null;
      }
    } catch (PatternSyntaxException e) {
      return null; // Logback does not quote a bracket in a name
    }
    return "<file> " + file + " is a name that <fileNamePattern> " + pattern + " gives to archives";
  }

  /** The pattern that names a policy's archives, or null where that is unknown. */
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
