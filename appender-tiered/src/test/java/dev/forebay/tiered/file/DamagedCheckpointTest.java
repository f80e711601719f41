package dev.forebay.tiered.file;

import static org.assertj.core.api.Assertions.assertThat;

import dev.forebay.tiered.disk.Disk;
import dev.forebay.tiered.ship.ShipAccess;
import dev.forebay.tiered.spool.Spool;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.List;
import java.util.stream.Stream;
import java.util.zip.CRC32C;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * A process dies with "a" and "b" in the log and "c" in its spool; then something happens to the
 * checkpoint, or to the mark in the spool. Nothing is lost, and what may be doubled is said.
 */
@Tag("once")
class DamagedCheckpointTest {
  @TempDir Path directory;
  private final Disk disk = ShippingProcess.unforced();
  private Path checkpoint;

  /** What stands at the name of the checkpoint instead. */
  enum Stranger {
    DIRECTORY {
      @Override
      void putAt(Path path) throws IOException {
        Files.createDirectories(path.resolve("of/others"));
      }
    },
    EMPTY_DIRECTORY {
      @Override
      void putAt(Path path) throws IOException {
        Files.createDirectory(path);
      }
    },
    PIPE {
      @Override
      void putAt(Path path) throws IOException {
        try {
          assertThat(new ProcessBuilder("mkfifo", path.toString()).start().waitFor()).isZero();
        } catch (InterruptedException e) {
          throw new IOException(e);
        }
      }
    },
    LINK {
      @Override
      void putAt(Path path) throws IOException {
        Files.createSymbolicLink(path, path.resolveSibling("ship.lock"));
      }
    },
    DANGLING_LINK {
      @Override
      void putAt(Path path) throws IOException {
        Files.createSymbolicLink(path, path.resolveSibling("nowhere"));
      }
    };

    abstract void putAt(Path path) throws IOException;
  }

  private ShippingProcess process() throws IOException {
    return ShippingProcess.in(directory, disk, ShippingProcess.EVERY_SECOND);
  }

  private Path leaveOrphan() throws IOException {
    ShippingProcess first = process();
    Spool spool = first.spoolOf(List.of("a", "b"));
    first.turns(4);
    ShippingProcess.write(spool, List.of("c"));
    first.die();
    checkpoint = spool.path().resolveSibling("checkpoint");
    return spool.path();
  }

  private ShippingProcess recover() throws IOException {
    ShippingProcess second = process();
    Spool own = second.spoolOf(List.of("own"));
    second.turns(3);
    second.turns(30); // the spools are looked at again and again
    second.retire(own);
    assertThat(second.stop()).isTrue();
    assertThat(second.account.committed).isEqualTo(1);
    assertThat(second.account.lost).isZero();
    assertThat(second.account.failures).isEmpty();
    return second;
  }

  private static void flip(Path file, int... offsets) throws IOException {
    byte[] bytes = Files.readAllBytes(file);
    for (int offset : offsets) {
      bytes[offset] ^= 1;
    }
    Files.write(file, bytes);
  }

  private static void expectDoublesAndOneWarning(ShippingProcess second, Path damaged)
      throws IOException {
    assertThat(second.log.records()).containsExactly("a", "b", "a", "b", "c", "own");
    assertThat(second.account.warnings)
        .singleElement()
        .asString()
        .contains(damaged.toString(), "may be duplicated");
  }

  @Test
  void oneDamagedSlotDoublesNothing() throws IOException {
    for (int offset : new int[] {40, CheckpointFile.SLOT_BYTES + 40}) {
      Path spool = leaveOrphan();
      flip(checkpoint, offset);

      ShippingProcess second = recover();

      assertThat(second.log.records()).containsExactly("a", "b", "c", "own");
      assertThat(second.account.warnings).isEmpty();
      assertThat(spool).doesNotExist();
      Files.delete(directory.resolve("log/app.log"));
    }
  }

