package dev.forebay.tiered.checkpoint;

import dev.forebay.tiered.checkpoint.Checkpoint.SpoolPosition;
import dev.forebay.tiered.disk.Disk;
import dev.forebay.tiered.disk.DiskFile;
import dev.forebay.tiered.disk.FileInfo;
import dev.forebay.tiered.disk.Trust;
import dev.forebay.tiered.identity.InstanceId;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import org.jspecify.annotations.Nullable;

/**
 * What the two slots of a {@code CheckpointFile} hold; changes nothing.
 *
 * @param newest the valid one with the higher generation; null and 0 if none is valid
 * @param fault what is wrong with the checkpoint's file; null if nothing is, or if there is none
 */
public record CheckpointView(@Nullable Checkpoint newest, long generation, @Nullable String fault) {

  /** More attempts than a shipper can make saves while both slots are read. */
  private static final int ATTEMPTS = 10;

  /**
   * Reads a directory's checkpoint without the ship lock; a shipper may be saving it. What is found
   * may be older than what was found before, if two saves happen between the slots.
   */
  public static CheckpointView of(Disk disk, Path directory) throws IOException {
    Path path = directory.resolve(CheckpointFile.NAME);
    FileInfo info = disk.stat(path);
    String untrusted = info == null ? null : Trust.fileFault(info, disk.userId());
    if (info == null || untrusted != null) {
      return new CheckpointView(null, 0, untrusted);
    }
    try (DiskFile file = disk.open(path, Disk.Mode.READ)) {
      CheckpointView found = of(file); // a slot that is being written looks damaged
      for (int attempt = 1; found.newest == null && attempt < ATTEMPTS; attempt++) {
        found = of(file);
      }
      return found;
    } catch (NoSuchFileException e) {
      return new CheckpointView(null, 0, null);
    }
  }

  static CheckpointView of(DiskFile file) throws IOException {
    Checkpoint newest = null;
    long generation = 0;
    String fault = "is damaged";
    ByteBuffer slot = Checkpoint.buffer();
    for (int index = 0; index < 2; index++) {
      slot.clear().put(new byte[Checkpoint.BYTES]).clear();
      boolean unused = file.readFully(slot, (long) index * Checkpoint.BYTES);
      if (Checkpoint.isWhole(slot)) {
        fault = CheckpointFile.OTHER_FORMAT;
      }
      Checkpoint one = Checkpoint.decode(slot);
      if (one != null && Checkpoint.generation(slot) > generation) {
        generation = Checkpoint.generation(slot);
        newest = one;
      }
    }
    return new CheckpointView(newest, generation, newest == null ? fault : null);
  }

  /** The first record of a spool that is not committed; its begin if nothing is known of it. */
  public SpoolPosition position(InstanceId spool) {
    return newest == null ? SpoolPosition.beginOf(spool) : newest.position(spool);
  }

  /** Identity of the log's file up to whose {@link #endOffset} everything is committed, or "". */
  public String fileKey() {
    return newest == null ? "" : newest.end().fileKey();
  }

  /** Where the committed bytes end in that file. */
  public long endOffset() {
    return newest == null ? 0 : newest.end().offset();
  }
}
