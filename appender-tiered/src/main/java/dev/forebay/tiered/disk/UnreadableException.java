package dev.forebay.tiered.disk;

import java.io.IOException;

/** A file cannot be read or cut back now, although others of its operations may succeed. */
public final class UnreadableException extends IOException {

  private static final long serialVersionUID = 1;

  /** After so many in succession, do without what could be read. */
  public static final int MAX_ATTEMPTS = 5;

  public UnreadableException(IOException cause) {
    this("cannot be read", cause);
  }

  /** With another fault than that it cannot be read. */
  public UnreadableException(String fault, IOException cause) {
    super(fault + ": " + cause, cause);
  }
}
