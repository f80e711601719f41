package dev.forebay.tiered.disk;

import java.io.IOException;
import java.nio.ByteBuffer;

/** A file cannot be read or cut back now, although others of its operations may succeed. */
public final class UnreadableException extends IOException {

  private static final long serialVersionUID = 1;

  /** After so many in succession, do without what could be read. */
  public static final int MAX_ATTEMPTS = 5;

  public UnreadableException(IOException cause) {
    this("cannot be read", cause);
  }

  /** As {@link DiskFile#readFully}, with this for any failure. */
  public static boolean readFully(DiskFile file, ByteBuffer into, long position)
      throws UnreadableException {
    try {
      return file.readFully(into, position);
    } catch (IOException e) {
      throw new UnreadableException(e);
    }
  }

  /** With another fault than that it cannot be read. */
  public UnreadableException(String fault, IOException cause) {
    super(fault + ": " + cause, cause);
  }
}
