package dev.forebay.tiered.disk;

import java.io.IOException;

/** A file cannot be read now, although others of its operations may succeed. */
public final class UnreadableException extends IOException {

  private static final long serialVersionUID = 1;

  /** After so many in succession, do without what could be read. */
  public static final int MAX_ATTEMPTS = 5;

  public UnreadableException(IOException cause) {
    super("cannot be read: " + cause, cause);
  }
}
