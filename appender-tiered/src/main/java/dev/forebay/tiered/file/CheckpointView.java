package dev.forebay.tiered.file;

import dev.forebay.tiered.disk.Disk;
import dev.forebay.tiered.disk.DiskFile;
import dev.forebay.tiered.disk.FileInfo;
import dev.forebay.tiered.spool.InstanceId;
import dev.forebay.tiered.spool.Trust;
import java.io.IOException;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import org.jspecify.annotations.Nullable;

/**
 * A checkpoint that a shipper may be saving, read without its lock; unlike {@code CheckpointFile},
 * this changes nothing. Immutable.
 */
public final class CheckpointView {

  /** More than a shipper can save while both slots are read. */
  private static final int ATTEMPTS = 10;

  private final @Nullable Checkpoint newest;
  private final @Nullable String fault;

  private CheckpointView(@Nullable Checkpoint newest, @Nullable String fault) {
    this.newest = newest;
    this.fault = fault;
  }

  /**
   * Reads the checkpoint of a log's spools.
   *
   * @param directory the directory of these spools
   */
  public static CheckpointView of(Disk disk, Path directory) throws IOException {
    Path path = directory.resolve(CheckpointFile.NAME);
    FileInfo info = disk.stat(path);
    String untrusted = info == null ? null : Trust.fileFault(info, disk.userId());
    if (info == null || untrusted != null) {
      return new CheckpointView(null, untrusted);
    }
    try (DiskFile file = disk.open(path, Disk.Mode.READ)) {
      return of(file);
    } catch (NoSuchFileException e) {
      return new CheckpointView(null, null);
    }
  }

  /** A slot that is being written looks damaged, but the other one is whole then. */
  private static CheckpointView of(DiskFile file) throws IOException {
    CheckpointFormat.Slots found = CheckpointFormat.Slots.read(file);
    for (int attempt = 1; found.newest() == null && attempt < ATTEMPTS; attempt++) {
      found = CheckpointFormat.Slots.read(file);
    }
    Checkpoint newest = found.newest();
    return new CheckpointView(newest, newest == null ? found.fault() : null);
  }

  /** The first record of a spool that is not committed; 0 if nothing is known of it. */
  public long firstUncommitted(InstanceId spool) {
    return newest == null ? 0 : newest.firstUncommitted(spool);
  }

  /** What is wrong with the checkpoint's file; null if nothing is, or if there is none. */
  public @Nullable String fault() {
    return fault;
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
