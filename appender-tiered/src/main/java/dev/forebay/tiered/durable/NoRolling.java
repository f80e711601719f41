package dev.forebay.tiered.durable;

import java.util.function.IntUnaryOperator;
import org.jspecify.annotations.Nullable;

/** The roller of a log that is never rolled. */
final class NoRolling implements Roller {
  /** Large, yet safe to add to and to hold in an int. */
  private static final long NO_LIMIT_BYTES = 1L << 30;

  private final String name;

  NoRolling(String name) {
    this.name = name;
  }

  @Override
  public void start() {}

  @Override
  public void restart() {}

  @Override
  public void stop() {}

  @Override
  public String activeName(@Nullable String fallback) {
    return name;
  }

  @Override
  public boolean isDue(String activeName) {
    return false;
  }

  @Override
  public String makeDue(String activeName, long sizeBytes) {
    return "the log " + activeName + " has no <rollingPolicy>: configure one";
  }

  @Override
  public long settledForNs(long nowMs) {
    return Long.MAX_VALUE;
  }

  @Override
  public long bytesUntilDue(long sizeBytes) {
    return NO_LIMIT_BYTES;
  }

  @Override
  public int recordsUntilDue(String activeName, int count, IntUnaryOperator bytesOf) {
    return count;
  }

  @Override
  public void changedBy(long bytes) {}

  @Override
  public void lengthIs(long sizeBytes) {}

  @Override
  public @Nullable String rollover() {
    return null;
  }
}
