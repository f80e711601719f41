package dev.forebay.tiered.spool;

/**
 * How much a spool may occupy.
 *
 * @param spoolBytes cap on all segments of one spool together, spares included; at least one
 *     segment
 * @param segmentBytes size of one segment file, which also bounds the largest record
 */
public record SpoolLimits(long spoolBytes, int segmentBytes) {
  /** Smallest segment: its header and a few records. */
  static final int MIN_SEGMENT_BYTES = 256;

  /** Largest segment; a segment file longer than this is not read beyond it. */
  static final int MAX_SEGMENT_BYTES = 1 << 30;

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
    if (spoolBytes < segmentBytes) {
      throw new IllegalArgumentException(
          "spool of " + spoolBytes + " bytes, required: at least one segment of " + segmentBytes);
    }
  }

  /** Number of segment files the cap leaves room for. */
  int maxSegments() {
    return (int) Math.min(Integer.MAX_VALUE, spoolBytes / segmentBytes);
  }
}
