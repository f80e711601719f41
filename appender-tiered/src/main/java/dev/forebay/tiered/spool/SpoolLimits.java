package dev.forebay.tiered.spool;

/**
 * How large a spool may become.
 *
 * @param budget what the spools share
 * @param isApart whether it has a size of its own, in addition; otherwise it has two segments, and
 *     more while there is space
 * @param mostBytes limit on all segments of one spool together, spares included
 * @param segmentBytes size of one segment file, which also bounds the largest record
 */
public record SpoolLimits(SpoolBudget budget, boolean isApart, long mostBytes, int segmentBytes) {

  /** Smallest segment: its header and a few records. */
  static final int MIN_SEGMENT_BYTES = 256;

  /** Largest segment; a segment file longer than this is not read beyond it. */
  static final int MAX_SEGMENT_BYTES = 1 << 30;

  /** With a constant cap of at least one segment. */
  public SpoolLimits(long spoolBytes, int segmentBytes) {
    this(
        new SpoolBudget(own -> new SpoolBudget.Reading(0, Long.MAX_VALUE), () -> 0),
        true,
        spoolBytes,
        segmentBytes);
  }

  /** What one spool, or several that follow one another, may have. */
  SpoolBudget.Share share() {
    return budget.new Share(this);
  }

  public SpoolLimits {
    if (segmentBytes < MIN_SEGMENT_BYTES || segmentBytes > MAX_SEGMENT_BYTES) {
      throw new IllegalArgumentException(
          "segment of %d bytes, required: %d to %d"
              .formatted(segmentBytes, MIN_SEGMENT_BYTES, MAX_SEGMENT_BYTES));
    }
  }
}
