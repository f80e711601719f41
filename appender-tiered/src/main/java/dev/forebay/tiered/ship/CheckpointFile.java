package dev.forebay.tiered.ship;

import dev.forebay.tiered.disk.DirectBuffers;
import dev.forebay.tiered.disk.Disk;
import dev.forebay.tiered.disk.DiskFile;
import dev.forebay.tiered.disk.FileInfo;
import dev.forebay.tiered.ship.Checkpoint.Anchor;
import dev.forebay.tiered.ship.Checkpoint.State;
import dev.forebay.tiered.spool.InstanceId;
import dev.forebay.tiered.spool.Trust;
import java.io.Closeable;
import java.io.EOFException;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.nio.file.DirectoryNotEmptyException;
import java.nio.file.Path;
import java.util.Objects;
import java.util.UUID;
import java.util.zip.CRC32C;
import org.jspecify.annotations.Nullable;

/**
 * A checkpoint on disk: two slots written in turn, so that a torn write leaves the other one. The
 * valid slot with the higher generation counts.
 *
 * <pre>
 *     0  u32 magic "FBCK"            32  u64 sequence
 *     4  u16 version 1               40  u64 end offset
 *     6  u16 state                   48  u32 anchor length
 *     8  u64 generation              52  u32 anchor crc32c
 *    16  u64 instance, high half     56  u16 length of the file key, then the key
 *    24  u64 instance, low half     508  u32 crc32c of bytes 0 to 507
 * </pre>
 *
 * All numbers little-endian, a slot is {@value #SLOT_BYTES} bytes. For the shipper's thread only.
 */
final class CheckpointFile implements Closeable {

  static final int SLOT_BYTES = 512;

  /** Behind the name of a file that is not whole. */
  static final String UNFINISHED = "-new";

  private static final int MAGIC = 0x4B434246;
  private static final short VERSION = 1;
  private static final int CRC_AT = SLOT_BYTES - Integer.BYTES;
  private static final int KEY_LENGTH_AT = 56;
  private static final int MAX_KEY_BYTES = CRC_AT - KEY_LENGTH_AT - Short.BYTES;

  private final Disk disk;
  private final Path path;
  private final boolean durable;
  private final ByteBuffer slot = DirectBuffers.allocate(SLOT_BYTES).order(ByteOrder.LITTLE_ENDIAN);

  private @Nullable DiskFile file;

  /** A checkpoint without a name would be missing after a power cut. */
  private boolean nameIsDurable;

  private boolean faultFound;
  private @Nullable String fault;

  private long generation;

  /**
   * @param durable whether to force each checkpoint: for a spool that survives a power cut
   */
  CheckpointFile(Disk disk, Path path, boolean durable) {
    this.disk = disk;
    this.path = path;
    this.durable = durable;
  }

  /** The newest valid checkpoint; null when there is none, be it missing, damaged or not ours. */
  @Nullable Checkpoint load() throws IOException {
    if (stat() == null) {
      return null;
    }
    Checkpoint newest = null;
    int valid = 0;
    DiskFile opened = opened();
    for (int index = 0; index < 2; index++) {
      slot.clear();
      try {
        readFully(opened, (long) index * SLOT_BYTES);
      } catch (EOFException e) {
        continue;
      }
      valid += isValid() ? 1 : 0;
      if (isValid() && (newest == null || slot.getLong(8) > generation)) {
        generation = slot.getLong(8);
        newest = decode();
      }
    }
    if (newest == null) {
      foundFault("is damaged");
    } else if (valid < 2 && generation > 1) { // after the first save one slot is blank
      foundFault("is damaged in part");
    }
    return newest;
  }

  /**
   * What was found where a checkpoint should be, told once; null when nothing was wrong. A file
   * that is missing is no fault.
   */
  @Nullable String takeFault() {
    String taken = fault;
    fault = null;
    return taken == null ? null : path + " " + taken;
  }

  private void foundFault(String found) {
    if (!faultFound) {
      faultFound = true;
      fault = found;
    }
  }

  /**
   * What is known of the file. One that is not ours is taken out of the way, and nothing is read
   * from it or written through it: it would keep everything in the spools for good.
   */
  private @Nullable FileInfo stat() throws IOException {
    FileInfo info = disk.stat(path);
    String found = info == null ? null : Trust.fileFault(info, disk.userId());
    if (info == null || found == null) {
      return info;
    }
    if (info.kind() == FileInfo.Kind.FILE) {
      putAside();
    } else {
      try {
        disk.delete(path);
      } catch (DirectoryNotEmptyException e) {
        putAside();
      }
    }
    foundFault(found);
    return null;
  }

  private void putAside() throws IOException {
    disk.move(path, path.resolveSibling(path.getFileName() + "-" + UUID.randomUUID()));
  }

  private void readFully(DiskFile from, long position) throws IOException {
    while (slot.hasRemaining()) {
      int count = from.read(slot, position + slot.position());
      if (count < 0) {
        throw new EOFException();
      }
    }
  }

