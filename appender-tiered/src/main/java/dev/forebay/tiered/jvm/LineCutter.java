package dev.forebay.tiered.jvm;

import dev.forebay.tiered.disk.DiskFile;
import java.io.IOException;
import java.nio.ByteBuffer;
import org.jspecify.annotations.Nullable;

/**
 * Cuts a file into records: lines with their ends. A longer line becomes several records, and what
 * follows the last end of a complete file is one. So the same bytes always give the same records.
 * For one thread.
 */
final class LineCutter {

  /** The longest record; longer lines are rare. */
  static final int MAX_RECORD_BYTES = 16 << 10;

  private static final int WINDOW_BYTES = 4 * MAX_RECORD_BYTES;

  private final byte[] window = new byte[WINDOW_BYTES];
  private final ByteBuffer buffer = ByteBuffer.wrap(window);
  private @Nullable DiskFile file;

  /** Position in the file of the first byte in the window that is not consumed. */
  private long offset;

  private int from;
  private int to;
  private int length;

  /** Continues with this file, which the caller closes, at this byte. */
  void begin(DiskFile next, long at) {
    file = next;
    offset = at;
    from = 0;
    to = 0;
    length = 0;
  }

  /** Where in the file the next record begins. */
  long offset() {
    return offset;
  }

  /**
   * Finds the next record; the same again, if it was not {@link #consume consumed}.
   *
   * @param isComplete whether the file does not grow any more
   * @return false if there is none yet, or at the end
   */
  boolean next(boolean isComplete) throws IOException {
    while (length == 0) {
      int most = Math.min(to, from + MAX_RECORD_BYTES);
      int end = from;
      while (end < most && window[end] != '\n') {
        end++;
      }
      if (end < most) {
        length = end + 1 - from;
      } else if (end == from + MAX_RECORD_BYTES) {
        length = MAX_RECORD_BYTES;
      } else if (!fill()) {
        length = isComplete ? to - from : 0;
        return length > 0;
      }
    }
    return true;
  }

  private boolean fill() throws IOException {
    DiskFile current = file;
    if (current == null) {
      return false;
    }
    if (from > 0) {
      System.arraycopy(window, from, window, 0, to - from);
      to -= from;
      from = 0;
    }
    int count = current.read(buffer.clear().position(to), offset + to);
    to += Math.max(0, count);
    return count > 0;
  }

  byte[] bytes() {
    return window;
  }

  int start() {
    return from;
  }

  int length() {
    return length;
  }

  /** The record is passed on. */
  void consume() {
    from += length;
    offset += length;
    length = 0;
  }
}
