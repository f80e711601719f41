package dev.forebay.tiered.file;

import static org.assertj.core.api.Assertions.assertThat;

import dev.forebay.tiered.disk.FaultyDisk;
import dev.forebay.tiered.disk.NioDisk;
import dev.forebay.tiered.spool.Spool;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The lock of the one shipper of a log, in every place where its spools may be. */
@Tag("once")
class ShipLockTest {

  @TempDir Path directory;

  private final FaultyDisk disk = ShippingProcess.unforced();

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
    second.queue.addDirectory(second.open(first.base));
    second.spool();
    second.turns(2);

    first.retire(fallback);
    first.queue.addDirectory(first.open(second.base));
    ShippingProcess.write(fallback, List.of("a"));
    for (int i = 0; i < 6; i++) {
      first.turns(1);
      second.turns(1);
    }

    assertThat(first.account.committed).isEqualTo(1);
    first.die();
    second.turns(4);
    assertThat(LogUnderTest.isOpen(second.log)).isTrue();
    second.die();
  }

  /** Those share no directory, and so no lock. */
  @Test
  void ofTwoWithSpoolsInTheHeapBothAppend() throws IOException {
    ShippingProcess first = process("shm");
    Spool one = first.heapSpool();
    ShippingProcess second = process("shm");
    Spool two = second.heapSpool();
    List<String> lines = new ArrayList<>();
    for (int i = 0; i < 10; i++) {
      ShippingProcess.write(one, List.of("a" + i));
      ShippingProcess.write(two, List.of("b" + i));
      lines.addAll(List.of("a" + i, "b" + i));
      first.turns(1);
      second.turns(1);
    }
    first.retire(one);
    assertThat(first.stop()).isTrue();
    second.retire(two);
    assertThat(second.stop()).isTrue();

    assertThat(second.log.records()).containsExactlyInAnyOrderElementsOf(lines);
    assertThat(second.account.warnings)
        .singleElement()
        .asString()
        .contains("is also written to by others");
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

  /** What the first had appended stands somewhere before the lines of the second. */
  @Test
  void whatIsUncommittedWhenAnotherTakesADeletedLockIsSaidToDouble() throws IOException {
    ShippingProcess first = ShippingProcess.in(directory, "shm", disk, ShippingProcess.EVERY_HOUR);
    Spool one = first.spoolOf(List.of("before"));
    first.shipper.requestCommit();
    first.turns(1);
    ShippingProcess.write(one, List.of("a", "b"));
    first.turns(1);
    Path lock = one.path().resolveSibling("ship.lock");
    Files.delete(lock);
    ShippingProcess second =
        ShippingProcess.in(
            directory, "shm", new FaultyDisk(disk).ofOtherProcess(), ShippingProcess.EVERY_SECOND);
    Spool two = second.spoolOf(List.of("c"));
    second.turns(3);
    first.turns(2);
    second.retire(two);
    assertThat(second.stop()).isTrue();
    first.retire(one);
    assertThat(first.stop()).isTrue();

    assertThat(first.log.records()).startsWith("before", "a", "b", "c");
    assertThat(first.account.committed).isEqualTo(3);
    assertThat(first.account.warnings).anyMatch(w -> w.contains("up to 2 lines may be duplicated"));
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

  /** The checkpoints saved before are newer only in number, if it starts to count again. */
  @Test
  void whatIsCommittedAfterALockWasDeletedStaysCommitted() throws IOException {
    ShippingProcess first = process("shm");
    Spool spool = first.spool();
    List<String> all = ShippingProcess.lines("a", 100);
    for (int from = 0; from < 80; from += 20) {
      ShippingProcess.write(spool, all.subList(from, from + 20));
      first.turns(2);
    }
    Files.delete(spool.path().resolveSibling("ship.lock"));
    ShippingProcess.write(spool, all.subList(80, 100));
    while (first.account.committed < 100) {
      first.turns(1);
    }
    first.die();

    ShippingProcess second = process("shm").recover();
    assertThat(second.log.records()).containsExactlyElementsOf(all);
    assertThat(second.account.warnings).isEmpty();
  }

  @Test
  void aFailedForceIsNotedAlsoAfterALockWasDeleted() throws IOException {
    FaultyDisk forcing = new FaultyDisk(new NioDisk());
    ShippingProcess first =
        ShippingProcess.in(directory, "shm", forcing, ShippingProcess.EVERY_SECOND);
    Spool spool = first.spoolOf(List.of("a"));
    first.turns(4);
    assertThat(first.account.committed).isEqualTo(1);
    Files.delete(spool.path().resolveSibling("ship.lock"));
    forcing
        .affecting(path -> path.endsWith("app.log"))
        .failFrom(FaultyDisk.Op.FORCE, 1, () -> new IOException("no"));
    ShippingProcess.write(spool, List.of("b"));
    while (first.account.failures.isEmpty()) {
      first.turns(1);
    }
    first.die();

    Path checkpoint = spool.path().resolveSibling("checkpoint");
    Checkpoint last = new CheckpointFile(new NioDisk(), checkpoint, false).load();
    assertThat(last).isNotNull();
    assertThat(last.state()).isEqualTo(Checkpoint.State.UNFORCED);
  }

  @Test
  void aLockThatCannotBeTakenDoesNotHoldUpTheStop() throws IOException {
    ShippingProcess process = process("shm");
    Spool spool = process.spoolOf(List.of("a"));
    Path lock = Files.createDirectory(spool.path().resolveSibling("ship.lock"));
    process.retire(spool);

    assertThat(process.shipper.finish()).isTrue();
    assertThat(process.account.failures).isNotEmpty();
    process.shipper.onClose();
    Files.delete(lock);
    assertThat(process("shm").recover().log.records()).containsExactly("a");
  }
}
