package dev.forebay.tiered.spool;

/** What one {@link RecordSource#read} or {@link SpoolView#read} found. */
public sealed interface ReadOutcome {

  /**
   * Whole records with consecutive sequences are in the batch.
   *
   * @param count how many, at least 1
   */
  record Records(int count) implements ReadOutcome {}

  /** There is no record to read now; our own spool may have more later, an orphan never. */
  record Nothing() implements ReadOutcome {}

  /**
   * Records are missing here; the batch is empty and the next read continues after them.
   *
   * @param fromSequence sequence of the first missing record
   * @param count how many are missing, at least 1
   * @param reason what was found instead, for a message; "" if the next record says that
   */
  record Gap(long fromSequence, long count, String reason) implements ReadOutcome {}

  /**
   * Only without the lock: these records have left the spool and are in the log.
   *
   * @param fromSequence sequence of the first one
   * @param count how many
   */
  record Shipped(long fromSequence, long count) implements ReadOutcome {}

  /**
   * Only without the lock: something is wrong with a file, whether or not records are missing.
   *
   * @param reason what, and with which file
   */
  record Suspect(String reason) implements ReadOutcome {}
}
