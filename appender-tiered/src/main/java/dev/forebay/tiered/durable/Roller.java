package dev.forebay.tiered.durable;

import java.io.IOException;
import java.util.function.IntUnaryOperator;
import org.jspecify.annotations.Nullable;

/**
 * Decides which file is the active one and when the next one is due. Called on the shipper's thread
 * only; no method but {@link #activeName} throws.
 */
interface Roller {

  /** Makes the policies ready where they are not. */
  void start();

  /**
   * Has the policies look at the files again. They number archives from what they found when they
   * started; where somebody else has rolled since, they would overwrite what is there.
   */
  void restart();

  /** Ends the policies; may wait for compressions that are under way. */
  void stop();

  /**
   * The name of the file to write to.
   *
   * @param fallback what to return when the policy cannot say; null throws instead
   */
  String activeName(@Nullable String fallback) throws IOException;

  /**
   * Whether a new file is wanted before the next record. True is a promise to call {@link
   * #rollover}, once: policies change when they answer.
   */
  boolean isDue(String activeName);

  /** Bytes that may be appended to a file of this size before {@link #isDue} is asked again. */
  long bytesUntilDue(long sizeBytes);

  /**
   * Of the records to be appended next, how many belong to this file. Fewer than {@code count} is a
   * yes of {@link #isDue}, with its promise.
   *
   * @param bytesOf bytes of the first n records, for n from 1 to {@code count}
   * @return at least 1: of the first record {@link #isDue} was asked
   */
  int recordsUntilDue(String activeName, int count, IntUnaryOperator bytesOf);

  /** Tells of bytes that were appended to the file, or cut from it when negative. */
  void changedBy(long bytes);

  /** Tells of the length of a file that was found, not written. */
  void lengthIs(long sizeBytes);

  /**
   * Moves the active file out of the way.
   *
   * @return what failed, or null; what became of the file is for the caller to see
   */
  @Nullable String rollover();
}
