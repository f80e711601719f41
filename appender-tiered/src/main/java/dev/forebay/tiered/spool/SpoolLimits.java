package dev.forebay.tiered.spool;

/**
 * How large a spool may become, and who writes it.
 *
 * @param cap limit on all segments of one spool together, spares included
 * @param segmentBytes size of one segment file, which also bounds the largest record
 * @param spares how many shipped segments are kept for new records; more are deleted
 */
public record SpoolLimits(SpoolCap cap, int segmentBytes, int spares) {
  /** Smallest segment: its header and a few records. */
  static final int MIN_SEGMENT_BYTES = 256;

  /** Largest segment; a segment file longer than this is not read beyond it. */
  static final int MAX_SEGMENT_BYTES = 1 << 30;

  /** Enough for a steady stream to create no files; more would keep a past burst's memory. */
  private static final int SPARES = 2;

  /** With the number of spares that suits files. */
  public SpoolLimits(SpoolCap cap, int segmentBytes) {
    this(cap, segmentBytes, SPARES);
  }

  /** With a constant cap of at least one segment. */
  public SpoolLimits(long spoolBytes, int segmentBytes) {
    this(SpoolCap.fixed(spoolBytes), segmentBytes);
    if (spoolBytes < segmentBytes) {
      throw new IllegalArgumentException(
          "spool of " + spoolBytes + " bytes, required: at least one segment of " + segmentBytes);
    }
  }

  /** For a medium on which creating a file costs nothing but keeping it does. */
  public static SpoolLimits withoutSpares(SpoolCap cap, int segmentBytes) {
    return new SpoolLimits(cap, segmentBytes, 0);
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
