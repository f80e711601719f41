package dev.forebay.tiered.file;

import static org.assertj.core.api.Assertions.assertThat;

import dev.forebay.tiered.disk.FaultyDisk.Op;
import dev.forebay.tiered.ship.FsyncPolicy;
import dev.forebay.tiered.spool.Spool;
import java.io.IOException;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** How long the shipper may sleep if nobody wakes it. */
@Tag("once")
class ShipperSleepTest extends ShippingRig {

  private static final long MINUTE_NS = 60_000 * MS;

  @BeforeEach
  void ship() throws IOException {
    start(FsyncPolicy.ALWAYS, "a");
    process.turns(1);
    assertThat(process.account.committed).isEqualTo(1);
    assertThat(process.sleepNs()).as("everything is committed").isEqualTo(MINUTE_NS);
  }

  @Test
  void notBeforeTheFirstSpoolIsThere() throws IOException {
    process.die();
    process = process(FsyncPolicy.ALWAYS);
    process.turns(1);
    assertThat(process.sleepNs()).isZero();
  }

  @Test
  void notWhenRecordsOrSomebodyWaits() throws IOException {
    write("b");
    assertThat(process.sleepNs()).isZero();
    process.turns(1);
    assertThat(process.sleepNs()).isEqualTo(MINUTE_NS);
    process.shipper.requestCommit();
    assertThat(process.sleepNs()).as("for a commit").isZero();
  }

  @Test
  void untilTheLogIsToBeForced() throws IOException {
    process.die();
    start(ShippingProcess.EVERY_SECOND, "b");
    process.pass(1000 * MS);
    process.shipper.doWork();
    long committed = process.account.committed;
    write("c");
    process.shipper.doWork();
    assertThat(process.account.committed).isEqualTo(committed);
    assertThat(process.sleepNs()).isEqualTo(900 * MS + 1);
    process.pass(process.sleepNs() - 1);
    process.shipper.doWork();
    assertThat(process.account.committed).isEqualTo(committed);
    process.pass(1);
    process.shipper.doWork();

    assertThat(process.account.committed).isEqualTo(committed + 1);
    assertThat(process.sleepNs()).isEqualTo(MINUTE_NS);
  }

  @Test
  void notWhenASpoolIsAddedOrRetired() throws IOException {
    Spool next = process.replace(spool, false);
    assertThat(process.sleepNs()).as("another spool").isZero();
    process.turns(4);
    assertThat(process.sleepNs()).isEqualTo(MINUTE_NS);
    process.retire(next);
    assertThat(process.sleepNs()).as("retired").isZero();
  }

  @Test
  void notWhileTheLogFails() throws IOException {
    write("b");
    log().failFrom(Op.WRITE, 1, () -> new IOException("no space"));
    process.turns(1);
    assertThat(process.sleepNs()).isZero();
    disk.heal();
    process.turns(10);
    assertThat(process.sleepNs()).isEqualTo(MINUTE_NS);
  }

  @Test
  void notWhenTheLogWasMovedUntilItIsOpenAgain() throws IOException {
    disk.move(logFile(), directory.resolve("log/moved.log"));
    process.turns(1);
    assertThat(process.sleepNs()).isZero();
    process.turns(2);
    assertThat(process.sleepNs()).isEqualTo(MINUTE_NS);
    assertThat(logFile()).exists();
  }

  @Test
  void notWhileAnotherProcessShips() throws IOException {
    ShippingProcess second = process(FsyncPolicy.ALWAYS);
    second.spoolOf(List.of("b"));
    second.turns(2);
    assertThat(second.sleepNs()).isZero();
  }
}
