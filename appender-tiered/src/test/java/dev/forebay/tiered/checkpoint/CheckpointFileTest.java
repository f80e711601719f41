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
import dev.forebay.tiered.identity.LogIdentity;
import dev.forebay.tiered.spool.Spool;
import dev.forebay.tiered.spool.SpoolDirectory;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.List;
import java.util.zip.CRC32C;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

@Tag("once")
class CheckpointFileTest {

  private static final int SLOT = CheckpointFile.SLOT_BYTES;
  private static final InstanceId NEXT = new InstanceId(0x0102030405060708L, 0x090A0B0C0D0E0F10L);
  private static final InstanceId PAUSED = new InstanceId(0x1112131415161718L, 0x191A1B1C1D1E1F20L);

  @TempDir Path directory;

  private final FaultyDisk disk = ShippingProcess.unforced();
  private Path path;

  @BeforeEach
  void name() {
    path = directory.resolve("checkpoint");
  }

  /** Not the first one, so that something can be lost before it. */
  private static Checkpoint checkpoint(long sequence) {
    return new Checkpoint(
        State.UNFORCED,
        new SpoolPosition(NEXT, sequence + 0x66778899A0L, 0x0102030405L, 0x01020304L),
        new SpoolPosition(PAUSED, 0x21222324L, 0x11121314L, 0x10111213L),
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

  /** Version 3 on disk; a change of these bytes needs another version number. */
  @Test
  void theFormatIsTheOneOfVersionThree() throws IOException {
    save(0xA);

    byte[] slot = Arrays.copyOfRange(Files.readAllBytes(path), SLOT, 2 * SLOT);
    HexFormat hex = HexFormat.of();
    assertThat(hex.formatHex(slot, 0, 128))
        .isEqualTo(
            "4642434b" // FBCK
                + "0300" // version
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
                + "0504030201000000" // lost
                + "0403020100000000" // refused
                + "1413121100000000" // paused lost
                + "1312111000000000" // paused refused
                + "0d00" // length of the key
                + hex.formatHex("(dev=1,ino=2)".getBytes(StandardCharsets.UTF_8))
                + "00");
    CRC32C crc = new CRC32C();
    crc.update(slot, 0, SLOT - 4);
    assertThat(ByteBuffer.wrap(slot).order(ByteOrder.LITTLE_ENDIAN).getInt(508))
        .isEqualTo((int) crc.getValue());
  }

  /** Written by the last release of version 2, and never changed. */
  @Test
  void versionTwoIsReadAsOneWithoutLosses() throws Exception {
    save(1);
    Files.copy(
        Path.of(CheckpointFileTest.class.getResource("/checkpoint-v2/checkpoint").toURI()),
        path,
        StandardCopyOption.REPLACE_EXISTING);
    Files.setPosixFilePermissions(path, PosixFilePermissions.fromString("rw-------"));

    Checkpoint expected =
        new Checkpoint(
            State.UNFORCED,
            new SpoolPosition(NEXT, 0x66778899AAL, 0, 0),
            new SpoolPosition(PAUSED, 0x21222324L, 0, 0),
            new Position("(dev=1,ino=2)", 0x1122334455L),
            new Anchor(64, 0xCAFEBABE));
    assertThat(load()).isEqualTo(expected);
    try (CheckpointFile file = new CheckpointFile(disk, path, false)) {
      file.load();
      file.save(checkpoint(3)); // beside a slot of version 2
      assertThat(load()).isEqualTo(checkpoint(3));
      damage(SLOT + 100);
      assertThat(load()).isEqualTo(expected);
    }
  }

  @Test
  void aSlotWithLossesThatCannotBeDoesNotCount() throws IOException {
    List<SpoolPosition> unsound =
        List.of(
            new SpoolPosition(NEXT, 5, 6, 0),
            new SpoolPosition(NEXT, 5, 4, 5),
            new SpoolPosition(NEXT, 5, 4, -1),
            new SpoolPosition(NEXT, -1, -1, -1));
    for (SpoolPosition position : unsound) {
      for (boolean isPaused : new boolean[] {false, true}) {
        Checkpoint sound = checkpoint(1);
        try (CheckpointFile file = new CheckpointFile(disk, path, false)) {
          file.save(sound);
          file.save(
              new Checkpoint(
                  State.RECORDS,
                  isPaused ? sound.next() : position,
                  isPaused ? position : sound.paused(),
                  sound.end(),
                  sound.anchor()));
        }
        assertThat(load()).as("%s, paused: %s", position, isPaused).isEqualTo(sound);
        Files.delete(path);
      }
    }
  }

  @Test
  void whoHasNoLockSeesThePositionsOfBothSpools() throws IOException {
    save(1, 2);
    CheckpointView view = CheckpointView.of(disk, directory);

    InstanceId unknown = new InstanceId(1, 1);
    assertThat(view.position(NEXT)).isEqualTo(checkpoint(2).next());
    assertThat(view.position(PAUSED)).isEqualTo(checkpoint(2).paused());
    assertThat(view.position(unknown)).isEqualTo(new SpoolPosition(unknown, 0, 0, 0));
    Files.delete(path);
    assertThat(CheckpointView.of(disk, directory).position(NEXT).sequence()).isZero();
  }

  @Test
  void aSpoolThatIsSuspendedForAnotherKeepsItsCounts() throws IOException {
    SpoolDirectory spools =
        SpoolDirectory.open(disk, directory, LogIdentity.of(disk, Path.of("/app.log")));
    SpoolPosition suspended;
    try (Spool first = spools.createSpool(ShippingProcess.LIMITS);
        CheckpointFile file = new CheckpointFile(spools, true)) {
      suspended = new SpoolPosition(first.instanceId(), 9, 5, 2);
      saveAs(file, suspended, spools);
      saveAs(file, new SpoolPosition(NEXT, 3, 1, 0), spools);
      assertThat(file.position(first.instanceId())).isEqualTo(suspended);
    }
    assertThat(CheckpointView.of(disk, spools.path()).position(suspended.instance()))
        .isEqualTo(suspended);
  }

  private static void saveAs(CheckpointFile file, SpoolPosition next, SpoolDirectory spools)
      throws IOException {
    file.save(next, spools, State.BOUNDARY, Position.NOWHERE, Anchor.NONE);
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

  /** A second force would succeed although pages were lost. */
  @Test
  void whatCouldNotBeSavedAsUnforcedStaysSoWhenTheFileIsReadAgain() throws IOException {
    try (CheckpointFile file = new CheckpointFile(disk, path, false)) {
      Checkpoint last = checkpoint(7);
      file.save(
          new Checkpoint(State.RECORDS, last.next(), last.paused(), last.end(), last.anchor()));
      disk.failOnce(FaultyDisk.Op.WRITE, 1, new IOException("EIO"));
      assertThatThrownBy(() -> file.markUnforced(NEXT)).hasMessage("EIO");
      file.reload();
      assertThat(file.newestOf(NEXT)).isEqualTo(last);

      CheckpointFile ofOther = new CheckpointFile(disk, path, false);
      ofOther.reload();
      ofOther.save(
          new Checkpoint(State.RECORDS, last.next(), last.paused(), last.end(), Anchor.NONE));
      ofOther.close();
      file.reload();
      assertThat(file.newestOf(NEXT).state()).isEqualTo(State.RECORDS);
    }
  }
}
