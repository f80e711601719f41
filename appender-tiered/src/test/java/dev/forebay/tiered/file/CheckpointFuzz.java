package dev.forebay.tiered.file;

import dev.forebay.tiered.checkpoint.Checkpoint;
import dev.forebay.tiered.checkpoint.Checkpoint.Position;
import dev.forebay.tiered.checkpoint.Checkpoint.SpoolPosition;
import dev.forebay.tiered.checkpoint.CheckpointFile;
import dev.forebay.tiered.checkpoint.CheckpointView;
import dev.forebay.tiered.disk.MemoryDisk;
import dev.forebay.tiered.identity.InstanceId;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.zip.CRC32C;

/**
 * A target for a fuzzer: a checkpoint file of any content, whose slots get right checksums where
 * the first byte says so. Nothing is thrown, what is loaded can be used and saved again, and a save
 * is what the next load finds.
 *
 * <p>Input: flags, the length of the file, the bytes at the beginning of the first slot, and from
 * byte 106 on, or 138 if the slots are of version 3, those of the second.
 */
public final class CheckpointFuzz {
  private static final Path PATH = Path.of("/checkpoint");
  private static final int SLOT = CheckpointFile.SLOT_BYTES;
  private static final int OF_VERSION_3 = 8;

  private CheckpointFuzz() {}

  public static void fuzzerTestOneInput(byte[] data) throws IOException {
    if (data.length < 2) {
      return;
    }
    byte[] content = content(data);
    seal(content, (data[0] & 1) != 0, data[0], 0);
    seal(content, (data[0] & 2) != 0, data[0], SLOT);
    MemoryDisk disk = new MemoryDisk();
    disk.createDirectory(PATH.resolveSibling(""));
    disk.put(PATH, content.clone());
    CheckpointView seen = CheckpointView.of(disk, PATH.getParent());
    require(Arrays.equals(content, disk.get(PATH)), "changed by a look");
    Checkpoint loaded = reloaded(disk, null);
    require((loaded == null) == (seen.fault() != null), "seen otherwise: " + seen.fault());
    if (loaded != null) {
      InstanceId next = loaded.next().instance();
      require(seen.position(next).equals(loaded.position(next)), "seen position");
      require(seen.endOffset() == loaded.end().offset(), "seen offset");
      requireSound(loaded.next());
      requireSound(loaded.paused());
      require(loaded.end().offset() >= 0, "offset");
      require(loaded.anchor().length() >= 0, "anchor");
      // A key that was no text before is another one now, of another length perhaps.
      loaded =
          new Checkpoint(
              loaded.state(),
              loaded.next(),
              loaded.paused(),
              new Position("key", loaded.end().offset()),
              loaded.anchor());
      require(loaded.equals(reloaded(disk, loaded)), "the save of what was loaded");
    }
    Checkpoint saved =
        new Checkpoint(
            Checkpoint.State.RECORDS,
            new SpoolPosition(new InstanceId(1, 2), 3, 2, 1),
            new SpoolPosition(new InstanceId(4, 5), 6, 5, 4),
            new Position("key", 7),
            new Checkpoint.Anchor(8, 9));
    require(saved.equals(reloaded(disk, saved)), "a save");
  }

  private static Checkpoint reloaded(MemoryDisk disk, Checkpoint saved) throws IOException {
    try (CheckpointFile file = new CheckpointFile(disk, PATH, false)) {
      file.reserve();
      Checkpoint before = file.load();
      if (saved == null) {
        require(before != null || file.reserve() != null, "forgotten in silence");
        return before;
      }
      file.save(saved);
    }
    try (CheckpointFile file = new CheckpointFile(disk, PATH, false)) {
      return file.load();
    }
  }

  private static byte[] content(byte[] data) {
    byte[] content = new byte[2 * SLOT];
    int first = Math.min(data.length, (data[0] & OF_VERSION_3) == 0 ? 106 : 138);
    System.arraycopy(data, 2, content, 0, first - 2);
    System.arraycopy(data, first, content, SLOT, Math.min(SLOT, data.length - first));
    return (data[0] & 4) == 0 ? content : Arrays.copyOf(content, (data[1] & 0xFF) * 9);
  }

  private static void seal(byte[] content, boolean isSealed, int flags, int slot) {
    if (!isSealed || content.length < slot + SLOT) {
      return;
    }
    short version = (short) ((flags & OF_VERSION_3) == 0 ? 2 : 3);
    ByteBuffer bytes = ByteBuffer.wrap(content).order(ByteOrder.LITTLE_ENDIAN);
    bytes.putInt(slot, 0x4B434246).putShort(slot + 4, version);
    CRC32C crc = new CRC32C();
    crc.update(content, slot, SLOT - 4);
    bytes.putInt(slot + SLOT - 4, (int) crc.getValue());
  }

  private static void requireSound(SpoolPosition position) {
    require(position.sequence() >= position.lost(), "sequence");
    require(position.lost() >= position.refused() && position.refused() >= 0, "lost");
  }

  static void require(boolean holds, String otherwise) {
    if (!holds) {
      throw new IllegalStateException(otherwise);
    }
  }
}
