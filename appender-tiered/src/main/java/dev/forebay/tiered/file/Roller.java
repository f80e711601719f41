package dev.forebay.tiered.file;

import ch.qos.logback.core.CoreConstants;
import ch.qos.logback.core.rolling.DefaultTimeBasedFileNamingAndTriggeringPolicy;
import ch.qos.logback.core.rolling.LengthCounter;
import ch.qos.logback.core.rolling.RollingPolicy;
import ch.qos.logback.core.rolling.SizeAndTimeBasedFileNamingAndTriggeringPolicy;
import ch.qos.logback.core.rolling.SizeBasedTriggeringPolicy;
import ch.qos.logback.core.rolling.TimeBasedRollingPolicy;
import ch.qos.logback.core.rolling.TriggeringPolicy;
import ch.qos.logback.core.spi.LifeCycle;
import ch.qos.logback.core.util.FileSize;
import dev.forebay.agent.Once;
import java.io.File;
import java.io.IOException;
import java.lang.reflect.Field;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Decides which file is the active one and when the next one is due, as Logback's policies say; a
 * log without policies has one file. Policies are foreign code: of consecutive exceptions the first
 * is reported, and none stops shipping. For the shipper's thread.
 */
final class Roller {

  /** How often to ask a policy whose limit is not known. */
  private static final long STRIDE_BYTES = 256 * 1024;

  private static final long MINUTE_MS = 60_000;

  /** A policy has no limit, or an inaccessible one. */
  static final long UNKNOWN = -1;

  /** More than any limit, yet safe to add to. */
  private static final long FULL_BYTES = Long.MAX_VALUE / 2;

  private final @Nullable RollingPolicy rolling;
  private final @Nullable TriggeringPolicy<?> triggering;
  private final Once once;

  // Set by start, since a policy may create a new counter when it starts.
  private @Nullable LengthCounter counter;
  private long limitBytes = UNKNOWN;

  /** Null if nothing is to be removed, or the policy removes it. */
  private @Nullable Retention retention;

  /**
   * What the policy counts is the file's length less this: it begins anew when it wants a roll, so
   * this is the length at that time until the file is moved. Negative then, by the footer of the
   * file before, which Logback counts too.
   */
  private long uncountedBytes;

  /** The answer to all requests before the next roll. Set by their threads, with this locked. */
  private volatile @Nullable CompletableFuture<String> answer;

  /** Why the policy did not complete its part of the current roll. */
  private @Nullable String obstacle;

  /** Both policies, or neither for a log that is never rolled. */
  Roller(@Nullable RollingPolicy rolling, @Nullable TriggeringPolicy<?> triggering, Once once) {
    this.rolling = rolling;
    this.triggering = triggering;
    this.once = once;
  }

  void start() {
    if (rolling == null || triggering == null) {
      return;
    }
    try {
      for (LifeCycle policy : List.of(rolling, triggering)) {
        if (policy instanceof TimeBasedRollingPolicy<?> timed && !timed.isStarted()) {
          retention = Retention.start(timed, retention);
        } else if (!policy.isStarted()) {
          policy.start();
        }
      }
      counter = triggering.getLengthCounter();
      limitBytes = limitOf(triggering);
      once.over("start");
    } catch (ReflectiveOperationException | RuntimeException | LinkageError e) {
      once.warn("start", "The rolling policy " + nameOf(rolling) + " could not be started: " + e);
    }
  }

  /** The size in bytes at which a started policy wants a new file, or {@link #UNKNOWN}. */
  static long limitOf(TriggeringPolicy<?> policy) {
    if (policy instanceof SizeBasedTriggeringPolicy<?> bySize) {
      return bySize.getMaxFileSize().getSize();
    }
    Object naming =
        policy instanceof TimeBasedRollingPolicy<?> byTime
            ? byTime.getTimeBasedFileNamingAndTriggeringPolicy()
            : policy;
    if (!(naming instanceof SizeAndTimeBasedFileNamingAndTriggeringPolicy)) {
      return UNKNOWN;
    }
    try { // it has no getter; not accessible on the module path
      Field field =
          SizeAndTimeBasedFileNamingAndTriggeringPolicy.class.getDeclaredField("maxFileSize");
      field.setAccessible(true);
      return field.get(naming) instanceof FileSize limit ? limit.getSize() : UNKNOWN;
    } catch (ReflectiveOperationException | RuntimeException e) {
      return UNKNOWN;
    }
  }

