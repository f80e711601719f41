package dev.forebay.tiered.file;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.forebay.tiered.disk.FaultyDisk;
import dev.forebay.tiered.disk.FaultyDisk.Op;
import dev.forebay.tiered.disk.Scratch;
import dev.forebay.tiered.ship.FsyncPolicy;
import dev.forebay.tiered.ship.Shipper;
import dev.forebay.tiered.spool.Spool;
import dev.forebay.tiered.spool.SpoolDirectory;
import dev.forebay.tiered.spool.SpoolLimits;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

@Tag("once")
class ShipperTest {

  @TempDir Path directory;

  private final FaultyDisk disk = ShippingProcess.unforced();

  private ShippingProcess process() throws IOException {
    return process(ShippingProcess.EVERY_SECOND);
  }

  private ShippingProcess process(FsyncPolicy fsync) throws IOException {
    return ShippingProcess.in(directory, disk, fsync);
  }

  @Test
  void theFooterComesOnceAndLast() throws IOException {
    ShippingProcess process = process();
    Spool spool = process.spoolOf(List.of("a", "b"));
    process.turns(3);
    process.retire(spool);
    process.turns(3); // between the end of the flusher and the stop of the shipper

    assertThat(process.stop()).isTrue();
    assertThat(process.log.lines()).containsExactly("<", "a", "b", ">");
    assertThat(process.log.ends).isEqualTo(1);
    assertThat(LogUnderTest.isOpen(process.log)).isFalse();
    assertThat(process.account.committed).isEqualTo(2);
    assertThat(spool.path()).doesNotExist();
  }

  @Test
  void anErrorInTheLastStepKeepsNoLock() throws IOException {
    ShippingProcess process = process();
    process.retire(process.spoolOf(List.of("a", "b")));
    process.turns(3);
    process.log.endOverflows = true;
    assertThatThrownBy(process::stop).isInstanceOf(StackOverflowError.class);

    ShippingProcess next = process();
    Spool spool = next.spoolOf(List.of("c"));
    next.turns(3);
    next.retire(spool);
    assertThat(next.stop()).isTrue();
    assertThat(next.account.committed).isEqualTo(1);
    assertThat(next.log.lines()).contains("a", "b", "c");
  }

  @Test
  void forcesNothingWhileThereIsNothingNew() throws IOException {
    ShippingProcess process = process(FsyncPolicy.ALWAYS);
    process.spoolOf(List.of("a"));
    process.turns(2);
    int before = process.log.forces;

    process.turns(10);

    assertThat(process.log.forces).isEqualTo(before);
    process.die();
  }

  @Test
  void commitsAfterEveryBatchWhenToldTo() throws IOException {
    ShippingProcess process = process(FsyncPolicy.ALWAYS);
    process.spoolOf(List.of("a", "b", "c"));

    process.shipper.doWork();

    assertThat(process.account.committed).isEqualTo(3);
    process.die();
  }

  @Test
  void commitsAtTheIntervalOrWhenSomebodyWaits() throws IOException {
    ShippingProcess process = process();
    Spool spool = process.spool();
    process.shipper.doWork();
    ShippingProcess.write(spool, List.of("a"));
    process.shipper.doWork();
    assertThat(process.account.committed).isZero();

    process.pass(1000 * ShippingProcess.MS);
    process.shipper.doWork();
    assertThat(process.account.committed).isEqualTo(1);

    ShippingProcess.write(spool, List.of("b"));
    process.shipper.doWork();
    assertThat(process.account.committed).isEqualTo(1);
    process.shipper.requestCommit();
    process.shipper.doWork();
    assertThat(process.account.committed).isEqualTo(2);
    process.die();
  }

  @Test
  void neverForcesWhenToldSo() throws IOException {
    ShippingProcess process = process(FsyncPolicy.NEVER);
    Spool spool = process.spoolOf(List.of("a"));
    process.turns(2);
    process.retire(spool);
    process.stop();

    assertThat(process.log.forces).isZero();
    assertThat(process.account.committed).isEqualTo(1);
  }

  @Test
  void anIdleLogWithContentIsRolledAndAnEmptyOneIsNot() throws IOException {
    ShippingProcess process = process();
    Spool spool = process.spool();
    process.turns(2);
    process.log.wantRoll();
    process.turns(2);
    assertThat(process.log.files()).isEqualTo(1);

    ShippingProcess.write(spool, List.of("a"));
    process.turns(2);
    assertThat(process.log.files()).isEqualTo(2);
    process.log.wantRoll();
    process.turns(2);
    assertThat(process.log.files()).isEqualTo(3);
    process.die();
  }

