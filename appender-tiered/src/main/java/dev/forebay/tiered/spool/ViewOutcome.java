package dev.forebay.tiered.spool;

/** What one {@link SpoolView#read} found. */
public sealed interface ViewOutcome {

  /**
   * Whole records with consecutive sequences are in the batch.
   *
   * @param count how many, at least 1
   */
  record Records(int count) implements ViewOutcome {}

  /**
   * These records have left the spool: they are in the log.
   *
   * @param fromSequence sequence of the first one
   * @param count how many
   */
  record Shipped(long fromSequence, long count) implements ViewOutcome {}

  /**
   * These records are damaged or missing, and are not in the log.
   *
   * @param fromSequence sequence of the first one
   * @param count how many, at least 1
   * @param reason what was found instead
   */
  record Damaged(long fromSequence, long count, String reason) implements ViewOutcome {}

  /**
   * Something is wrong with a file, whether or not records are missing.
   *
   * @param reason what, and with which file
   */
  record Suspect(String reason) implements ViewOutcome {}

  /** Nothing more now; a live process may write more. */
  record Nothing() implements ViewOutcome {}
}
