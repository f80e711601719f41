package dev.forebay.tiered.inspect;

import dev.forebay.tiered.disk.LockOwner;
import dev.forebay.tiered.spool.SpoolView;
import java.nio.file.Path;

/**
 * One spool at a moment.
 *
 * @param path its directory
 * @param owner the process that writes to it
 * @param version format version; of one that is not {@link #isReadable} only the bytes are known
 * @param bytes length of its segments and spares
 * @param segments number of segments, without spares
 * @param firstSequence its oldest record
 * @param endSequence sequence after its newest record
 * @param committed its first record that is not committed to the log
 * @param oldestMs when the segment of the oldest uncommitted record was last written, milliseconds
 *     since the epoch; that record is at least so old. 0 if there is none
 */
public record SpoolFacts(
    Path path,
    LockOwner owner,
    int version,
    long bytes,
    int segments,
    long firstSequence,
    long endSequence,
    long committed,
    long oldestMs) {

  /** Whether its records can be read: it has our format version. */
  public boolean isReadable() {
    return version == SpoolView.readableVersion();
  }

  /** How many records it holds, in the log or not. */
  public long records() {
    return endSequence - firstSequence;
  }

  /** How many of them are not committed to the log. */
  public long unshipped() {
    return Math.max(0, endSequence - Math.max(committed, firstSequence));
  }
}
