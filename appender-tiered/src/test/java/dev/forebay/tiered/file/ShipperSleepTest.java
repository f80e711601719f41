package dev.forebay.tiered.file;

import static org.assertj.core.api.Assertions.assertThat;

import dev.forebay.tiered.disk.FaultyDisk;
import dev.forebay.tiered.disk.FaultyDisk.Op;
import dev.forebay.tiered.ship.FsyncPolicy;
import dev.forebay.tiered.spool.Spool;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** How long the shipper may sleep if nobody wakes it. */
@Tag("once")
class ShipperSleepTest {

  private static final long MS = ShippingProcess.MS;
  private static final long MINUTE_NS = 60_000 * MS;

  @TempDir Path directory;

  private final FaultyDisk disk = ShippingProcess.unforced();
  private ShippingProcess process;

  @AfterEach
  void die() {
    process.die();
  }

  private Spool shipped(FsyncPolicy fsync, String... lines) throws IOException {
    process = ShippingProcess.in(directory, disk, fsync);
    Spool spool = process.spoolOf(List.of(lines));
    process.turns(3);
    return spool;
  }

  private long sleepNs() {
    return process.sleepNs();
  }

  @Test
  void aMinuteWhenEverythingIsCommitted() throws IOException {
    shipped(FsyncPolicy.ALWAYS, "a");

    assertThat(process.account.committed).isEqualTo(1);
    assertThat(sleepNs()).isEqualTo(MINUTE_NS);
  }

  @Test
  void notBeforeTheFirstSpoolIsThere() throws IOException {
    process = ShippingProcess.in(directory, disk, FsyncPolicy.ALWAYS);
    process.turns(1);

    assertThat(sleepNs()).isZero();
  }

  @Test
  void notWhenRecordsWait() throws IOException {
    Spool spool = shipped(FsyncPolicy.ALWAYS, "a");
    ShippingProcess.write(spool, List.of("b"));
    assertThat(sleepNs()).isZero();
    process.turns(1);

    assertThat(sleepNs()).isEqualTo(MINUTE_NS);
  }

  @Test
  void untilTheLogIsToBeForced() throws IOException {
    Spool spool = shipped(ShippingProcess.EVERY_SECOND, "a");
    ShippingProcess.write(spool, List.of("b"));
    process.pass(1000 * MS);
    process.shipper.doWork();
    ShippingProcess.write(spool, List.of("c"));
    process.shipper.doWork();
    assertThat(process.account.committed).isEqualTo(2);
    assertThat(sleepNs()).isEqualTo(900 * MS + 1);
    process.pass(sleepNs() - 1);
    process.shipper.doWork();
    assertThat(process.account.committed).isEqualTo(2);
    process.pass(1);
    process.shipper.doWork();

    assertThat(process.account.committed).isEqualTo(3);
    assertThat(sleepNs()).isEqualTo(MINUTE_NS);
  }

  @Test
  void notWhenSomebodyWaitsForACommit() throws IOException {
    shipped(FsyncPolicy.ALWAYS, "a");
    process.shipper.requestCommit();

    assertThat(sleepNs()).isZero();
  }

  @Test
  void notWhenASpoolIsAddedOrRetired() throws IOException {
    Spool spool = shipped(FsyncPolicy.ALWAYS, "a");
    Spool next = process.replace(spool, false);
    assertThat(sleepNs()).as("another spool").isZero();
    process.turns(4);
    assertThat(sleepNs()).isEqualTo(MINUTE_NS);
    process.retire(next);

    assertThat(sleepNs()).as("retired").isZero();
  }

  @Test
  void notWhileTheLogFails() throws IOException {
    Spool spool = shipped(FsyncPolicy.ALWAYS, "a");
    disk.failFrom(Op.WRITE, 1, () -> new IOException("no space"));
    spool.writer().append(new byte[] {'b', '\n'}, 0, 2, 2);
    disk.heal();
    spool.writer().flush();
    disk.failFrom(Op.WRITE, 1, () -> new IOException("no space"));
    process.turns(1);
    assertThat(sleepNs()).isZero();
    disk.heal();
    process.turns(10);

    assertThat(sleepNs()).isEqualTo(MINUTE_NS);
  }

  @Test
  void notWhenTheLogWasMovedUntilItIsOpenAgain() throws IOException {
    shipped(FsyncPolicy.ALWAYS, "a");
    Path log = directory.resolve("log/app.log");
    disk.move(log, log.resolveSibling("moved.log"));
    process.turns(1);
    assertThat(sleepNs()).isZero();
    process.turns(2);

    assertThat(sleepNs()).isEqualTo(MINUTE_NS);
    assertThat(log).exists();
  }

  @Test
  void notWhileAnotherProcessShips() throws IOException {
    shipped(FsyncPolicy.ALWAYS, "a");
    ShippingProcess first = process;
    ShippingProcess second = ShippingProcess.in(directory, disk, FsyncPolicy.ALWAYS);
    second.spoolOf(List.of("b"));
    second.turns(2);

    assertThat(second.sleepNs()).isZero();
    first.die();
    process = second;
  }
}
