package dev.forebay.tiered;

import java.util.OptionalLong;
import org.jspecify.annotations.Nullable;

/**
 * Limits the memory that a spool on tmpfs may take: its pages count against the container's memory
 * limit, and beyond that the kernel kills the process instead of refusing the write.
 */
final class MemoryBudget {

  static final long DEFAULT_SPOOL_BYTES = 256L << 20;

  /** Fraction of the tmpfs space, free or theirs, that spools of default size take. */
  private static final int OF_FREE_SPACE = 4;

  /** Fraction of the container's memory limit that they take. */
  private static final int OF_LIMIT = 8;

  /** Fraction of the limit above which a configured size causes a warning. */
  private static final int WARN_ABOVE = 2;

  /** Fraction of the maximum heap that a spool in the heap may take, and its bounds. */
  private static final int OF_HEAP = 16;

  /** Enough for the buffered records of the former spool's writer. */
  private static final long LEAST_HEAP_SPOOL_BYTES = 1L << 20;

  private static final long MIN_HEAP_SPOOL_BYTES = 8L << 20;
  private static final long MAX_HEAP_SPOOL_BYTES = 64L << 20;

  /** Bytes that a spool in the heap needs for locks and checkpoints. */
  static final long HEAP_OVERHEAD_BYTES = 256L << 10;

  /** The smallest segment. */
  private static final long GRAIN_BYTES = 64L << 10;

  private MemoryBudget() {}

  /**
   * The cap of a spool in the heap, used while there is no other place.
   *
   * @param configuredBytes {@code <spoolSize>}, or null if the user set none
   */
  static long heapSpoolBytes(long heapBytes, @Nullable Long configuredBytes) {
    long share =
        Math.max(MIN_HEAP_SPOOL_BYTES, Math.min(MAX_HEAP_SPOOL_BYTES, heapBytes / OF_HEAP));
    return configuredBytes == null
        ? share
        : Math.max(LEAST_HEAP_SPOOL_BYTES, Math.min(share, configuredBytes));
  }

  /**
   * The budget that all spools of default size share, rounded up to 64 KB: the space of their
   * directories and locks must not cost a segment.
   *
   * @param roomBytes bytes of their file system that are free or taken by spools
   * @param limitBytes memory limit of the container
   */
  static long sharedSpoolBytes(long roomBytes, OptionalLong limitBytes) {
    long part = (roomBytes / OF_FREE_SPACE + GRAIN_BYTES - 1) / GRAIN_BYTES * GRAIN_BYTES;
    long bytes = Math.min(DEFAULT_SPOOL_BYTES, part);
    return limitBytes.isPresent() ? Math.min(bytes, limitBytes.getAsLong() / OF_LIMIT) : bytes;
  }

  /**
   * Whether a cap is so large that the process may be killed: more than half of the limit, or more
   * than the maximum heap leaves.
   */
  static boolean isTooLarge(long spoolBytes, long heapBytes, OptionalLong limitBytes) {
    if (limitBytes.isEmpty()) {
      return false;
    }
    long limit = limitBytes.getAsLong();
    return spoolBytes > limit / WARN_ABOVE || spoolBytes > limit - heapBytes;
  }
}