  @Test
  void whatAFailedForceMayHaveLostIsWrittenAgain() throws IOException {
    ShippingProcess process = process();
    Spool spool = process.spool();
    process.turns(2);
    ShippingProcess.write(spool, ShippingProcess.lines("own", 5));
    disk.affecting(path -> path.endsWith("app.log"));
    disk.failOnce(Op.FORCE, 1, new IOException("no")).failOnce(Op.FORCE, 2, new IOException("no"));
    int truncations = disk.calls(Op.TRUNCATE);
    process.turns(1);
    process.turns(4);

    assertThat(process.account.failures).hasSize(2);
    assertThat(disk.calls(Op.TRUNCATE)).isGreaterThan(truncations);
    assertThat(process.log.records()).isEqualTo(ShippingProcess.lines("own", 5));
    assertThat(process.account.committed).isEqualTo(5);
    process.die();
  }

  @Test
  void whatIsToPrecedeTheWorkPrecedesEachTurnAndTheStop() throws IOException {
    ShippingProcess process = process();
    List<Long> worked = new ArrayList<>();
    Shipper shipper =
        new Shipper(
            process.queue,
            FsyncPolicy.ALWAYS,
            () -> 1,
            () -> worked.add(process.account.worked),
            null);
    shipper.doWork();
    shipper.doWork();
    shipper.finish();
    shipper.onClose();

    assertThat(worked).containsExactly(0L, 1L, 2L);
    assertThat(process.account.worked).isEqualTo(3);
  }

  @Test
  void aSpoolIsNotLostWhereTakingItInRunsOutOfMemory() throws IOException {
    ShippingProcess process = process();
    Spool spool = process.spoolOf(List.of("a", "b"));
    disk.affecting(path -> true)
        .before(
            Op.IS_IN_MEMORY,
            1,
            () -> {
              throw new OutOfMemoryError("scripted");
            });
    assertThatThrownBy(process.shipper::doWork).isInstanceOf(OutOfMemoryError.class);
    disk.heal();
    process.turns(3);
    process.retire(spool);

    assertThat(process.stop()).isTrue();
    assertThat(process.log.records()).containsExactly("a", "b");
    assertThat(process.account.reached).isEqualTo(2);
  }

  @Test
  void aRemovedSpoolCostsItsRecordsAndNothingElse() throws IOException {
    ShippingProcess process = process();
    Spool removed = process.spool();
    process.turns(2);
    ShippingProcess.write(removed, ShippingProcess.lines("own", 4));
    disk.affecting(path -> path.endsWith("app.log")).limitSpace(40);
    process.turns(1);
    Scratch.delete(directory.resolve("shm"));
    process.retire(removed);
    Files.createDirectories(directory.resolve("shm"));
    Spool next = process.spoolOf(List.of("next"));
    disk.heal();
    process.turns(12);
    process.retire(next);
    process.stop();

    List<String> records = process.log.records();
    assertThat(records).endsWith("next").hasSizeBetween(2, 5);
    assertThat(ShippingProcess.lines("own", 4)).containsAll(records.subList(0, records.size() - 1));
    assertThat(process.account.committed).isEqualTo(records.size());
    assertThat(process.account.lost).isEqualTo(5 - records.size());
  }

  @Test
  void aDirectoryThatIsGoneForGoodDoesNotStopTheOther() throws IOException {
    ShippingProcess process = process();
    Spool removed = process.spool();
    process.turns(2);
    Scratch.delete(directory.resolve("shm"));
    process.retire(removed);
    process.queue.addDirectory(process.open(Files.createDirectories(directory.resolve("tmp"))));
    process.turns(8);
    process.stop();

    assertThat(process.account.failures).isEmpty();
    assertThat(process.log.lines()).containsExactly("<", ">");
  }

  @Test
  void recordsThatNeverGotIntoTheSpoolsFilesAreLost() throws IOException {
    ShippingProcess process = process();
    Spool spool = process.spoolOf(List.of("a"));
    spool.writer().append(new byte[] {'b', '\n'}, 0, 2, 2);
    process.retire(spool);
    process.turns(3);
    process.stop();

    assertThat(process.account.committed).isEqualTo(1);
    assertThat(process.account.lost).isEqualTo(1);
  }

  /** As when a full memory kept a checkpoint from being made, and the next save made it. */
  @Test
  void anUnfinishedCheckpointDoesNotKeepTheDirectory() throws IOException {
    ShippingProcess process = process();
    Spool spool = process.spool();
    process.turns(2);
    Path unfinished = Files.createFile(spool.path().resolveSibling("checkpoint-new"));
    process.retire(spool);
    process.stop();

    assertThat(unfinished.getParent()).doesNotExist();
  }

