package dev.forebay.tiered.spool;

import java.io.IOException;
import java.nio.file.Path;

/** A spool cannot be read now. Its records may be intact, and the log may be fine. */
public final class SpoolReadException extends IOException {

  private static final long serialVersionUID = 1;

  SpoolReadException(Path spool, Throwable cause) {
    super("cannot read the spool %s: %s".formatted(spool, cause), cause);
  }
}
