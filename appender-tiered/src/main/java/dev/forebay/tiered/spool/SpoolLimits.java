package dev.forebay.tiered.spool;

/**
 * How large a spool may become.
 *
 * @param budget what it shares with other spools
 * @param kind how it shares
 * @param mostBytes limit on all segments of one spool together, spares included
 * @param segmentBytes size of one segment file, which also bounds the largest record
 * @param spares how many shipped segments are kept for new records; more are deleted
 */
public record SpoolLimits(
    SpoolBudget budget, Kind kind, long mostBytes, int segmentBytes, int spares) {

  /** How a spool shares a budget. */
  enum Kind {
    /** Has two segments, and more while there is space. */
    SHARE,
    /** Has a size of its own, in addition to what the others share. */
    APART,
    /** Has two segments, and more while spools leave space. */
    LOOP
  }

  /** Smallest segment: its header and a few records. */
  static final int MIN_SEGMENT_BYTES = 256;

  /** Largest segment; a segment file longer than this is not read beyond it. */
  static final int MAX_SEGMENT_BYTES = 1 << 30;

  /** Enough for a steady stream to create no files; more would keep a past burst's memory. */
  private static final int SPARES = 2;

  /** With the number of spares that suits files. */
  SpoolLimits(SpoolBudget budget, Kind kind, long mostBytes, int segmentBytes) {
    this(budget, kind, mostBytes, segmentBytes, SPARES);
  }

  /** With a constant cap of at least one segment. */
  public SpoolLimits(long spoolBytes, int segmentBytes) {
    this(SpoolBudget.None.BUDGET, Kind.APART, spoolBytes, segmentBytes);
    if (spoolBytes < segmentBytes) {
      throw new IllegalArgumentException(
          "spool of " + spoolBytes + " bytes, required: at least one segment of " + segmentBytes);
    }
  }

  /** For a medium on which creating a file costs nothing but keeping it does. */
  public SpoolLimits withoutSpares() {
    return new SpoolLimits(budget, kind, mostBytes, segmentBytes, 0);
  }

  /** Rejects invalid segment sizes. */
  public SpoolLimits {
    if (segmentBytes < MIN_SEGMENT_BYTES || segmentBytes > MAX_SEGMENT_BYTES) {
      throw new IllegalArgumentException(
          "segment of "
              + segmentBytes
              + " bytes, required: "
              + MIN_SEGMENT_BYTES
              + " to "
              + MAX_SEGMENT_BYTES);
    }
  }
}
