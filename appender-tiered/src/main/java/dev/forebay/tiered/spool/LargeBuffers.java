package dev.forebay.tiered.spool;

import dev.forebay.tiered.disk.Disk;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.ArrayDeque;

/**
 * Large buffers for reading, lent to whoever has much to read at the moment: few have, however many
 * logs there are. Direct memory that is dropped would be freed late. Thread-safe.
 */
final class LargeBuffers {

  /** Size of each. */
  static final int BYTES = 256 * 1024;

  private static final int MAX_SPARE = 4;

  private static final ArrayDeque<ByteBuffer> SPARE = new ArrayDeque<>(MAX_SPARE);

  private LargeBuffers() {}

  /** Little-endian, with any content; in the heap if direct memory is exhausted. */
  static ByteBuffer borrow() {
    ByteBuffer spare;
    synchronized (SPARE) {
      spare = SPARE.poll();
    }
    return spare == null ? Disk.buffer(BYTES).order(ByteOrder.LITTLE_ENDIAN) : spare.clear();
  }

  /** Takes back one that was lent; nobody uses it any more. */
  static void giveBack(ByteBuffer lent) {
    synchronized (SPARE) {
      if (lent.isDirect() && SPARE.size() < MAX_SPARE) {
        SPARE.push(lent);
      }
    }
  }

  static int spare() {
    synchronized (SPARE) {
      return SPARE.size();
    }
  }
}
