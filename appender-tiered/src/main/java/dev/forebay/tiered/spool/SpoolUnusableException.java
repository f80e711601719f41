package dev.forebay.tiered.spool;

import java.io.IOException;

/**
 * The place for the spool cannot be used. The message names the path, what stands there and what is
 * required.
 */
final class SpoolUnusableException extends IOException {
  private static final long serialVersionUID = 1L;

  SpoolUnusableException(String message) {
    super(message);
  }

  SpoolUnusableException(String message, IOException cause) {
    super(message, cause);
  }
}
