package dev.forebay.tiered.jvm;

/**
 * The validated settings of one start.
 *
 * @param what the selection of messages, as in {@code -Xlog}
 * @param takesUp whether an output of the command line comes before that selection
 * @param decorators of each line, as in {@code -Xlog}
 * @param memoryBytes limit on the JVM's files and those that are kept for reading, together
 * @param account of the start
 * @param listener gets the lines
 */
public record JvmSettings(
    String what,
    boolean takesUp,
    String decorators,
    long memoryBytes,
    JvmAccount account,
    LineListener listener) {

  /** Half of the memory is for files that the JVM rotates, half for those that are not read yet. */
  private static final int FILES = 16;

  /** Older files that the JVM keeps, besides the one it writes. */
  static final int FILE_COUNT = FILES / 2 - 1;

  /** Least memory: the JVM's smallest file size is a few lines. */
  static final long MIN_MEMORY_BYTES = FILES * (8L << 10);

  static final long MAX_MEMORY_BYTES = 16L << 30;

  /** Largest file that is read. */
  static final long MAX_FILE_BYTES = MAX_MEMORY_BYTES / FILES;

  Rotation rotation() {
    return new Rotation(FILE_COUNT, memoryBytes / FILES);
  }
}
