package dev.forebay.tiered.spool;

import java.nio.ByteBuffer;
import org.jspecify.annotations.Nullable;

/**
 * The window of one spool after another: there may be thousands of dead ones, and memory outside
 * the heap is freed late. For the shipper's thread.
 */
final class SpareWindow {

  static final int BYTES = 256 * 1024;

  private final int bytes;
  private @Nullable ByteBuffer spare;

  SpareWindow() {
    this(BYTES);
  }

  /**
   * @param bytes read at once
   */
  SpareWindow(int bytes) {
    this.bytes = bytes;
  }

  ByteBuffer take() {
    ByteBuffer taken = spare;
    spare = null;
    return taken == null ? FrameFormat.directBuffer(bytes) : taken;
  }

  void giveBack(ByteBuffer window) {
    spare = window;
  }
}
