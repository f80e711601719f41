package dev.forebay.tiered.spool;

import java.io.IOException;

/**
 * The spool cannot be placed there. The message names the path, what was found and what is
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
