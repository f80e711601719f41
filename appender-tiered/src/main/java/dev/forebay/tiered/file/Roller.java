package dev.forebay.tiered.file;

import java.io.IOException;
import java.util.function.IntUnaryOperator;
import org.jspecify.annotations.Nullable;

/**
 * Decides which file is the active one and when the next one is due. Called on the shipper's thread
 * only; no method but {@link #activeName} throws. The defaults are for a log that is never rolled.
 */
interface Roller {

  /** Large, yet safe to add to and to hold in an int. */
  long NO_LIMIT_BYTES = 1L << 30;

  /** Starts the policies that are not started. */
  default void start() {}

  /**
   * Restarts the policies, so that they scan the files again. They number archives from the files
   * found at their start; if others have rolled since, they would overwrite existing archives.
   */
  default void restart() {}

  /** Stops the policies; may wait for running compressions. */
  default void stop() {}

  /**
   * The name of the file to write to.
   *
   * @param fallback result if the policy cannot name it; if null, throws instead
   */
  String activeName(@Nullable String fallback) throws IOException;

  /**
   * Whether a new file is wanted before the next record. After true the caller must call {@link
   * #rollover} once: policies change state when they answer.
   */
  default boolean isDue(String activeName) {
    return false;
  }

  /**
   * Makes a new file due because someone asks for it, with the same obligation as {@link #isDue}.
   *
   * @param sizeBytes of the active file
   * @return null, or why the policy cannot roll now and what to configure instead
   */
  @Nullable String makeDue(String activeName, long sizeBytes);

  /**
   * How long {@link #isDue} cannot become true, as far as is known, while nothing is appended.
   *
   * @param nowMs milliseconds since the epoch
   * @return nanoseconds; {@link Long#MAX_VALUE} if only a record can make a file due
   */
  default long settledForNs(long nowMs) {
    return Long.MAX_VALUE;
  }

  /** Bytes that may be appended to a file of this size before {@link #isDue} is called again. */
  default long bytesUntilDue(long sizeBytes) {
    return NO_LIMIT_BYTES;
  }

  /**
   * How many of the next records belong to this file. Fewer than {@code count} means that {@link
   * #isDue} returned true, with the same obligation.
   *
   * @param bytesOf bytes of the first n records, for n from 1 to {@code count}
   * @return at least 1: for the first record the caller has called {@link #isDue}
   */
  default int recordsUntilDue(String activeName, int count, IntUnaryOperator bytesOf) {
    return count;
  }

  /** Counts bytes appended to the file, or cut from it if negative. */
  default void changedBy(long bytes) {}

  /** Sets the length of a file that was found, not written. */
  default void lengthIs(long sizeBytes) {}

  /**
   * Moves the active file out of the way.
   *
   * @return what failed, or null; the caller must check whether the file was moved
   */
  default @Nullable String rollover() {
    return null;
  }
}