  @Test
  void saysHowMuchItDidSoThatItIsNotLeftIdle() throws IOException {
    ShippingProcess process = process();
    Spool spool = process.spool();
    process.turns(2);
    ShippingProcess.write(spool, List.of("a", "b"));

    assertThat(process.shipper.doWork()).isEqualTo(2);
    assertThat(process.shipper.doWork()).isZero();
    process.die();
  }

  /** The flusher hangs, so that nobody says that the spool is complete. */
  @Test
  void aSpoolThatTheFlusherDidNotLeaveIsCommittedAtTheStop() throws IOException {
    ShippingProcess process = process(ShippingProcess.EVERY_HOUR);
    process.spoolOf(List.of("a", "b"));
    process.turns(2);
    assertThat(process.account.committed).isZero();
    disk.affecting(path -> path.endsWith("app.log")).failOnce(Op.FORCE, 1, new IOException("no"));

    assertThat(process.stop()).isTrue();
    assertThat(process.account.committed).isEqualTo(2);
    assertThat(process.log.lines()).containsExactly("<", "a", "b", ">");
    ShippingProcess next = process().recover();
    assertThat(next.log.records()).containsExactly("a", "b");
    assertThat(next.account.warnings).isEmpty();
  }

  @Test
  void theStopDoesNotWaitForTheDelayAfterAFailure() throws IOException {
    ShippingProcess process = process();
    Spool spool = process.spoolOf(List.of("a"));
    disk.affecting(path -> path.endsWith("app.log")).failFrom(Op.OPEN, 1, () -> new IOException());
    process.turns(8);
    process.shipper.doWork();
    disk.heal();
    process.retire(spool);

    assertThat(process.shipper.finish()).isTrue();
    assertThat(process.account.committed).isEqualTo(1);
    process.shipper.onClose();
  }

  @Test
  void aSpoolThatTheFlusherAddsInTheLastTurnIsShippedToo() throws IOException {
    ShippingProcess process = process(ShippingProcess.EVERY_HOUR);
    Spool first = process.spoolOf(List.of("a"));
    process.turns(2);
    process.retire(first);
    disk.affecting(path -> path.endsWith("app.log"))
        .before(Op.FORCE, 1, () -> process.retire(process.spoolOf(List.of("b"))));

    assertThat(process.stop()).isTrue();
    assertThat(process.account.committed).isEqualTo(2);
  }

  /** It could not be written to the log, whose disk is full. */
  @Test
  void aSpoolOfADeadProcessThatIsRemovedHoldsUpNobody() throws IOException {
    ShippingProcess dead = process();
    Spool orphan = dead.spoolOf(ShippingProcess.lines("dead", 4));
    dead.die();
    ShippingProcess process = process();
    process.spoolOf(List.of("own"));
    disk.affecting(path -> path.endsWith("app.log")).limitSpace(10);
    process.turns(2);
    Scratch.delete(orphan.path());
    disk.heal();
    process.turns(12);

    assertThat(process.log.records()).endsWith("own");
    assertThat(process.account.committed).isEqualTo(1);
    assertThat(process.account.warnings)
        .filteredOn(w -> w.equals("The spool " + orphan.path() + " was removed"))
        .hasSize(1);
    process.die();
  }

  @Test
  void whatAFailedForceMayHaveLostIsWrittenAgainByTheNextStartToo() throws IOException {
    ShippingProcess process = process();
    Spool spool = process.spool();
    process.turns(2);
    ShippingProcess.write(spool, ShippingProcess.lines("own", 5));
    disk.affecting(path -> path.endsWith("app.log")).failOnce(Op.FORCE, 1, new IOException("no"));
    process.shipper.requestCommit();
    process.shipper.doWork();
    assertThat(process.account.failures).hasSize(1);
    process.die();
    int truncations = disk.calls(Op.TRUNCATE);

    ShippingProcess next = process().recover();

    assertThat(disk.calls(Op.TRUNCATE)).isGreaterThan(truncations);
    assertThat(next.log.records()).isEqualTo(ShippingProcess.lines("own", 5));
  }

  @Test
  void aSpoolTakesMoreThanItsRoomAsLongAsItIsShipped() throws IOException {
    ShippingProcess process = process(FsyncPolicy.ALWAYS);
    SpoolDirectory place = process.open(process.base);
    Spool spool = place.createSpool(new SpoolLimits(1024, 256));
    process.queue.add(place, spool);
    for (int i = 0; i < 10; i++) {
      ShippingProcess.write(spool, ShippingProcess.lines("own" + i, 8)); // says that it is taken
      process.shipper.doWork();
    }
    assertThat(process.account.committed).isEqualTo(80);
    process.die();
  }
}
