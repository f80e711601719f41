package dev.forebay.tiered.disk;

import java.nio.ByteBuffer;

/** Allocates buffers outside the heap, which channels use without copying. */
public final class DirectBuffers {

  private DirectBuffers() {}

  /** A big-endian buffer; in the heap, which has its own limit, if direct memory is exhausted. */
  public static ByteBuffer allocate(int bytes) {
    try {
      return ByteBuffer.allocateDirect(bytes);
    } catch (OutOfMemoryError e) { // other code in this process uses all direct memory
      return ByteBuffer.allocate(bytes);
    }
  }
}
