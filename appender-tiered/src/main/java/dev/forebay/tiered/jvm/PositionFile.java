package dev.forebay.tiered.jvm;

import dev.forebay.tiered.disk.Disk;
import dev.forebay.tiered.disk.DiskFile;
import dev.forebay.tiered.disk.FileInfo;
import dev.forebay.tiered.spool.InstanceId;
import dev.forebay.tiered.spool.JvmDirectory;
import dev.forebay.tiered.spool.Trust;
import java.io.Closeable;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.zip.CRC32C;
import org.jspecify.annotations.Nullable;

/**
 * The {@link JvmPosition} in its file: two slots written in turn, like a checkpoint's, so that a
 * torn write leaves the other one intact. The valid slot with the higher number counts. All numbers
 * are little-endian. For one thread.
 *
 * <pre>
 *     0  u32 magic "FBJP"              40  u64 generation
 *     4  u16 version 1                 48  u64 offset
 *     6  u16 flags: 1 after our own,   56  u64 bytes missing
 *        2 a gap, 4 at least          124  u32 crc32c of bytes 0 to 123
 *     8  u64 number of the save
 *    16  u64 spool, high half         64  u64 size of the JVM's files
 *    24  u64 spool, low half          72  u32 number of its archives
 *    32  u64 sequence
 * </pre>
 */
final class PositionFile implements Closeable {

  static final int SLOT_BYTES = 128;

  private static final String UNFINISHED = "-new";

  /** More archives HotSpot does not keep. */
  private static final int MAX_FILE_COUNT = 1000;

  private static final int MAGIC = 0x504A4246;
  private static final short VERSION = 1;
  private static final int VERSION_AT = 4;
  private static final int FLAGS_AT = 6;
  private static final int NUMBER_AT = 8;
  private static final int SPOOL_AT = 16;
  private static final int SEQUENCE_AT = 32;
  private static final int GENERATION_AT = 40;
  private static final int OFFSET_AT = 48;
  private static final int MISSING_AT = 56;
  private static final int FILE_BYTES_AT = 64;
  private static final int FILE_COUNT_AT = 72;
  private static final int CRC_AT = SLOT_BYTES - Integer.BYTES;
  private static final int AFTER_OWN = 1;
  private static final int GAP = 2;
  private static final int AT_LEAST = 4;

  private final DiskFile file;
  private final ByteBuffer slot = ByteBuffer.allocate(SLOT_BYTES).order(ByteOrder.LITTLE_ENDIAN);
  private Rotation rotation;
  private long number;

  private PositionFile(DiskFile file, Rotation rotation) {
    this.file = file;
    this.rotation = rotation;
  }

  /**
   * Creates the file, with the space of both slots, in one step: a process that is killed before
   * has read nothing.
   */
  static PositionFile create(Disk disk, Path path, Rotation rotation, JvmPosition first)
      throws IOException {
    Path unfinished = path.resolveSibling(path.getFileName() + UNFINISHED);
    PositionFile created =
        new PositionFile(disk.open(unfinished, Disk.Mode.CREATE_PRIVATE), rotation);
    boolean isDone = false;
    try {
      created.save(first);
      created.save(first);
      disk.move(unfinished, path);
      isDone = true;
    } finally {
      if (!isDone) {
        created.close();
      }
    }
    return created;
  }

  /** Opens the file of a dead process. */
  static PositionFile open(Disk disk, Path path) throws IOException {
    return new PositionFile(disk.open(path, Disk.Mode.UPDATE), Rotation.NONE);
  }

  /** The position in a directory of a process that may live; null if there is none. */
  static @Nullable JvmPosition peek(Disk disk, Path directory) throws IOException {
    Path path = directory.resolve(JvmDirectory.POSITION);
    FileInfo info = disk.stat(path);
    if (info == null || Trust.fileFault(info, disk.userId()) != null) {
      return null;
    }
    try (PositionFile file = new PositionFile(disk.open(path, Disk.Mode.READ), Rotation.NONE)) {
      return file.load();
    } catch (NoSuchFileException e) { // it has just been deleted
      return null;
    }
  }

  /** How the JVM rotates; of a dead process only after {@link #load}. */
  Rotation rotation() {
    return rotation;
  }

  /** The position that counts; null if no slot is valid. */
  @Nullable JvmPosition load() throws IOException {
    JvmPosition newest = null;
    for (int index = 0; index < 2; index++) {
      if (readFully((long) index * SLOT_BYTES) && isValid() && slot.getLong(NUMBER_AT) > number) {
        number = slot.getLong(NUMBER_AT);
        newest = decoded();
        rotation = new Rotation(slot.getInt(FILE_COUNT_AT), slot.getLong(FILE_BYTES_AT));
      }
    }
    return newest;
  }

  private boolean readFully(long position) throws IOException {
    slot.clear();
    while (slot.hasRemaining()) {
      if (file.read(slot, position + slot.position()) < 0) {
        return false;
      }
    }
    return true;
  }

  private boolean isValid() {
    return slot.getInt(0) == MAGIC
        && slot.getShort(VERSION_AT) == VERSION
        && slot.getInt(FILE_COUNT_AT) >= 0
        && slot.getInt(FILE_COUNT_AT) <= MAX_FILE_COUNT
        && slot.getLong(GENERATION_AT) >= 0
        && slot.getLong(OFFSET_AT) >= 0
        && slot.getInt(CRC_AT) == crc();
  }

  private JvmPosition decoded() {
    int flags = slot.getShort(FLAGS_AT);
    return new JvmPosition(
        new InstanceId(slot.getLong(SPOOL_AT), slot.getLong(SPOOL_AT + Long.BYTES)),
        slot.getLong(SEQUENCE_AT),
        slot.getLong(GENERATION_AT),
        slot.getLong(OFFSET_AT),
        (flags & AFTER_OWN) != 0,
        new Gap((flags & GAP) != 0, slot.getLong(MISSING_AT), (flags & AT_LEAST) != 0));
  }

  /** Replaces the older slot. If this throws, the newer one still counts. */
  void save(JvmPosition position) throws IOException {
    Gap gap = position.gap();
    int flags =
        (position.afterOwn() ? AFTER_OWN : 0)
            | (gap.exists() ? GAP : 0)
            | (gap.atLeast() ? AT_LEAST : 0);
    slot.clear().put(new byte[SLOT_BYTES]);
    slot.putInt(0, MAGIC).putShort(VERSION_AT, VERSION).putShort(FLAGS_AT, (short) flags);
    slot.putLong(NUMBER_AT, number + 1);
    slot.putLong(SPOOL_AT, position.spool().high());
    slot.putLong(SPOOL_AT + Long.BYTES, position.spool().low());
    slot.putLong(SEQUENCE_AT, position.sequence());
    slot.putLong(GENERATION_AT, position.generation()).putLong(OFFSET_AT, position.offset());
    slot.putLong(MISSING_AT, gap.bytes());
    slot.putLong(FILE_BYTES_AT, rotation.fileBytes());
    slot.putInt(FILE_COUNT_AT, rotation.fileCount());
    slot.putInt(CRC_AT, crc()).clear();
    long at = (number + 1) % 2 * SLOT_BYTES;
    while (slot.hasRemaining()) {
      file.write(slot, at + slot.position());
    }
    number++;
  }

  private int crc() {
    CRC32C crc = new CRC32C();
    crc.update(slot.array(), 0, CRC_AT);
    return (int) crc.getValue();
  }

  @Override
  public void close() throws IOException {
    file.close();
  }
}
