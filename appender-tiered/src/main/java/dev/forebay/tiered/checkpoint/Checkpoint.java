package dev.forebay.tiered.checkpoint;

import dev.forebay.tiered.disk.Disk;
import dev.forebay.tiered.identity.InstanceId;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.util.zip.CRC32C;
import org.jspecify.annotations.Nullable;

/**
 * The progress of shipping: in the log, the bytes before {@link #end} are committed. After them
 * there can only be records of one spool from {@link #next} on, or a part of them.
 *
 * <p>Its bytes in a file, of which only this class knows the order; numbers are little-endian:
 *
 * <pre>
 *     0  u32 magic "FBCK"            56  u64 paused instance, high half
 *     4  u16 version 3               64  u64 paused instance, low half
 *     6  u16 state                   72  u64 paused sequence
 *     8  u64 generation              80  u64 lost
 *    16  u64 instance, high half     88  u64 refused
 *    24  u64 instance, low half      96  u64 paused lost
 *    32  u64 sequence               104  u64 paused refused
 *    40  u64 end offset             112  u16 length of the file key, then the key
 *    48  u32 anchor length          508  u32 crc32c of bytes 0 to 507
 *    52  u32 anchor crc32c
 * </pre>
 *
 * Version 2, which is read too, lacks bytes 80 to 111.
 *
 * @param next the first uncommitted record of the spool being shipped
 * @param paused the same for the spool that was suspended in favor of that one; {@link
 *     SpoolPosition#NONE} if none was
 * @param anchor the last committed bytes, to distinguish the same file from a reused one
 */
