package dev.forebay.tiered.file;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assumptions.assumeThat;

import dev.forebay.tiered.disk.FaultyDisk.Op;
import dev.forebay.tiered.disk.OpenFiles;
import dev.forebay.tiered.ship.FsyncPolicy;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** The checkpoint that an idle shipper has closed is opened again for the next record. */
@Tag("once")
class ShipperRestTest extends ShippingRig {

  @BeforeEach
  void rest() throws IOException {
    start(FsyncPolicy.ALWAYS, "a", "b");
    process.turns(1);
    spool.writer().rest();
    assertThat(process.account.committed).isEqualTo(2);
    assertThat(open()).doesNotContain("checkpoint");
  }

  @Test
  void anIdleAppenderHasFourFilesOpen() throws IOException {
    assertThat(open()).hasSize(4).contains("lock", "ship.lock", "app.log");
  }

  @Test
  void onlyWhatIsNewIsRead() throws IOException {
    for (int i = 0; i < 20; i++) { // across segments
      write("c" + i);
      process.turns(1);
      spool.writer().rest();
    }
    assertThat(process.log.records()).hasSize(22).startsWith("a", "b", "c0").endsWith("c19");
    assertSettled(22);
    assertThat(process.account.warnings).isEmpty();
  }

  @Test
  void itsCheckpointCannotBeOpenedForSomeTime() throws IOException {
    disk.affecting(path -> path.endsWith("checkpoint")).failOnce(Op.OPEN, 1, no());
    write("c");
    process.turns(1);
    assertThat(process.account.failures).hasSize(1);
    assertThat(process.account.committed).isEqualTo(2);
    process.turns(3);

    assertThat(process.log.records()).containsExactly("a", "b", "c");
    assertSettled(3);
  }

  @Test
  void itsCheckpointWasReplaced() throws IOException {
    Path checkpoint = spool.path().resolveSibling("checkpoint");
    Files.delete(checkpoint);
    Files.createDirectory(checkpoint);
    write("c");
    process.turns(2);
    assertSettled(3);
    process.die();

    assertThat(process().recover().log.records()).containsExactly("a", "b", "c");
  }

  /** Where the temporary directory is in memory, no name is. */
  @Test
  void theNameOfItsCheckpointIsForcedOnce() throws IOException {
    assumeThat(disk.isInMemory(directory)).isFalse();
    shipOne(); // it had created the file
    int forced = disk.calls(Op.FORCE_DIRECTORY);
    shipOne();
    assertThat(disk.calls(Op.FORCE_DIRECTORY)).isEqualTo(forced);
    Path checkpoint = spool.path().resolveSibling("checkpoint");
    Path copy = directory.resolve("copy");
    Files.copy(checkpoint, copy, StandardCopyOption.COPY_ATTRIBUTES);
    Files.move(copy, checkpoint, StandardCopyOption.ATOMIC_MOVE);
    shipOne();
    shipOne();

    assertThat(disk.calls(Op.FORCE_DIRECTORY)).isEqualTo(forced + 1);
    assertSettled(6);
  }

  private void shipOne() throws IOException {
    write("c");
    process.turns(1);
  }

  @Test
  void itWasKilledWhileItSlept() throws IOException {
    write("c");
    process.die();

    assertThat(process().recover().log.records()).containsExactly("a", "b", "c");
  }

  private void assertSettled(long committed) {
    assertThat(process.account.committed).isEqualTo(committed);
    assertThat(process.account.lost).isZero();
    assertThat(process.account.reached).isEqualTo(committed);
  }

  private List<String> open() throws IOException {
    return OpenFiles.below(directory.toRealPath());
  }
}
