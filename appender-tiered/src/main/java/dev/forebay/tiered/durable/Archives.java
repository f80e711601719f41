package dev.forebay.tiered.durable;

import ch.qos.logback.core.rolling.FixedWindowRollingPolicy;
import ch.qos.logback.core.rolling.RollingPolicy;
import ch.qos.logback.core.rolling.RollingPolicyBase;
import ch.qos.logback.core.rolling.TimeBasedRollingPolicy;
import ch.qos.logback.core.rolling.helper.CompressionMode;
import ch.qos.logback.core.rolling.helper.Compressor;
import ch.qos.logback.core.rolling.helper.FileNamePattern;
import java.io.IOException;
import java.nio.file.Path;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * What a rolling policy makes of the files that it moves away: their names, and their compression.
 * Known of policies that extend Logback's base class, which says nothing before it is started. For
 * the shipper's thread.
 */
final class Archives {
  private final @Nullable RollingPolicyBase policy;
  private final FailureStreak failures;

  /**
   * The archives of a policy.
   *
   * @param policy null where the log is never rolled
   */
  Archives(@Nullable RollingPolicy policy, Consumer<String> warnings) {
    this.policy = policy instanceof RollingPolicyBase known ? known : null;
    this.failures = new FailureStreak(warnings);
  }

  /** The pattern that names them, or null where there are none or it is unknown. */
  @Nullable String pattern() {
    return policy == null ? null : policy.getFileNamePattern();
  }

  /** Whether a path is one that the pattern gives. */
  boolean has(String path) {
    String pattern = pattern();
    if (policy == null || pattern == null) {
      return false;
    }
    try {
      String absolute = LogPath.absolute(pattern).toString();
      return path.matches(new FileNamePattern(absolute, policy.getContext()).toRegex());
    } catch (IOException | RuntimeException e) {
      return false;
    }
  }

  /**
   * The name of the archive that the policy will make of the active file; null where that is not
   * known. Asked when a roll is due.
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

  /** The period that has elapsed is named without the ending. */
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
   * Where the policy may put the file before it is packed, as those of Logback 1.6 by time do.
   *
   * @param next as {@link #next} has said it
   */
  String unpacked(String next) {
    return areCompressed() && !makeRoom() ? next.substring(0, next.lastIndexOf('.')) : next;
  }

  /** Whether the policy moves what exists at the next name out of the way. */
  boolean makeRoom() {
    return policy instanceof FixedWindowRollingPolicy;
  }

  boolean areCompressed() {
    return policy != null && policy.getCompressionMode() != CompressionMode.NONE;
  }

  /**
   * Compresses a file as the policy does, and deletes it; failures that the policy reports itself
   * show in what was written.
   *
   * @param to must not exist
   * @param entry name within a zip file
   */
  void compress(Path from, Path to, String entry) throws IOException {
    if (policy == null) {
      throw new IOException("no policy compresses it");
    }
    try {
      Compressor compressor = new Compressor(policy.getCompressionMode());
      compressor.setContext(policy.getContext());
      compressor.compress(from.toString(), to.toString(), entry);
    } catch (RuntimeException | LinkageError e) {
      throw new IOException("it cannot be compressed: " + e, e);
    }
  }
}
