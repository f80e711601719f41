package dev.forebay.tiered.jvm;

import dev.forebay.tiered.disk.Disk;
import dev.forebay.tiered.disk.DiskFile;
import dev.forebay.tiered.disk.FaultyDisk;
import dev.forebay.tiered.disk.FileInfo;
import dev.forebay.tiered.disk.MemoryDisk;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.UnaryOperator;

/**
 * Writes and rotates a log as HotSpot does, with numbered lines. Through {@link #disturbed} it does
 * so between any two file operations of its reader.
 */
final class FakeJvm {

  private final MemoryDisk disk;
  private final Path log;
  private final Rotation rotation;
  private final int linesPerMs;
  private final Map<String, Long> modifiedMs = new HashMap<>();

  final List<String> lines = new ArrayList<>();

  private int next;

  /**
   * @param linesPerMs how coarse the clock of its files is
   */
  FakeJvm(MemoryDisk disk, Path log, Rotation rotation, int linesPerMs) {
    this.linesPerMs = linesPerMs;
    this.disk = disk;
    this.log = log;
    this.rotation = rotation;
  }

  /** Adds a line, and rotates after it if the file is large enough, at a later time. */
  void write() {
    try {
      String line = "[info][gc] line " + lines.size() + "\n";
      lines.add(line);
      boolean exists = disk.stat(log) != null;
      DiskFile file = disk.open(log, exists ? Disk.Mode.UPDATE : Disk.Mode.CREATE_PRIVATE);
      file.write(ByteBuffer.wrap(line.getBytes(StandardCharsets.UTF_8)), file.size());
      modifiedMs.put(key(log), nowMs());
      if (file.size() >= rotation.fileBytes()) {
        rotate();
      }
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private long nowMs() {
    return lines.size() / linesPerMs;
  }

  private String key(Path file) {
    FileInfo info = disk.stat(file);
    return info == null ? "" : info.key();
  }

  private void rotate() throws IOException {
    if (rotation.fileCount() > 0) {
      Path archive = log.resolveSibling(log.getFileName() + "." + next);
      next = (next + 1) % rotation.fileCount();
      disk.delete(archive);
      disk.move(log, archive);
      disk.put(log, new byte[0]);
      modifiedMs.put(key(log), nowMs());
    }
  }

  /** The disk, on which this runs before each operation. */
  Disk disturbed(Runnable before) {
    return seen(key -> key).from(1, before::run);
  }

  /** The disk as tmpfs: inodes tell in which order files were created. */
  Disk tmpfs() {
    return seen("(dev=1,ino=%s)"::formatted);
  }

  private FaultyDisk seen(UnaryOperator<String> identity) {
    return new FaultyDisk(disk)
        .showing(
            (path, info) ->
                new FileInfo(
                    info.kind(),
                    info.sizeBytes(),
                    identity.apply(info.key()),
                    info.ownerId(),
                    info.mode(),
                    info.links(),
                    modifiedMs.getOrDefault(info.key(), 0L)));
  }
}
