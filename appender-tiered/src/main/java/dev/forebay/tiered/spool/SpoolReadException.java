package dev.forebay.tiered.spool;

import java.io.IOException;
import java.nio.file.Path;

/** A spool cannot be read now, which says nothing about what it has, nor about the log. */
public final class SpoolReadException extends IOException {

  private static final long serialVersionUID = 1;

  SpoolReadException(Path spool, Throwable cause) {
    super("cannot read the spool %s: %s".formatted(spool, cause), cause);
  }
}