  /**
   * Restarts the policies, so that they scan the files again. They number archives from the files
   * found at their start; if another process has rolled since, they would overwrite existing
   * archives.
   */
  void restart() {
    uncountedBytes = 0;
    if (!isCurrent()) {
      stop();
    }
    start();
  }

  /**
   * Whether a restart would change nothing, as it takes long. A policy by time alone learns from
   * the files but the period of the active one: if it wants no roll, that still lasts.
   */
  private boolean isCurrent() {
    return triggering instanceof TimeBasedRollingPolicy<?> timed
        && timed.getClass() == TimeBasedRollingPolicy.class
        && timed.isStarted()
        && timed.getTimeBasedFileNamingAndTriggeringPolicy().getClass()
            == DefaultTimeBasedFileNamingAndTriggeringPolicy.class
        && timed.getMaxHistory() == CoreConstants.UNBOUNDED_HISTORY // no remover to take
        && !isTriggered("");
  }

  /** If a policy itself removes archives, waits for that, up to 30 s: its stop waits for it. */
  void settle() {
    if (retention == null
        && rolling instanceof TimeBasedRollingPolicy<?> timed
        && timed.getMaxHistory() != CoreConstants.UNBOUNDED_HISTORY) {
      stop();
      start();
    }
  }

  /** Takes a due clean-up; null if none is due. */
  @Nullable Supplier<Future<?>> takeCleanUp() {
    return retention == null ? null : retention.takeDue();
  }

  /** Stops the policies; may wait for running compressions. */
  void stop() {
    if (rolling == null || triggering == null) {
      return;
    }
    try {
      rolling.stop();
      if (triggering != rolling) {
        triggering.stop();
      }
    } catch (RuntimeException | LinkageError e) {
      once.warn("start", "The rolling policy " + nameOf(rolling) + " could not be stopped: " + e);
    }
  }

  /**
   * The name of the file to write to, or the fallback if no policy can name it; throws if that is
   * null. A policy that is not started may name a file other than the one the user meant.
   */
  String activeName(@Nullable String fallback) throws IOException {
    RuntimeException failure = null;
    try {
      String name = rolling != null && rolling.isStarted() ? rolling.getActiveFileName() : null;
      if (name != null) {
        return name;
      }
    } catch (RuntimeException e) {
      failure = e;
    }
    if (fallback == null) {
      throw new IOException(
          "the rolling policy " + nameOf(rolling) + " cannot name the log file", failure);
    }
    return fallback;
  }

  /**
   * Whether a new file is wanted before the next record, by a policy or by a request. After true
   * the caller must call {@link #rollover} once: policies change state when they answer.
   */
  boolean isDue(String activeName, long sizeBytes) {
    count(lengthOf(sizeBytes));
    boolean isDue = isTriggered(activeName);
    if (!isDue && isAskedFor()) {
      String reason = makeDue(activeName);
      isDue = reason == null;
      if (reason != null) {
        answer(reason);
      }
    }
    if (isDue) {
      uncountedBytes = sizeBytes;
    }
    return isDue;
  }

  private boolean isTriggered(String activeName) {
    if (triggering == null) {
      return false;
    }
    try {
      boolean due = triggering.isTriggeringEvent(new File(activeName), null);
      once.over("trigger");
      return due;
    } catch (RuntimeException | LinkageError e) {
      once.warn(
          "trigger",
          "The triggering policy %s failed; %s is not rolled: %s"
              .formatted(nameOf(triggering), activeName, e));
      return false;
    }
  }

  /**
   * A policy that counts bytes is made to believe that the file is full: it then names the archive
   * as usual. One that rolls by time only has one name for each period, so an archive would replace
   * that of the last roll in the same period. Says why the policy cannot roll now; null if it can.
   */
  private @Nullable String makeDue(String activeName) {
    if (triggering == null) {
      return "the log " + activeName + " has no <rollingPolicy>: configure one";
    }
    if (counter == null) {
      return rolling instanceof TimeBasedRollingPolicy
          ? nameOf(rolling)
              + " has one archive for each period: configure a SizeAndTimeBasedRollingPolicy"
          : null;
    }
    count(limitBytes == UNKNOWN ? FULL_BYTES : limitBytes);
    return isTriggered(activeName) ? null : nameOf(triggering) + " does not roll by size now";
  }

