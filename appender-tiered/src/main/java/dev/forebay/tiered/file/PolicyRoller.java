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
import java.util.function.IntUnaryOperator;
import org.jspecify.annotations.Nullable;

/**
 * Adapts Logback's policies to {@link Roller}. They are foreign code: of consecutive exceptions the
 * first is reported, and none stops shipping.
 */
final class PolicyRoller implements Roller {
  /** How often to ask a policy that counts no bytes, usually one that checks the clock. */
  private static final long STRIDE_BYTES = 256 * 1024;

  private static final long MINUTE_MS = 60_000;

  /** More than any limit, yet safe to add to. */
  private static final long FULL_BYTES = Long.MAX_VALUE / 2;

  private final RollingPolicy rolling;
  private final TriggeringPolicy<?> triggering;
  private final FailureStreak startFailures;
  private final FailureStreak triggerFailures;

  // Shipper's thread only. Set by start, since a policy may create a new counter when it starts.
  private @Nullable LengthCounter counter;
  private long limitBytes = SizeLimit.UNKNOWN;

  /** Bytes that were added to the counter before they are in the file. */
  private long aheadBytes;

  /** The file last asked about, cached because policies are asked before each record. */
  private File asked = new File("");

  PolicyRoller(RollingPolicy rolling, TriggeringPolicy<?> triggering, Consumer<String> warnings) {
    this.rolling = rolling;
    this.triggering = triggering;
    this.startFailures = new FailureStreak(warnings);
    this.triggerFailures = new FailureStreak(warnings);
  }

  @Override
  public void start() {
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

  @Override
  public void restart() {
    stop();
    start();
  }

  private static void startIfStopped(LifeCycle policy) {
    if (!policy.isStarted()) {
      policy.start();
    }
  }

  @Override
  public void stop() {
    try {
      rolling.stop();
      if (triggering != rolling) {
        triggering.stop();
      }
    } catch (RuntimeException | LinkageError e) {
      startFailures.failed("The rolling policy " + nameOf(rolling) + " could not be stopped: " + e);
    }
  }

  /** A policy that is not started may name a file other than the one the user meant. */
  @Override
  public String activeName(@Nullable String fallback) throws IOException {
    RuntimeException failure = null;
    try {
      String name = rolling.isStarted() ? rolling.getActiveFileName() : null;
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

  @Override
  public boolean isDue(String activeName) {
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
   * A policy that counts bytes is made to believe that the file is full: it then names the archive
   * as usual. One that rolls by time only has one name for each period, so an archive would replace
   * that of the last roll in the same period.
   */
  @Override
  public @Nullable String makeDue(String activeName, long sizeBytes) {
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
   * Until the next full minute: a policy does not say when it wants to be asked. Logback's periods
   * of a minute and more end at one, so an idle log is rolled on time; with a shorter period, up to
   * a minute late.
   */
  @Override
  public long settledForNs(long nowMs) {
    return TimeUnit.MILLISECONDS.toNanos(MINUTE_MS - Math.floorMod(nowMs, MINUTE_MS));
  }

  /**
   * Exact for a known limit. If the policy counts no bytes, a file beyond its limit is not checked
   * before each record: Logback checks the size once a minute, or the file could not be moved, so
   * that would only be slow.
   */
  @Override
  public long bytesUntilDue(long sizeBytes) {
    if (limitBytes == SizeLimit.UNKNOWN) {
      return STRIDE_BYTES;
    }
    long length = countedOr(sizeBytes);
    if (length < limitBytes) {
      return Math.min(limitBytes - length, STRIDE_BYTES);
    }
    return counter == null ? STRIDE_BYTES : 1;
  }

  /**
   * A policy that counts bytes up to an unknown limit (all such policies on the module path) is
   * asked before each record as Logback asks it, with a counter that includes the records before
   * it. Unlike with Logback, these are not in the file yet, so that many can be written at once.
   */
  @Override
  public int recordsUntilDue(String activeName, int count, IntUnaryOperator bytesOf) {
    countAhead(-aheadBytes); // records that a failure kept from the file are counted again
    if (counter == null || limitBytes != SizeLimit.UNKNOWN) {
      return count;
    }
    int records = 1;
    while (records < count) {
      countAhead(bytesOf.applyAsInt(records) - aheadBytes);
      if (isDue(activeName)) {
        return records;
      }
      records++;
    }
    return count;
  }

  private void countAhead(long bytes) {
    if (bytes != 0) {
      long before = aheadBytes;
      aheadBytes = 0;
      changedBy(bytes);
      aheadBytes = before + bytes;
    }
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

  @Override
  public void changedBy(long bytes) {
    LengthCounter counting = counter;
    if (counting == null) {
      return;
    }
    long known = Math.max(0, Math.min(bytes, aheadBytes));
    aheadBytes -= known;
    try {
      if (bytes > known) {
        counting.add(bytes - known);
      } else if (bytes < 0) {
        lengthIs(Math.max(0, counting.getLength() - aheadBytes + bytes));
      }
    } catch (RuntimeException | LinkageError e) {
      stopCounting(e);
    }
  }

  @Override
  public void lengthIs(long sizeBytes) {
    LengthCounter counting = counter;
    aheadBytes = 0;
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

  @Override
  public @Nullable String rollover() {
    try {
      rolling.rollover();
      return null;
    } catch (RuntimeException | LinkageError e) {
      return nameOf(rolling) + " failed with " + e;
    }
  }

  private static String nameOf(LifeCycle policy) {
    return policy.getClass().getName();
  }
}
