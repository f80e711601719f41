package dev.forebay.tiered.file;

import ch.qos.logback.core.rolling.LengthCounter;
import ch.qos.logback.core.rolling.RollingPolicy;
import ch.qos.logback.core.rolling.TimeBasedRollingPolicy;
import ch.qos.logback.core.rolling.TriggeringPolicy;
import ch.qos.logback.core.spi.LifeCycle;
import java.io.File;
import java.io.IOException;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
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

  /** More than any limit, yet safe to add to. */
  private static final long FULL_BYTES = Long.MAX_VALUE / 2;

  private final @Nullable RollingPolicy rolling;
  private final @Nullable TriggeringPolicy<?> triggering;
  private final FailureStreak startFailures;
  private final FailureStreak triggerFailures;

  // Set by start, since a policy may create a new counter when it starts.
  private @Nullable LengthCounter counter;
  private long limitBytes = SizeLimit.UNKNOWN;

  /** The file last asked about. */
  private File asked = new File("");

  /** Both policies, or neither for a log that is never rolled. */
  Roller(
      @Nullable RollingPolicy rolling,
      @Nullable TriggeringPolicy<?> triggering,
      Consumer<String> warnings) {
    this.rolling = rolling;
    this.triggering = triggering;
    this.startFailures = new FailureStreak(warnings);
    this.triggerFailures = new FailureStreak(warnings);
  }

  /** Starts the policies that are not started. */
  void start() {
    if (rolling == null || triggering == null) {
      return;
    }
    try {
      startIfStopped(rolling);
      startIfStopped(triggering);
      counter = triggering.getLengthCounter();
      limitBytes = SizeLimit.bytesOf(triggering);
      startFailures.succeeded();
    } catch (RuntimeException | LinkageError e) {
      startFailures.failed("The rolling policy " + nameOf(rolling) + " could not be started: " + e);
    }
  }

  /**
   * Restarts the policies, so that they scan the files again. They number archives from the files
   * found at their start; if others have rolled since, they would overwrite existing archives.
   */
  void restart() {
    stop();
    start();
  }

  private static void startIfStopped(LifeCycle policy) {
    if (!policy.isStarted()) {
      policy.start();
    }
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
      startFailures.failed("The rolling policy " + nameOf(rolling) + " could not be stopped: " + e);
    }
  }

  /**
   * The name of the file to write to. A policy that is not started may name a file other than the
   * one the user meant.
   *
   * @param fallback result if no policy can name it; if null, throws instead
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
   * Whether a new file is wanted before the next record. After true the caller must call {@link
   * #rollover} once: policies change state when they answer.
   */
  boolean isDue(String activeName) {
    if (triggering == null) {
      return false;
    }
    try {
      if (!asked.getPath().equals(activeName)) {
        asked = new File(activeName);
      }
      boolean due = triggering.isTriggeringEvent(asked, null);
      triggerFailures.succeeded();
      return due;
    } catch (RuntimeException | LinkageError e) {
      triggerFailures.failed(
          "The triggering policy "
              + nameOf(triggering)
              + " failed; "
              + activeName
              + " is not rolled: "
              + e);
      return false;
    }
  }

  /**
   * Makes a new file due because someone asks for it, with the same obligation as {@link #isDue}.
   *
   * <p>A policy that counts bytes is made to believe that the file is full: it then names the
   * archive as usual. One that rolls by time only has one name for each period, so an archive would
   * replace that of the last roll in the same period.
   *
   * @param sizeBytes of the active file
   * @return null, or why the policy cannot roll now and what to configure instead
   */
  @Nullable String makeDue(String activeName, long sizeBytes) {
    if (triggering == null) {
      return "the log " + activeName + " has no <rollingPolicy>: configure one";
    }
    if (counter == null) {
      return rolling instanceof TimeBasedRollingPolicy
          ? nameOf(rolling)
              + " has one archive for each period: configure a SizeAndTimeBasedRollingPolicy"
          : null;
    }
    changedBy(limitBytes == SizeLimit.UNKNOWN ? FULL_BYTES : limitBytes);
    if (isDue(activeName)) {
      return null;
    }
    lengthIs(sizeBytes);
    return nameOf(triggering) + " does not roll by size now";
  }

  /**
   * How long {@link #isDue} cannot become true, as far as is known, while nothing is appended: with
   * policies, until the next full minute. A policy does not say when it wants to be asked.
   * Logback's periods of a minute and more end at one, so an idle log is rolled on time; with a
   * shorter period, up to a minute late.
   *
   * @param nowMs milliseconds since the epoch
   * @return nanoseconds
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
    if (limitBytes == SizeLimit.UNKNOWN) {
      return STRIDE_BYTES;
    }
    long length = countedOr(sizeBytes);
    if (length < limitBytes) {
      return Math.min(limitBytes - length, STRIDE_BYTES);
    }
    return counter == null ? STRIDE_BYTES : 1;
  }

  private long countedOr(long sizeBytes) {
    LengthCounter counting = counter;
    try {
      return counting == null ? sizeBytes : counting.getLength();
    } catch (RuntimeException | LinkageError e) {
      stopCounting(e);
      return sizeBytes;
    }
  }

  /** Counts bytes appended to the file, or cut from it if negative. */
  void changedBy(long bytes) {
    LengthCounter counting = counter;
    if (counting == null) {
      return;
    }
    try {
      if (bytes > 0) {
        counting.add(bytes);
      } else if (bytes < 0) {
        lengthIs(Math.max(0, counting.getLength() + bytes));
      }
    } catch (RuntimeException | LinkageError e) {
      stopCounting(e);
    }
  }

  /** Sets the length of a file that was found, not written. */
  void lengthIs(long sizeBytes) {
    LengthCounter counting = counter;
    if (counting == null) {
      return;
    }
    try {
      counting.reset();
      counting.add(sizeBytes);
    } catch (RuntimeException | LinkageError e) {
      stopCounting(e);
    }
  }

  private void stopCounting(Throwable failure) {
    counter = null;
    triggerFailures.failed(
        "The length counter of "
            + nameOf(triggering)
            + " failed and is no longer used: "
            + failure);
  }

  /**
   * Moves the active file out of the way.
   *
   * @return what failed, or null; the caller must check whether the file was moved
   */
  @Nullable String rollover() {
    try {
      if (rolling != null) {
        rolling.rollover();
      }
      return null;
    } catch (RuntimeException | LinkageError e) {
      return nameOf(rolling) + " failed with " + e;
    }
  }

  private static String nameOf(@Nullable LifeCycle policy) {
    return policy == null ? "none" : policy.getClass().getName();
  }
}
