package dev.forebay.tiered.spool;

/**
 * How much a spool may occupy.
 *
 * @param cap on all segments of one spool together, spares included
 * @param segmentBytes size of one segment file, which also bounds the largest record
 * @param spares shipped segments that are kept for new records; more are deleted
 */
public record SpoolLimits(SpoolCap cap, int segmentBytes, int spares) {
  /** Smallest segment: its header and a few records. */
  static final int MIN_SEGMENT_BYTES = 256;

  /** Largest segment; a segment file longer than this is not read beyond it. */
  static final int MAX_SEGMENT_BYTES = 1 << 30;

  /** Enough that a steady stream creates no files; more would keep memory of a past burst. */
  private static final int SPARES = 2;

  /** With as many spares as files need. */
  public SpoolLimits(SpoolCap cap, int segmentBytes) {
    this(cap, segmentBytes, SPARES);
  }

  /** With a cap that stays as it is, of at least one segment. */
  public SpoolLimits(long spoolBytes, int segmentBytes) {
    this(SpoolCap.fixed(spoolBytes), segmentBytes);
    if (spoolBytes < segmentBytes) {
      throw new IllegalArgumentException(
          "spool of " + spoolBytes + " bytes, required: at least one segment of " + segmentBytes);
    }
  }

  /** Where making a file costs nothing, but keeping it does. */
  public static SpoolLimits withoutSpares(SpoolCap cap, int segmentBytes) {
    return new SpoolLimits(cap, segmentBytes, 0);
  }

  /** Refuses sizes that no spool can have. */
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