  /** As {@link RollingLog#requestRoll}. Any thread. */
  synchronized CompletableFuture<String> ask() {
    CompletableFuture<String> next = answer;
    if (next == null || next.isDone()) {
      next = new CompletableFuture<>();
      answer = next;
    }
    return next;
  }

  /** Whether a roll is requested. Any thread. */
  boolean isAskedFor() {
    CompletableFuture<String> waiting = answer;
    return waiting != null && !waiting.isDone();
  }

  /** Answers the requests: "" for a roll that succeeded, otherwise why there was none. */
  void answer(String reason) {
    CompletableFuture<String> waiting = answer;
    boolean unused = waiting != null && waiting.complete(reason);
  }

  /**
   * How long {@link #isDue} cannot become true, as far as is known, while nothing is appended,
   * nanoseconds: with policies, until the next full minute. A policy does not say when it wants to
   * be asked. Logback's periods of a minute and more end at one, so an idle log is rolled on time;
   * with a shorter period, up to a minute late.
   */
  long settledForNs(long nowMs) {
    return triggering == null
        ? Long.MAX_VALUE
        : TimeUnit.MILLISECONDS.toNanos(MINUTE_MS - Math.floorMod(nowMs, MINUTE_MS));
  }

  /**
   * Bytes that may be appended to a file of this size before {@link #isDue} is called again: exact
   * for a known limit. A limit that is not known, as on the module path, may be exceeded by so
   * much; so may that of a policy that counts no bytes, which Logback asks once a minute.
   */
  long bytesUntilDue(long sizeBytes) {
    if (limitBytes == UNKNOWN) {
      return STRIDE_BYTES;
    }
    long length = counter == null ? sizeBytes : lengthOf(sizeBytes);
    if (length < limitBytes) {
      return Math.min(limitBytes - length, STRIDE_BYTES);
    }
    return counter == null ? STRIDE_BYTES : 1;
  }

  private long lengthOf(long sizeBytes) {
    if (sizeBytes < uncountedBytes) { // another process has truncated it
      uncountedBytes = 0;
    }
    return sizeBytes - uncountedBytes;
  }

  private void count(long bytes) {
    if (counter == null) {
      return;
    }
    try {
      counter.reset();
      counter.add(bytes);
    } catch (RuntimeException | LinkageError e) {
      counter = null;
      once.warn(
          "trigger",
          "The length counter of %s failed and is no longer used: %s"
              .formatted(nameOf(triggering), e));
    }
  }

  /** Moves the active file out of the way, unless something says why the policy must not. */
  void rollover(@Nullable String taken) {
    obstacle = taken;
    try {
      if (taken == null && rolling != null) {
        rolling.rollover();
        if (retention != null) {
          retention.ask();
        }
      }
    } catch (RuntimeException | LinkageError e) {
      obstacle = nameOf(rolling) + " failed with " + e;
    }
  }

  /**
   * Reports the roll that opened this file. The file before it had {@code sizeBefore} bytes with
   * its footer; it is this same file if the policy did not move it and no other process changed it.
   */
  void report(ActiveFile opened, long sizeBefore, boolean notMoved) {
    if (notMoved || obstacle != null) {
      String cause = obstacle == null ? "" : ": " + obstacle;
      String failure =
          notMoved
              ? "The log %s could not be rolled and keeps growing; it now has %d bytes%s"
                  .formatted(opened.path, opened.position(), cause)
              : "Rolling the log " + opened.path + " was not completed" + cause;
      once.warn("roll", failure);
      answer(failure);
    } else {
      once.over("roll");
      answer("");
    }
    obstacle = null;
    uncountedBytes -= sizeBefore;
  }

  private static String nameOf(@Nullable LifeCycle policy) {
    return policy == null ? "none" : policy.getClass().getName();
  }
}
