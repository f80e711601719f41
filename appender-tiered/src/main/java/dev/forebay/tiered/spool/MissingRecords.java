package dev.forebay.tiered.spool;

/**
 * Records that {@link RecordSource#read} or {@link SpoolView#read} did not find; the next read
 * continues after them.
 *
 * @param fromSequence sequence of the first missing record
 * @param count how many are missing; 0 only in a {@link SpoolView}
 * @param reason what was found instead, for a message; "" if the next record says that
 */
public record MissingRecords(long fromSequence, long count, String reason) {

  /** Whether it stands for the end: nothing is missing or wrong. */
  boolean isNone() {
    return count == 0 && reason.isEmpty();
  }
}
