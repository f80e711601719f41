package dev.forebay.tiered.ship;

import static org.assertj.core.api.Assertions.assertThat;

import dev.forebay.tiered.disk.FaultyDisk;
import dev.forebay.tiered.spool.Spool;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The lock of the one shipper of a log, in every place where its spools may be. */
@Tag("once")
class ShipLockTest {

  @TempDir Path directory;

  private final FaultyDisk disk = new FaultyDisk(new UnforcedDisk());

  private ShippingProcess process(String base) throws IOException {
    return ShippingProcess.in(directory, base, disk, ShippingProcess.EVERY_SECOND);
  }

  /** The first could not spool in the wanted place when it started; the second can. */
  @Test
  void whoWaitsForOneLockDoesNotHoldAnother() throws IOException {
    ShippingProcess first = process("tmp");
    Spool fallback = first.spool();
    first.turns(2);
    ShippingProcess second = process("shm");
    second.docket.addDirectory(second.open(first.base));
    second.spool();
    second.turns(2);

    first.retire(fallback);
    first.docket.addDirectory(first.open(second.base));
    ShippingProcess.write(fallback, List.of("a"));
    for (int i = 0; i < 6; i++) {
      first.turns(1);
      second.turns(1);
    }

    assertThat(first.account.settled).isEqualTo(1);
    first.die();
    second.turns(4);
    assertThat(second.log.isOpen()).isTrue();
    second.die();
  }

  @Test
  void aLockThatCannotBeTakenIsAFailureUntilItCan() throws IOException {
    ShippingProcess process = process("shm");
    Path lock = process.spool().path().resolveSibling("ship.lock");
    Files.createDirectory(lock);
    for (int i = 0; i < 100; i++) {
      process.shipper.doWork();
      process.pass(30 * ShippingProcess.MS);
    }
    assertThat(process.account.failures).isNotEmpty();
    assertThat(process.account.worked).isZero();

    Files.delete(lock);
    process.turns(5);
    assertThat(process.account.worked).isPositive();
    process.die();
  }

  @Test
  void aLockThatIsDeletedIsTakenAgain() throws IOException {
    ShippingProcess process = process("shm");
    Spool spool = process.spool();
    process.turns(2);
    Path lock = spool.path().resolveSibling("ship.lock");
    Files.delete(lock);
    process.turns(3);

    assertThat(lock).exists();
    process.die();
  }
}
