package dev.forebay.tiered.ship;

import dev.forebay.tiered.spool.ReadOutcome;
import dev.forebay.tiered.spool.RecordBatch;
import dev.forebay.tiered.spool.RecordSource;
import java.io.IOException;
import java.nio.file.Path;

/** The spool cannot be read, which says nothing about the log. */
final class SpoolReadException extends IOException {

  private static final long serialVersionUID = 1;

  private SpoolReadException(Path spool, Throwable cause) {
    super("cannot read the spool %s: %s".formatted(spool, cause), cause);
  }

  static ReadOutcome read(RecordSource source, RecordBatch batch, long maxBytes)
      throws SpoolReadException {
    try {
      return source.read(batch, maxBytes);
    } catch (IOException | OutOfMemoryError e) { // no room for the window on a segment
      throw new SpoolReadException(source.path(), e);
    }
  }

  static void slide(RecordSource source, RecordBatch batch, int fromByte)
      throws SpoolReadException {
    try {
      source.slide(batch, fromByte);
    } catch (IOException e) {
      throw new SpoolReadException(source.path(), e);
    }
  }

  /** The mark lies in the spool: where it cannot be read, the spool cannot. */
  static long markOf(Cargo cargo) throws SpoolReadException {
    try {
      return cargo.shippedMark();
    } catch (IOException e) {
      throw new SpoolReadException(cargo.source().path(), e);
    }
  }

  static long limitOf(RecordSource source) throws SpoolReadException {
    try {
      return source.limitSequence();
    } catch (IOException e) {
      throw new SpoolReadException(source.path(), e);
    }
  }
}
