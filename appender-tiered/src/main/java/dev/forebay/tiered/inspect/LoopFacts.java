package dev.forebay.tiered.inspect;

import dev.forebay.tiered.disk.LockOwner;
import dev.forebay.tiered.spool.SpoolView;
import java.nio.file.Path;

/**
 * The loop of a flight recorder at a moment.
 *
 * @param path its directory
 * @param owner the process that records in it
 * @param version format version; of one that is not {@link #isReadable} only the bytes are known
 * @param bytes length of its segments and spares
 * @param segments number of segments, without spares
 * @param records how many records it holds; less if a dump has kept older ones from being
 *     overwritten
 * @param oldestMs when its oldest segment was begun, milliseconds since the epoch; 0 if unknown
 */
public record LoopFacts(
    Path path,
    LockOwner owner,
    int version,
    long bytes,
    int segments,
    long records,
    long oldestMs) {

  /** Whether its records can be read: it has our format version. */
  public boolean isReadable() {
    return version == SpoolView.readableVersion();
  }
}
