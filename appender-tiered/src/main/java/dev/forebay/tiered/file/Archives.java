package dev.forebay.tiered.file;

import ch.qos.logback.core.rolling.FixedWindowRollingPolicy;
import ch.qos.logback.core.rolling.RollingPolicy;
import ch.qos.logback.core.rolling.RollingPolicyBase;
import ch.qos.logback.core.rolling.SizeAndTimeBasedRollingPolicy;
import ch.qos.logback.core.rolling.TimeBasedRollingPolicy;
import ch.qos.logback.core.rolling.helper.CompressionMode;
import ch.qos.logback.core.rolling.helper.FileNamePattern;
import java.io.IOException;
import java.util.List;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * The names and compression of a rolling policy's archives. Known for policies that extend
 * Logback's base class, once they are started. For the shipper's thread.
 */
final class Archives {
  private final @Nullable RollingPolicyBase policy;
  private final FailureStreak failures;

  /**
   * Creates the archives of a policy.
   *
   * @param policy null if the log is never rolled
   */
  Archives(@Nullable RollingPolicy policy, Consumer<String> warnings) {
    this.policy = policy instanceof RollingPolicyBase known ? known : null;
    this.failures = new FailureStreak(warnings);
  }

  /** Their file name pattern; null if there are none or it is unknown. */
  @Nullable String pattern() {
    return policy == null ? null : policy.getFileNamePattern();
  }

  /** Whether a path matches the pattern, whatever the ending for a compression. */
  boolean has(String path) {
    String pattern = pattern();
    if (policy == null || pattern == null) {
      return false;
    }
    try {
      String absolute = LogPath.absolute(pattern).toString();
      FileNamePattern any = new FileNamePattern(plain(absolute), policy.getContext());
      return plain(path).matches(any.toRegex());
    } catch (IOException | RuntimeException e) {
      return false;
    }
  }

  private static String plain(String name) {
    return name.replaceFirst("\\.(gz|zip|xz)$", "");
  }

  /**
   * The name of the archive that the policy will create from the active file; null if unknown. To
   * be called when a roll is due.
   */
  @Nullable String next() {
    String pattern = pattern();
    if (policy == null || pattern == null) {
      return null;
    }
    try {
      String name = nextOf(policy, pattern);
      failures.succeeded();
      return name;
    } catch (RuntimeException e) {
      failures.failed(policy.getClass().getName() + " cannot name the next archive: " + e);
      return null;
    }
  }

  /** The policy names the elapsed period without the ending. */
  private @Nullable String nextOf(RollingPolicyBase policy, String pattern) {
    if (policy instanceof TimeBasedRollingPolicy<?> timed) {
      String elapsed =
          timed.getTimeBasedFileNamingAndTriggeringPolicy().getElapsedPeriodsFileName();
      String ending = areCompressed() ? pattern.substring(pattern.lastIndexOf('.')) : "";
      return elapsed == null ? null : elapsed + ending;
    }
    return policy instanceof FixedWindowRollingPolicy window
        ? new FileNamePattern(pattern, window.getContext()).convertInt(window.getMinIndex())
        : null;
  }

  /**
   * Where the policy may put the file before compressing it, as time-based policies of Logback 1.6
   * do.
   *
   * @param next the result of {@link #next}
   */
  String unpacked(String next) {
    return areCompressed() && !makesRoom() ? next.substring(0, next.lastIndexOf('.')) : next;
  }

  /** Whether the policy moves away an existing file of the next name. */
  boolean makesRoom() {
    return policy instanceof FixedWindowRollingPolicy;
  }

  /**
   * Whether we pack them: the policy is one of Logback's own. A user's may do more with the file
   * than pack it.
   */
  boolean arePackedHere() {
    return policy != null
        && areCompressed()
        && List.of(
                TimeBasedRollingPolicy.class,
                SizeAndTimeBasedRollingPolicy.class,
                FixedWindowRollingPolicy.class)
            .contains(policy.getClass());
  }

  boolean areCompressed() {
    return policy != null && policy.getCompressionMode() != CompressionMode.NONE;
  }
}