public record Checkpoint(
    State state, SpoolPosition next, SpoolPosition paused, Position end, Anchor anchor) {

  static final int BYTES = 512;
  static final short VERSION = 3;
  private static final short VERSION_WITHOUT_LOST = 2;

  /** The checkpoint before anything was shipped. */
  static final Checkpoint NONE =
      new Checkpoint(
          State.BOUNDARY, SpoolPosition.NONE, SpoolPosition.NONE, Position.NOWHERE, Anchor.NONE);

  private static final int MAGIC = 0x4B434246;
  private static final int GENERATION_AT = 8;
  private static final int KEY_AT = 114;
  private static final int CRC_AT = BYTES - Integer.BYTES;
  private static final int MAX_KEY_BYTES = CRC_AT - KEY_AT;

  public Checkpoint movedTo(String fileKey) {
    return new Checkpoint(state, next, paused, new Position(fileKey, end.offset()), anchor);
  }

  /** Whether the given spool is the one being shipped. */
  public boolean names(InstanceId spool) {
    return next.isIn(spool);
  }

  /** The first uncommitted record of a spool; its begin if the spool is not named here. */
  public SpoolPosition position(InstanceId spool) {
    return names(spool) ? next : paused.isIn(spool) ? paused : SpoolPosition.beginOf(spool);
  }

  /** This checkpoint after a failed force, which may have kept the records from the disk. */
  Checkpoint unforced() {
    return new Checkpoint(State.UNFORCED, next, paused, end, anchor);
  }

  static ByteBuffer buffer() {
    return Disk.buffer(BYTES).order(ByteOrder.LITTLE_ENDIAN);
  }

  /** Fills a buffer, all of which the caller writes. Generations number the saves, from 1 on. */
  void encode(ByteBuffer slot, long generation) throws IOException {
    byte[] key = end.fileKey().getBytes(StandardCharsets.UTF_8);
    if (key.length > MAX_KEY_BYTES) {
      throw new IOException("file key has " + key.length + " bytes, limit " + MAX_KEY_BYTES);
    }
    slot.clear().put(new byte[BYTES]).clear();
    slot.putInt(MAGIC).putShort(VERSION).putShort((short) state.ordinal()).putLong(generation);
    put(slot, next);
    slot.putLong(end.offset()).putInt(anchor.length()).putInt(anchor.crc());
    put(slot, paused);
    slot.putLong(next.lost()).putLong(next.refused());
    slot.putLong(paused.lost()).putLong(paused.refused());
    slot.putShort((short) key.length).put(key);
    slot.putInt(CRC_AT, crc(slot)).clear();
  }

  /** The checkpoint in a buffer; null if its bytes are of no version that is known here. */
  static @Nullable Checkpoint decode(ByteBuffer slot) {
    slot.position(Integer.BYTES);
    int version = slot.getShort();
    int state = slot.getShort();
    long generation = slot.getLong();
    SpoolPosition next = spoolPosition(slot);
    long end = slot.getLong();
    Anchor anchor = new Anchor(slot.getInt(), slot.getInt());
    SpoolPosition paused = spoolPosition(slot);
    if (version == VERSION) {
      next = next.with(slot.getLong(), slot.getLong());
      paused = paused.with(slot.getLong(), slot.getLong());
    }
    int keyBytes = slot.getShort();
    boolean isValid =
        isWhole(slot)
            && (version == VERSION || version == VERSION_WITHOUT_LOST)
            && state >= 0
            && state < State.values().length
            && generation > 0
            && generation + 1 > 0
            && next.isSound()
            && end >= 0
            && anchor.length() >= 0
            && paused.isSound()
            && keyBytes >= 0
            && keyBytes <= MAX_KEY_BYTES;
    if (!isValid) {
      return null;
    }
    byte[] key = new byte[keyBytes];
    slot.get(key);
    Position at = new Position(new String(key, StandardCharsets.UTF_8), end);
    return new Checkpoint(State.values()[state], next, paused, at, anchor);
  }

  /** Whether any version wrote these bytes. */
  static boolean isWhole(ByteBuffer slot) {
    return slot.getInt(0) == MAGIC && slot.getInt(CRC_AT) == crc(slot);
  }

  static long generation(ByteBuffer slot) {
    return slot.getLong(GENERATION_AT);
  }

  private static void put(ByteBuffer slot, SpoolPosition position) {
    slot.putLong(position.instance().high()).putLong(position.instance().low());
    slot.putLong(position.sequence());
  }

  private static SpoolPosition spoolPosition(ByteBuffer slot) {
    InstanceId instance = new InstanceId(slot.getLong(), slot.getLong());
    return new SpoolPosition(instance, slot.getLong(), 0, 0);
  }

  private static int crc(ByteBuffer slot) {
    return Anchor.of(slot.duplicate().position(0).limit(CRC_AT)).crc();
  }

  /** What may follow the committed bytes. The order is part of the format. */
  public enum State {
    /** Records of the spool. */
    RECORDS,
    /** A header or footer being written, or a file being rolled; no records. */
    BOUNDARY,
    /** Records that a failed force may have kept from the disk, although they can be read. */
    UNFORCED
  }

  /** Length, 0 when not known, and CRC32C of the last bytes before the end. */
  public record Anchor(int length, int crc) {

    public static final Anchor NONE = new Anchor(0, 0);

    /** The anchor of the remaining bytes of a buffer. */
    public static Anchor of(ByteBuffer bytes) {
      int length = bytes.remaining();
      CRC32C crc = new CRC32C();
      crc.update(bytes);
      return new Anchor(length, (int) crc.getValue());
    }
  }

  /**
   * A place in a spool, after so many records.
   *
   * @param lost how many of these are not at the destination, since they could not be read or were
   *     refused
   * @param refused how many of the lost records the destination refused
   */
  public record SpoolPosition(InstanceId instance, long sequence, long lost, long refused) {

    /** The position in no spool. */
    public static final SpoolPosition NONE = beginOf(new InstanceId(0, 0));

    public static SpoolPosition beginOf(InstanceId spool) {
      return new SpoolPosition(spool, 0, 0, 0);
    }

    /** The same place, which others may know better: what they know of it only grows. */
    public SpoolPosition atLeast(SpoolPosition other) {
      return new SpoolPosition(
          instance,
          Math.max(sequence, other.sequence),
          Math.max(lost, other.lost),
          Math.max(refused, other.refused));
    }

    private SpoolPosition with(long lost, long refused) {
      return new SpoolPosition(instance, sequence, lost, refused);
    }

    private boolean isSound() {
      return refused >= 0 && lost >= refused && sequence >= lost;
    }

    boolean isIn(InstanceId spool) {
      return instance.equals(spool);
    }
  }

  /**
   * A place in the durable log, after so many bytes of a file of this identity, which is stable
   * under renaming; "" if the file system has none.
   */
  public record Position(String fileKey, long offset) {

    /** The position in a destination that is not a file. */
    public static final Position NOWHERE = new Position("", 0);
  }
}
