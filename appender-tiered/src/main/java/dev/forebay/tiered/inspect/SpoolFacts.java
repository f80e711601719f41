package dev.forebay.tiered.inspect;

import dev.forebay.tiered.disk.LockOwner;
import dev.forebay.tiered.spool.SpoolNames;
import dev.forebay.tiered.spool.SpoolView;
import java.nio.file.Path;

/**
 * A spool, a flight recorder's loop or a JVM's own log in memory, at a moment.
 *
 * @param version format version; of one that is not {@link #isReadable} only the bytes are known
 * @param segments number of segments, without spares; like all that follows, 0 for a JVM's log
 * @param firstSequence its oldest record
 * @param endSequence sequence after its newest record
 * @param committed its first record that is not committed to the log; 0 for a loop
 * @param oldestMs of a spool, when the segment of the oldest uncommitted record was last written;
 *     of a loop, when its oldest segment was begun; milliseconds since the epoch, 0 if there is
 *     none
 */
public record SpoolFacts(
    Kind kind,
    Path path,
    LockOwner owner,
    int version,
    long bytes,
    int segments,
    long firstSequence,
    long endSequence,
    long committed,
    long oldestMs) {

  /** The three kinds. */
  public enum Kind {
    SPOOL(SpoolNames.SPOOL),
    JVM(SpoolNames.LINES),
    LOOP(SpoolNames.FLIGHT);

    final String word;

    Kind(String word) {
      this.word = word;
    }
  }

  /** Whether its records can be read: it has our format version. */
  public boolean isReadable() {
    return version == SpoolView.readableVersion();
  }

  /** How many records it holds, in the log or not. */
  public long records() {
    return Math.max(0, endSequence - firstSequence);
  }

  /** How many of a spool's records are not committed to the log. */
  public long unshipped() {
    return Math.max(0, endSequence - Math.max(committed, firstSequence));
  }
}