  /** The older slot says that a header or footer was being written. */
  @Test
  void aDamagedSlotIsSilentAlsoWhereTheOtherOneKnowsOfNoRecords() throws IOException {
    ShippingProcess first = process();
    Spool spool = first.spoolOf(List.of("a", "b"));
    first.shipper.doWork();
    first.die();
    checkpoint = spool.path().resolveSibling("checkpoint");
    flip(checkpoint, CheckpointFile.SLOT_BYTES + 40);

    ShippingProcess second = recover();

    assertThat(second.log.records()).contains("a", "b").endsWith("own");
    assertThat(second.account.warnings).isEmpty();
  }

  @Test
  void aCheckpointInAnotherFormatIsKeptAndSaidToDouble() throws IOException {
    leaveOrphan();
    ByteBuffer bytes = ByteBuffer.wrap(Files.readAllBytes(checkpoint));
    bytes.order(ByteOrder.LITTLE_ENDIAN);
    for (int slot = 0; slot < bytes.limit(); slot += CheckpointFile.SLOT_BYTES) {
      CRC32C crc = new CRC32C();
      bytes.putShort(slot + 4, (short) 1);
      crc.update(bytes.slice(slot, CheckpointFile.SLOT_BYTES - 4));
      bytes.putInt(slot + CheckpointFile.SLOT_BYTES - 4, (int) crc.getValue());
    }
    Files.write(checkpoint, bytes.array());

    ShippingProcess second = recover();

    expectDoublesAndOneWarning(second, checkpoint);
    assertThat(second.account.warnings.get(0)).contains("is in another format");
    try (Stream<Path> kept = Files.list(checkpoint.getParent())) {
      assertThat(kept.filter(path -> path.toString().contains("checkpoint-")))
          .singleElement()
          .satisfies(path -> assertThat(path).hasBinaryContent(bytes.array()));
    }
  }

  @Test
  void twoDamagedSlotsAreSaidToDouble() throws IOException {
    leaveOrphan();
    flip(checkpoint, 40, CheckpointFile.SLOT_BYTES + 40);

    expectDoublesAndOneWarning(recover(), checkpoint);
  }

  @Test
  void aCheckpointOfZerosIsSaidToDouble() throws IOException {
    leaveOrphan();
    Files.write(checkpoint, new byte[2 * CheckpointFile.SLOT_BYTES]);

    expectDoublesAndOneWarning(recover(), checkpoint);
  }

  @Test
  void anEmptyCheckpointIsSaidToDouble() throws IOException {
    leaveOrphan();
    Files.write(checkpoint, new byte[0]);

    expectDoublesAndOneWarning(recover(), checkpoint);
  }

  @Test
  void aDamagedCheckpointWithoutEarlierSpoolsIsReplacedInSilence() throws IOException {
    ShippingProcess first = process();
    Spool spool = first.spool();
    first.turns(2);
    first.retire(spool);
    first.turns(2);
    checkpoint = spool.path().resolveSibling("checkpoint");
    first.stop();
    Files.createDirectories( // the user's and the log's
        checkpoint.getParent(),
        PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rwx------")));
    Files.write(checkpoint, new byte[2000]);

    ShippingProcess second = recover();

    assertThat(second.log.records()).containsExactly("own");
    assertThat(second.account.warnings).isEmpty();
  }

  @Test
  void aProcessThatDiedBeforeItShippedAnythingIsNotSaidToDouble() throws IOException {
    ShippingProcess first = process();
    Spool spool = first.spool();
    ShipAccess.scan(first.queue); // reserves the room of the checkpoint
    ShippingProcess.write(spool, List.of("a"));
    first.die();

    ShippingProcess second = recover();

    assertThat(second.log.records()).containsExactly("a", "own");
    assertThat(second.account.warnings).isEmpty();
  }

  @ParameterizedTest
  @EnumSource(Stranger.class)
  void whatStandsInPlaceOfTheCheckpointIsPutAsideAndHoldsUpNothing(Stranger stranger)
      throws IOException {
    leaveOrphan();
    Files.delete(checkpoint);
    stranger.putAt(checkpoint);

    ShippingProcess second = recover();

    expectDoublesAndOneWarning(second, checkpoint);
    ShippingProcess third = recover();
    assertThat(third.account.warnings).isEmpty();
  }
}
