package dev.forebay.tiered.disk;

import java.nio.ByteBuffer;

/** Buffers outside of the heap, which channels use as they are. */
public final class DirectBuffers {

  private DirectBuffers() {}

  /** A big-endian buffer; one in the heap, which has a limit of its own, where there is no room. */
  public static ByteBuffer allocate(int bytes) {
    try {
      return ByteBuffer.allocateDirect(bytes);
    } catch (OutOfMemoryError e) { // others in this process have all of the direct memory
      return ByteBuffer.allocate(bytes);
    }
  }
}
