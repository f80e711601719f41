package dev.forebay.tiered;

import java.util.OptionalLong;

/**
 * How much of the machine's memory a spool on tmpfs may take: its pages count against the memory
 * limit of the container, and beyond it the kernel kills the process in place of refusing the
 * write.
 */
final class MemoryBudget {

  static final long DEFAULT_SPOOL_BYTES = 256L << 20;

  /** Share of the free space of the tmpfs that the default takes. */
  private static final int OF_FREE_SPACE = 4;

  /** Share of the container's memory limit that the default takes. */
  private static final int OF_LIMIT = 8;

  /** Share of the limit above which a configured size is warned about. */
  private static final int WARN_ABOVE = 2;

  private MemoryBudget() {}

  /** The default cap, a multiple of the segment size and at least two segments. */
  static long defaultSpoolBytes(long freeBytes, OptionalLong limitBytes, int segmentBytes) {
    long bytes = Math.min(DEFAULT_SPOOL_BYTES, freeBytes / OF_FREE_SPACE);
    if (limitBytes.isPresent()) {
      bytes = Math.min(bytes, limitBytes.getAsLong() / OF_LIMIT);
    }
    return Math.max(2, bytes / segmentBytes) * segmentBytes;
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
