package dev.forebay.tiered.checkpoint;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.forebay.tiered.checkpoint.Checkpoint.Anchor;
import dev.forebay.tiered.checkpoint.Checkpoint.Position;
import dev.forebay.tiered.checkpoint.Checkpoint.SpoolPosition;
import dev.forebay.tiered.checkpoint.Checkpoint.State;
import dev.forebay.tiered.disk.FaultyDisk;
import dev.forebay.tiered.file.ShippingProcess;
import dev.forebay.tiered.identity.InstanceId;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.zip.CRC32C;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

@Tag("once")
class CheckpointFileTest {

  private static final int SLOT = CheckpointFile.SLOT_BYTES;

  @TempDir Path directory;

  private final FaultyDisk disk = ShippingProcess.unforced();
  private Path path;

  @BeforeEach
  void name() {
    path = directory.resolve("checkpoint");
  }

  private static Checkpoint checkpoint(long sequence) {
    return new Checkpoint(
        State.UNFORCED,
        new SpoolPosition(new InstanceId(0x0102030405060708L, 0x090A0B0C0D0E0F10L), sequence),
        new SpoolPosition(new InstanceId(0x1112131415161718L, 0x191A1B1C1D1E1F20L), 0x21222324L),
        new Position("(dev=1,ino=2)", 0x1122334455L),
        new Anchor(64, 0xCAFEBABE));
  }

  private void save(long... sequences) throws IOException {
    try (CheckpointFile file = new CheckpointFile(disk, path, false)) {
      for (long sequence : sequences) {
        file.save(checkpoint(sequence));
      }
    }
  }

  private @Nullable Checkpoint load() throws IOException {
    try (CheckpointFile file = new CheckpointFile(disk, path, false)) {
      return file.load();
    }
  }

  private void damage(int offset) throws IOException {
    byte[] bytes = Files.readAllBytes(path);
    bytes[offset] ^= 1;
    Files.write(path, bytes);
  }

  /** Version 2 on disk; a change of these bytes needs another version number. */
  @Test
  void theFormatIsTheOneOfVersionTwo() throws IOException {
    save(0x66778899AAL);

    byte[] slot = Arrays.copyOfRange(Files.readAllBytes(path), SLOT, 2 * SLOT);
    HexFormat hex = HexFormat.of();
    assertThat(hex.formatHex(slot, 0, 96))
        .isEqualTo(
            "4642434b" // FBCK
                + "0200" // version
                + "0200" // unforced
                + "0100000000000000" // generation
                + "0807060504030201" // instance, high
                + "100f0e0d0c0b0a09" // instance, low
                + "aa99887766000000" // sequence
                + "5544332211000000" // end offset
                + "40000000" // anchor length
                + "bebafeca" // anchor crc
                + "1817161514131211" // paused instance, high
                + "201f1e1d1c1b1a19" // paused instance, low
                + "2423222100000000" // paused sequence
                + "0d00" // length of the key
                + hex.formatHex("(dev=1,ino=2)".getBytes(StandardCharsets.UTF_8))
                + "00");
    CRC32C crc = new CRC32C();
    crc.update(slot, 0, SLOT - 4);
    assertThat(ByteBuffer.wrap(slot).order(ByteOrder.LITTLE_ENDIAN).getInt(508))
        .isEqualTo((int) crc.getValue());
  }

  @Test
  void everyFlippedBitOfTheNewerSlotLeavesTheOlderOne() throws IOException {
    save(1, 2);
    for (int offset = 0; offset < SLOT; offset++) {
      damage(offset);
      assertThat(load()).as("offset %d", offset).isEqualTo(checkpoint(1));
      damage(offset);
    }
    assertThat(load()).isEqualTo(checkpoint(2));
  }

  @Test
  void aSaveThatBreaksOffLeavesTheCheckpointBefore() throws IOException {
    save(1, 2);
    try (CheckpointFile file = new CheckpointFile(disk, path, false)) {
      assertThat(file.load()).isEqualTo(checkpoint(2));
      disk.limitWrites(100).failOnce(FaultyDisk.Op.WRITE, 3, new IOException("no"));
      assertThatThrownBy(() -> file.save(checkpoint(3))).hasMessage("no");
      assertThat(load()).isEqualTo(checkpoint(2));
      file.save(checkpoint(4));
    }
    assertThat(load()).isEqualTo(checkpoint(4));
  }

  @Test
  void theOlderSlotDoesNotCountAfterTheNewerOneCouldNotBeRead() throws IOException {
    save(1, 2, 3, 4, 5); // the newest one is in the second slot
    try (CheckpointFile file = new CheckpointFile(disk, path, false)) {
      disk.failOnce(FaultyDisk.Op.READ, 2, new IOException("no"));
      assertThatThrownBy(file::load).hasMessage("no");
      assertThat(file.load()).isEqualTo(checkpoint(5));
    }
  }

  @Test
  void aDurableCheckpointIsForcedWithItsName() throws IOException {
    try (CheckpointFile file = new CheckpointFile(disk, path, true)) {
      file.save(checkpoint(1));
      file.save(checkpoint(2));
    }
    assertThat(disk.calls(FaultyDisk.Op.FORCE)).isEqualTo(2);
    assertThat(disk.calls(FaultyDisk.Op.FORCE_DIRECTORY)).isEqualTo(1);
    assertThat(disk.calls(FaultyDisk.Op.CLOSE)).isEqualTo(1);
  }
}
