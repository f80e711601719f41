package dev.forebay.tiered.file;

import static dev.forebay.tiered.file.ShippingProcess.EVERY_HOUR;
import static dev.forebay.tiered.file.ShippingProcess.EVERY_SECOND;
import static org.assertj.core.api.Assertions.assertThat;

import dev.forebay.tiered.disk.FaultyDisk;
import dev.forebay.tiered.disk.FaultyDisk.Op;
import dev.forebay.tiered.ship.FsyncPolicy;
import dev.forebay.tiered.spool.Spool;
import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A log in whose place others put another file while nobody ships. */
@Tag("once")
class ReplacedLogTest {

  @TempDir Path directory;

  private final FaultyDisk disk = ShippingProcess.unforced();
  private ShippingProcess process;
  private Spool spool;

  /** A process with these records in its log. */
  private void start(FsyncPolicy fsync, String... records) throws IOException {
    process = ShippingProcess.in(directory, disk, fsync);
    spool = process.spool();
    process.turns(2);
    ShippingProcess.write(spool, List.of(records));
    process.shipper.doWork();
  }

  private Path log() {
    return directory.resolve("log/app.log");
  }

  private ShippingProcess recoverFromACopy() throws IOException {
    process.die();
    Path copy = Files.copy(log(), directory.resolve("log/copy"));
    Files.move(copy, log(), StandardCopyOption.REPLACE_EXISTING);
    return ShippingProcess.in(directory, disk, EVERY_SECOND).recover();
  }

  @Test
  void aCopyThatReplacesTheLogIsKnownByTheLinesThatAreCommitted() throws IOException {
    start(EVERY_SECOND, "a", "b");
    process.shipper.requestCommit();
    process.turns(1);
    ShippingProcess next = recoverFromACopy();

    assertThat(next.account.warnings).isEmpty();
    assertThat(next.log.records()).containsExactly("a", "b");
  }

  @Test
  void aCopyThatReplacesTheLogIsKnownByHalfALine() throws IOException {
    start(EVERY_HOUR);
    disk.affecting(path -> path.endsWith("app.log")).limitSpace(4);
    ShippingProcess.write(spool, List.of("half a line"));
    process.turns(1);
    disk.heal();
    ShippingProcess next = recoverFromACopy();

    assertThat(next.account.warnings).isEmpty();
    assertThat(next.log.records()).containsExactly("half a line");
  }

  @Test
  void aLogThatCouldNotBeForcedAndIsGoneIsWrittenAgainAndAWarningSaysSo() throws IOException {
    start(EVERY_HOUR, "a", "b");
    disk.affecting(path -> path.endsWith("app.log")).failOnce(Op.FORCE, 1, new IOException("no"));
    process.shipper.requestCommit();
    process.shipper.doWork();
    process.die();
    ShippingProcess next = ShippingProcess.in(directory, disk, EVERY_SECOND);
    try (FileChannel open = FileChannel.open(log())) { // so that the next file gets another inode
      Files.delete(log());
      next.recover();
      assertThat(open.size()).isPositive();
    }

    assertThat(next.log.records()).containsExactly("a", "b");
    assertThat(next.account.warnings)
        .singleElement()
        .asString()
        .contains("is gone; up to 2 of its lines");
  }
}