  private boolean isValid() {
    return slot.getInt(0) == MAGIC
        && slot.getShort(4) == VERSION
        && State.of(slot.getShort(6)) != null
        && slot.getLong(8) + 1 > 0
        && slot.getLong(32) >= 0
        && slot.getLong(40) >= 0
        && slot.getInt(48) >= 0
        && slot.getShort(KEY_LENGTH_AT) >= 0
        && slot.getShort(KEY_LENGTH_AT) <= MAX_KEY_BYTES
        && slot.getInt(CRC_AT) == slotCrc();
  }

  private int slotCrc() {
    CRC32C crc = new CRC32C();
    crc.update(slot.duplicate().position(0).limit(CRC_AT));
    return (int) crc.getValue();
  }

  private Checkpoint decode() {
    byte[] key = new byte[slot.getShort(KEY_LENGTH_AT)];
    slot.get(KEY_LENGTH_AT + Short.BYTES, key);
    return new Checkpoint(
        Objects.requireNonNull(State.of(slot.getShort(6))),
        new InstanceId(slot.getLong(16), slot.getLong(24)),
        slot.getLong(32),
        new Position(new String(key, StandardCharsets.UTF_8), slot.getLong(40)),
        new Anchor(slot.getInt(48), slot.getInt(52)));
  }

  /** Replaces the older slot. When this throws, the newer one still counts. */
  void save(Checkpoint checkpoint) throws IOException {
    encode(checkpoint, generation + 1);
    DiskFile opened = opened();
    writeFully(opened, slot, (generation + 1) % 2 * SLOT_BYTES);
    if (durable) {
      opened.force();
    }
    if (!nameIsDurable) {
      disk.forceDirectory(path.resolveSibling(""));
      nameIsDurable = true;
    }
    generation++;
  }

  private void encode(Checkpoint checkpoint, long number) throws IOException {
    byte[] key = checkpoint.end().fileKey().getBytes(StandardCharsets.UTF_8);
    if (key.length > MAX_KEY_BYTES) {
      throw new IOException("file key of " + key.length + " bytes, limit " + MAX_KEY_BYTES);
    }
    slot.clear();
    slot.put(new byte[SLOT_BYTES]);
    slot.putInt(0, MAGIC).putShort(4, VERSION);
    slot.putShort(6, checkpoint.state().code());
    slot.putLong(8, number);
    slot.putLong(16, checkpoint.instance().high()).putLong(24, checkpoint.instance().low());
    slot.putLong(32, checkpoint.sequence()).putLong(40, checkpoint.end().offset());
    slot.putInt(48, checkpoint.anchor().length()).putInt(52, checkpoint.anchor().crc());
    slot.putShort(KEY_LENGTH_AT, (short) key.length).put(KEY_LENGTH_AT + Short.BYTES, key);
    slot.putInt(CRC_AT, slotCrc());
    slot.clear();
  }

  private static void writeFully(DiskFile to, ByteBuffer bytes, long position) throws IOException {
    int start = bytes.position();
    while (bytes.hasRemaining()) {
      to.write(bytes, position + bytes.position() - start);
    }
  }

  /**
   * Takes the room of both slots while there is some. Otherwise a spool that fills its file system
   * before the first save would leave no room to ever note that something was shipped, and so would
   * never get emptied.
   */
  void reserve() throws IOException {
    FileInfo info = stat();
    if (info == null) {
      create();
    } else if (info.sizeBytes() < 2 * SLOT_BYTES) {
      int from = (int) info.sizeBytes();
      writeFully(opened(), ByteBuffer.allocate(2 * SLOT_BYTES - from), from);
    }
  }

  /**
   * Says in a new file that nothing was shipped, under another name until it is whole: from then on
   * a file without a valid slot is a damaged one.
   */
  private void create() throws IOException {
    Path unfinished = path.resolveSibling(path.getFileName() + UNFINISHED);
    disk.delete(unfinished);
    encode(Checkpoint.NONE, 1);
    try (DiskFile fresh = disk.open(unfinished, Disk.Mode.CREATE_PRIVATE)) {
      writeFully(fresh, ByteBuffer.allocate(SLOT_BYTES), 0);
      writeFully(fresh, slot, SLOT_BYTES);
    }
    disk.move(unfinished, path);
    close(); // where the file was deleted, it may still be open
  }

  private DiskFile opened() throws IOException {
    DiskFile current = file;
    if (current == null) {
      boolean exists = stat() != null;
      current = disk.open(path, exists ? Disk.Mode.UPDATE : Disk.Mode.CREATE_PRIVATE);
      file = current;
      nameIsDurable = !durable;
    }
    return current;
  }

  @Override
  public void close() {
    DiskFile current = file;
    file = null;
    if (current != null) {
      try {
        current.close();
      } catch (IOException e) {
        // Every save has been written by then; closing adds nothing.
      }
    }
  }
}
