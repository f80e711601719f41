package dev.forebay.tiered.file;

import dev.forebay.tiered.disk.DirectBuffers;
import dev.forebay.tiered.file.Checkpoint.Anchor;
import dev.forebay.tiered.file.Checkpoint.State;
import dev.forebay.tiered.spool.InstanceId;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.util.Objects;
import java.util.zip.CRC32C;

/**
 * A checkpoint as bytes. Only this class knows the offsets. All numbers are little-endian.
 *
 * <pre>
 *     0  u32 magic "FBCK"            48  u32 anchor length
 *     4  u16 version 2               52  u32 anchor crc32c
 *     6  u16 state                   56  u64 paused instance, high half
 *     8  u64 generation              64  u64 paused instance, low half
 *    16  u64 instance, high half     72  u64 paused sequence
 *    24  u64 instance, low half      80  u16 length of the file key, then the key
 *    32  u64 sequence               508  u32 crc32c of bytes 0 to 507
 *    40  u64 end offset
 * </pre>
 */
final class CheckpointFormat {

  static final int BYTES = 512;
  static final short VERSION = 2;

  private static final int MAGIC = 0x4B434246;
  private static final int VERSION_AT = 4;
  private static final int STATE_AT = 6;
  private static final int GENERATION_AT = 8;
  private static final int NEXT_AT = 16;
  private static final int END_AT = 40;
  private static final int ANCHOR_AT = 48;
  private static final int PAUSED_AT = 56;
  private static final int KEY_AT = 80;
  private static final int CRC_AT = BYTES - Integer.BYTES;
  private static final int MAX_KEY_BYTES = CRC_AT - KEY_AT - Short.BYTES;

  private CheckpointFormat() {}

  static ByteBuffer buffer() {
    return DirectBuffers.allocate(BYTES).order(ByteOrder.LITTLE_ENDIAN);
  }

  /** Fills a buffer; the caller writes all of it. */
  static void encode(ByteBuffer slot, Checkpoint checkpoint, long generation) throws IOException {
    byte[] key = checkpoint.end().fileKey().getBytes(StandardCharsets.UTF_8);
    if (key.length > MAX_KEY_BYTES) {
      throw new IOException("file key has " + key.length + " bytes, limit " + MAX_KEY_BYTES);
    }
    slot.clear();
    slot.put(new byte[BYTES]);
    slot.putInt(0, MAGIC).putShort(VERSION_AT, VERSION);
    slot.putShort(STATE_AT, checkpoint.state().code()).putLong(GENERATION_AT, generation);
    put(slot, NEXT_AT, checkpoint.next());
    slot.putLong(END_AT, checkpoint.end().offset());
    slot.putInt(ANCHOR_AT, checkpoint.anchor().length());
    slot.putInt(ANCHOR_AT + Integer.BYTES, checkpoint.anchor().crc());
    put(slot, PAUSED_AT, checkpoint.paused());
    slot.putShort(KEY_AT, (short) key.length).put(KEY_AT + Short.BYTES, key);
    slot.putInt(CRC_AT, crc(slot));
    slot.clear();
  }

  /** The checkpoint in a buffer for which {@link #isValid} is true. */
  static Checkpoint decode(ByteBuffer slot) {
    byte[] key = new byte[slot.getShort(KEY_AT)];
    slot.get(KEY_AT + Short.BYTES, key);
    return new Checkpoint(
        Objects.requireNonNull(State.of(slot.getShort(STATE_AT))),
        spoolPosition(slot, NEXT_AT),
        spoolPosition(slot, PAUSED_AT),
        new Position(new String(key, StandardCharsets.UTF_8), slot.getLong(END_AT)),
        new Anchor(slot.getInt(ANCHOR_AT), slot.getInt(ANCHOR_AT + Integer.BYTES)));
  }

  /** Whether these bytes are a checkpoint of this version. */
  static boolean isValid(ByteBuffer slot) {
    return isWhole(slot)
        && version(slot) == VERSION
        && State.of(slot.getShort(STATE_AT)) != null
        && generation(slot) > 0
        && generation(slot) + 1 > 0
        && sequence(slot, NEXT_AT) >= 0
        && slot.getLong(END_AT) >= 0
        && slot.getInt(ANCHOR_AT) >= 0
        && sequence(slot, PAUSED_AT) >= 0
        && slot.getShort(KEY_AT) >= 0
        && slot.getShort(KEY_AT) <= MAX_KEY_BYTES;
  }

  /** Whether any version wrote these bytes. */
  static boolean isWhole(ByteBuffer slot) {
    return slot.getInt(0) == MAGIC && slot.getInt(CRC_AT) == crc(slot);
  }

  private static short version(ByteBuffer slot) {
    return slot.getShort(VERSION_AT);
  }

  /** The number of the save, counted from 1. */
  static long generation(ByteBuffer slot) {
    return slot.getLong(GENERATION_AT);
  }

  private static void put(ByteBuffer slot, int at, SpoolPosition position) {
    slot.putLong(at, position.instance().high());
    slot.putLong(at + Long.BYTES, position.instance().low());
    slot.putLong(at + 2 * Long.BYTES, position.sequence());
  }

  private static SpoolPosition spoolPosition(ByteBuffer slot, int at) {
    InstanceId instance = new InstanceId(slot.getLong(at), slot.getLong(at + Long.BYTES));
    return new SpoolPosition(instance, sequence(slot, at));
  }

  private static long sequence(ByteBuffer slot, int at) {
    return slot.getLong(at + 2 * Long.BYTES);
  }

  private static int crc(ByteBuffer slot) {
    CRC32C crc = new CRC32C();
    crc.update(slot.duplicate().position(0).limit(CRC_AT));
    return (int) crc.getValue();
  }
}
