package dev.forebay.tiered.jvm;

import dev.forebay.tiered.disk.MemoryDisk;
import dev.forebay.tiered.spool.JvmDirectory;
import dev.forebay.tiered.spool.LogIdentity;
import dev.forebay.tiered.spool.LogNote;
import dev.forebay.tiered.spool.ReadOutcome;
import dev.forebay.tiered.spool.RecordBatch;
import dev.forebay.tiered.spool.RecordSource;
import dev.forebay.tiered.spool.SpoolDirectory;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.zip.CRC32C;

/**
 * A fuzz target: what a dead JVM left, with any content of the small files that say what it is:
 * {@code position}, {@code output} and {@code log}. Nothing is thrown, the lines that are linked
 * become a spool from some byte on, and nothing is left to take over.
 *
 * <p>Input: flags (1 and 2 give the position's slots right checksums, 4 is for an output), the
 * length of the output and of the note, the bytes of both, and those of the position.
 */
public final class JvmFilesFuzz {
  private static final Path BASE = Path.of("/shm");
  private static final String LINES = "first\nsecond\nthird\n";
  private static final int SLOT = PositionFile.SLOT_BYTES;
  private static final int OUTPUT = 4;

  private JvmFilesFuzz() {}

  /** The entry point: throws where something is wrong. */
  public static void fuzzerTestOneInput(byte[] data) throws IOException {
    if (data.length < 2) {
      return;
    }
    int textEnd = Math.min(data.length, 2 + (data[1] & 0xFF));
    byte[] text = Arrays.copyOfRange(data, 2, textEnd);
    byte[] position = Arrays.copyOfRange(data, textEnd, data.length);
    boolean isFirst = seal(position, data[0], 0);
    boolean isSecond = seal(position, data[0] >> 1, SLOT);
    MemoryDisk disk = new MemoryDisk();
    disk.createDirectory(BASE);
    SpoolDirectory directory =
        SpoolDirectory.open(disk, BASE, LogIdentity.unresolved(disk, Path.of("/log/gc.log")));
    boolean hasOutput = (data[0] & OUTPUT) != 0;
    Path left = leave(disk, directory, hasOutput ? text : null, position);
    LogNote note = directory.note();
    require(!hasOutput || note == null || note.path().length() <= text.length, "note");
    JvmPosition peeked = PositionFile.peek(disk, left);
    require(isFirst || isSecond || peeked == null, "a position without a checksum");
    boolean isNew = new JvmRescue(directory, spool -> 0).run(spool -> false);
    require(directory.jvmDirectories().isEmpty(), "left");
    require(!new JvmRescue(directory, spool -> 0).run(spool -> false), "again");
    String lines = lines(directory);
    require(isNew || lines.isEmpty(), "no spool");
    require(LINES.endsWith(lines), "other lines: " + lines);
    require(peeked != null || lines.equals(LINES), "some lines are missing: " + lines);
    require(peeked != null || !directory.takeWarnings().isEmpty(), "forgotten in silence");
  }

  private static Path leave(
      MemoryDisk disk, SpoolDirectory directory, byte[] output, byte[] position)
      throws IOException {
    JvmDirectory dead = directory.createJvmDirectory();
    Path path = dead.path();
    dead.close();
    List<String> lines = LINES.lines().toList();
    for (int i = 0; i < lines.size(); i++) {
      Path link = path.resolve("000000000000000" + i + JvmDirectory.LINK);
      disk.put(link, (lines.get(i) + "\n").getBytes(StandardCharsets.UTF_8));
    }
    disk.put(path.resolve(JvmDirectory.POSITION), position);
    if (output != null) {
      disk.put(path.resolve(JvmDirectory.OUTPUT), output);
      disk.put(path.resolve("log"), output);
    }
    return path;
  }

  private static boolean seal(byte[] content, int flags, int slot) {
    if ((flags & 1) == 0 || content.length < slot + SLOT) {
      return false;
    }
    ByteBuffer bytes = ByteBuffer.wrap(content).order(ByteOrder.LITTLE_ENDIAN);
    bytes.putInt(slot, 0x504A4246).putShort(slot + 4, (short) 1);
    bytes.putShort(slot + 6, (short) (bytes.getShort(slot + 6) & 1)); // a gap adds a line of ours
    CRC32C crc = new CRC32C();
    crc.update(content, slot, SLOT - 4);
    bytes.putInt(slot + SLOT - 4, (int) crc.getValue());
    return true;
  }

  private static String lines(SpoolDirectory directory) throws IOException {
    StringBuilder lines = new StringBuilder();
    for (RecordSource source : directory.orphans(null)) {
      RecordBatch batch = new RecordBatch(1 << 20);
      while (source.read(batch, Long.MAX_VALUE) instanceof ReadOutcome.Records) {
        byte[] all = new byte[batch.byteCount()];
        batch.payload().get(all);
        lines.append(new String(all, StandardCharsets.UTF_8));
      }
    }
    return lines.toString();
  }

  private static void require(boolean holds, String otherwise) {
    if (!holds) {
      throw new IllegalStateException(otherwise);
    }
  }
}
