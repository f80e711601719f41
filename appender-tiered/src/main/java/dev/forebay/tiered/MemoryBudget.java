package dev.forebay.tiered;

import java.util.OptionalLong;
import org.jspecify.annotations.Nullable;

/**
 * How much of the machine's memory a spool on tmpfs may take: its pages count against the memory
 * limit of the container, and beyond it the kernel kills the process in place of refusing the
 * write.
 */
final class MemoryBudget {

  static final long DEFAULT_SPOOL_BYTES = 256L << 20;

  /** Share of the tmpfs that spools of default size take, of what is free or theirs. */
  private static final int OF_FREE_SPACE = 4;

  /** Share of the container's memory limit that they take. */
  private static final int OF_LIMIT = 8;

  /** Share of the limit above which a configured size is warned about. */
  private static final int WARN_ABOVE = 2;

  /** Share of the largest heap that a spool in the heap may take, and its bounds. */
  private static final int OF_HEAP = 16;

  /** Takes over what the writer of the other spool has in its buffer. */
  private static final long LEAST_HEAP_SPOOL_BYTES = 1L << 20;

  private static final long MIN_HEAP_SPOOL_BYTES = 8L << 20;
  private static final long MAX_HEAP_SPOOL_BYTES = 64L << 20;

  /** What a spool in the heap needs beyond its segments, for locks and checkpoints. */
  static final long HEAP_OVERHEAD_BYTES = 256L << 10;

  /** The smallest segment. */
  private static final long GRAIN_BYTES = 64L << 10;

  private MemoryBudget() {}

  /**
   * The cap of a spool in the heap, which is used while there is no other.
   *
   * @param configuredBytes {@code <spoolSize>}, where the user set one
   */
  static long heapSpoolBytes(long heapBytes, @Nullable Long configuredBytes) {
    long share =
        Math.max(MIN_HEAP_SPOOL_BYTES, Math.min(MAX_HEAP_SPOOL_BYTES, heapBytes / OF_HEAP));
    return configuredBytes == null
        ? share
        : Math.max(LEAST_HEAP_SPOOL_BYTES, Math.min(share, configuredBytes));
  }

  /**
   * What all spools of default size share, rounded up to 64 KB: what their directories and locks
   * take must not cost a segment.
   *
   * @param roomBytes of their file system: free, or taken by spools
   * @param limitBytes of the container
   */
  static long sharedSpoolBytes(long roomBytes, OptionalLong limitBytes) {
    long part = (roomBytes / OF_FREE_SPACE + GRAIN_BYTES - 1) / GRAIN_BYTES * GRAIN_BYTES;
    long bytes = Math.min(DEFAULT_SPOOL_BYTES, part);
    return limitBytes.isPresent() ? Math.min(bytes, limitBytes.getAsLong() / OF_LIMIT) : bytes;
  }

  /**
   * Whether a cap takes so much of the limit that the process may be killed for it: more than half,
   * or more than the largest heap leaves.
   */
  static boolean isTooLarge(long spoolBytes, long heapBytes, OptionalLong limitBytes) {
    if (limitBytes.isEmpty()) {
      return false;
    }
    long limit = limitBytes.getAsLong();
    return spoolBytes > limit / WARN_ABOVE || spoolBytes > limit - heapBytes;
  }
}
