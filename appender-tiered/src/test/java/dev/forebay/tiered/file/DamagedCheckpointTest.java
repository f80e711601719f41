package dev.forebay.tiered.file;

import static org.assertj.core.api.Assertions.assertThat;

import dev.forebay.tiered.checkpoint.CheckpointFile;
import dev.forebay.tiered.spool.Spool;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;
import java.util.zip.CRC32C;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * A process dies with "a" and "b" in the log and "c" in its spool; then something happens to the
 * checkpoint, or to the mark in the spool. Nothing is lost, and what may be doubled is said.
 */
@Tag("once")
class DamagedCheckpointTest extends ShippingRig {

  private static final int SLOT = CheckpointFile.SLOT_BYTES;

  private Path checkpoint;

  private void leaveOrphan() throws IOException {
    ShippingProcess first = process();
    spool = first.spoolOf(List.of("a", "b"));
    first.turns(4);
    write("c");
    first.die();
    checkpoint = spool.path().resolveSibling("checkpoint");
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

  private ShippingProcess expectDoublesAndOneWarning() throws IOException {
    ShippingProcess second = recover();
    assertThat(second.log.records()).containsExactly("a", "b", "a", "b", "c", "own");
    assertThat(second.account.warnings)
        .singleElement()
        .asString()
        .contains(checkpoint.toString(), "may be duplicated");
    return second;
  }

  @ParameterizedTest
  @ValueSource(ints = {40, SLOT + 40})
  void oneDamagedSlotDoublesNothing(int offset) throws IOException {
    leaveOrphan();
    byte[] bytes = Files.readAllBytes(checkpoint);
    bytes[offset] ^= 1;
    Files.write(checkpoint, bytes);
    ShippingProcess second = recover();

    assertThat(second.log.records()).containsExactly("a", "b", "c", "own");
    assertThat(second.account.warnings).isEmpty();
    assertThat(spool.path()).doesNotExist();
  }

  /** Cut, zeroed or grown. */
  @ParameterizedTest
  @ValueSource(ints = {0, SLOT, 2 * SLOT, 64 << 20})
  void aCheckpointWithoutASoundSlotIsReplacedAndSaidToDouble(int zeros) throws IOException {
    leaveOrphan();
    Files.write(checkpoint, new byte[zeros]);
    expectDoublesAndOneWarning();
  }

  @Test
  void aCheckpointInAnotherFormatIsKeptAndSaidToDouble() throws IOException {
    leaveOrphan();
    ByteBuffer bytes = ByteBuffer.wrap(Files.readAllBytes(checkpoint));
    bytes.order(ByteOrder.LITTLE_ENDIAN);
    for (int slot = 0; slot < bytes.limit(); slot += SLOT) {
      CRC32C crc = new CRC32C();
      bytes.putShort(slot + 4, (short) 1);
      crc.update(bytes.slice(slot, SLOT - 4));
      bytes.putInt(slot + SLOT - 4, (int) crc.getValue());
    }
    Files.write(checkpoint, bytes.array());
    ShippingProcess second = expectDoublesAndOneWarning();

    assertThat(second.account.warnings.get(0)).contains("is in another format");
    try (Stream<Path> kept = Files.list(checkpoint.getParent())) {
      assertThat(kept.filter(path -> path.toString().contains("checkpoint-")))
          .singleElement()
          .satisfies(path -> assertThat(path).hasBinaryContent(bytes.array()));
    }
  }
}
