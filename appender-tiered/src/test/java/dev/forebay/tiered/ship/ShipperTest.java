package dev.forebay.tiered.ship;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.forebay.tiered.disk.FaultyDisk;
import dev.forebay.tiered.disk.FaultyDisk.Op;
import dev.forebay.tiered.disk.Scratch;
import dev.forebay.tiered.spool.Spool;
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

  private final FaultyDisk disk = new FaultyDisk(new UnforcedDisk());

  private ShippingProcess process() throws IOException {
    return process(ShippingProcess.EVERY_SECOND);
  }

  private ShippingProcess process(FsyncPolicy fsync) throws IOException {
    return ShippingProcess.in(directory, disk, fsync);
  }

  private static List<String> two(List<String> first, List<String> second) {
    List<String> both = new ArrayList<>(first);
    both.addAll(second);
    return both;
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
  void settlesAfterEveryBatchWhenToldTo() throws IOException {
    ShippingProcess process = process(FsyncPolicy.ALWAYS);
    process.spoolOf(List.of("a", "b", "c"));

    process.shipper.doWork();

    assertThat(process.account.committed).isEqualTo(3);
    process.die();
  }

  @Test
  void settlesAtTheIntervalOrWhenSomebodyWaits() throws IOException {
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
            process.log,
            FsyncPolicy.ALWAYS,
            process.account,
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

  /** It only spooled, and ends politely while we go on shipping. */
  @Test
  void whatASecondAppenderLeavesIsTakenUpAtTheNextLook() throws IOException {
    ShippingProcess first = process();
    ShippingProcess second = process();
    Spool ofFirst = first.spool();
    first.turns(1);
    Spool ofSecond = second.spoolOf(List.of("second"));
    second.turns(2);
    second.retire(ofSecond);
    second.stop();
    ShippingProcess.write(ofFirst, List.of("first"));
    first.turns(1);
    assertThat(first.log.records()).containsExactly("first");

    first.pass(10_000 * ShippingProcess.MS);
    first.turns(3);

    assertThat(first.log.records()).containsExactly("first", "second");
    first.die();
  }

  /** It ends before the look that would have found what the other left. */
  @Test
  void whatASecondAppenderLeavesIsTakenUpAtTheStopAtTheLatest() throws IOException {
    ShippingProcess first = process();
    ShippingProcess second = process();
    Spool ofFirst = first.spoolOf(List.of("first"));
    first.turns(1);
    Spool ofSecond = second.spoolOf(List.of("second"));
    second.turns(2);
    second.retire(ofSecond);
    second.stop();
    first.retire(ofFirst);

    assertThat(first.stop()).isTrue();
    assertThat(first.log.records()).containsExactly("first", "second");
    assertThat(first.account.recovered).isEqualTo(1);
  }

  @Test
  void aSecondShipperWaitsAndTakesOverInOrder() throws IOException {
    ShippingProcess first = process();
    ShippingProcess second = process();
    Spool ofFirst = first.spool();
    Spool ofSecond = second.spool();
    first.turns(1);
    ShippingProcess.write(ofSecond, List.of("second"));
    second.turns(5);
    assertThat(second.account.warnings).hasSize(1);
    assertThat(second.log.isOpen()).isFalse();

    ShippingProcess.write(ofFirst, List.of("first"));
    first.die();
    second.turns(8);

    assertThat(second.log.records()).containsExactly("first", "second");
    assertThat(second.account.recovered).isEqualTo(1);
    assertThat(second.account.committed).isEqualTo(1);
    second.die();
  }

  /**
   * The newer of two orphans stands, unsettled and torn, at the end of the log, because its process
   * had died while we were shipping ours: it goes on before the older one.
   */
  @Test
  void theOrphanWhoseRecordsEndTheLogGoesFirst() throws IOException {
    ShippingProcess first = process();
    ShippingProcess second = process();
    Spool ofFirst = first.spool();
    Spool ofSecond = second.spool();
    ShippingProcess.write(ofFirst, ShippingProcess.lines("first", 3));
    ShippingProcess.write(ofSecond, ShippingProcess.lines("second", 6));
    first.turns(3);
    second.die();
    first.pass(20_000 * ShippingProcess.MS);
    ShippingProcess.write(ofFirst, List.of("left"));
    disk.affecting(path -> path.endsWith("app.log")).limitSpace(70);
    first.turns(2);
    disk.heal();
    first.die();

    ShippingProcess third = process().recover();

    assertThat(third.log.records())
        .isEqualTo(
            two(
                two(ShippingProcess.lines("first", 3), ShippingProcess.lines("second", 6)),
                List.of("left")));
    assertThat(third.account.warnings).isEmpty();
  }

  /** Two others died while we shipped; we die while the second of their spools is shipped. */
  @Test
  void aSpoolThatIsLeftForThoseOfTheDeadGoesOnWhereItWasAlsoAfterACrash() throws IOException {
    ShippingProcess first = process();
    first.spoolOf(ShippingProcess.lines("first", 3));
    first.turns(3);
    ShippingProcess second = process();
    second.spoolOf(ShippingProcess.lines("second", 1));
    second.die();
    ShippingProcess third = process();
    third.spoolOf(ShippingProcess.lines("third", 4));
    third.die();
    first.pass(20_000 * ShippingProcess.MS);
    disk.affecting(path -> path.endsWith("app.log")).limitSpace(40);
    first.turns(3);
    disk.heal();
    assertThat(first.log.records()).hasSizeBetween(5, 7);
    first.die();

    ShippingProcess fourth = process().recover();

    assertThat(fourth.log.records())
        .isEqualTo(
            two(
                two(ShippingProcess.lines("first", 3), ShippingProcess.lines("second", 1)),
                ShippingProcess.lines("third", 4)));
    assertThat(fourth.account.warnings).isEmpty();
  }

  @Test
  void aShippedSpoolIsRenamedBeforeAnythingElseIsShipped() throws IOException {
    ShippingProcess first = process();
    Spool spool = first.spoolOf(List.of("a"));
    first.turns(3);
    first.retire(spool);
    first.spoolOf(List.of("b"));
    disk.affecting(path -> path.equals(spool.path())).failFrom(Op.MOVE, 1, IOException::new);
    first.turns(6);
    assertThat(first.log.records()).containsExactly("a");
    assertThat(first.account.failures)
        .isNotEmpty()
        .allSatisfy(
            failure ->
                assertThat(failure)
                    .hasMessage("cannot remove the spool %s, which is shipped", spool.path()));
    disk.heal();
    first.turns(6);

    assertThat(spool.path()).doesNotExist();
    assertThat(first.log.records()).containsExactly("a", "b");
    first.die();
    assertThat(process().recover().log.records()).containsExactly("a", "b");
  }

  /** A power cut may take a name that was not forced. */
  @Test
  void theNameOfAShippedSpoolIsForcedBeforeAnythingElseIsShipped() throws IOException {
    ShippingProcess process = process();
    Spool spool = process.spoolOf(List.of("a"));
    process.turns(3);
    disk.failOnce(Op.FORCE_DIRECTORY, 1, new IOException("no"));
    process.retire(spool);
    process.spoolOf(List.of("b"));
    process.turns(1);
    assertThat(spool.path()).doesNotExist();
    assertThat(process.account.failures).hasSize(1);
    assertThat(process.log.records()).containsExactly("a");

    process.turns(3);
    assertThat(process.log.records()).containsExactly("a", "b");
    process.die();
  }

  /** The other died and left the memory full; what is noted when we turn to it needs no more. */
  @Test
  void anOrphanThatFillsTheMemoryIsShipped() throws IOException {
    ShippingProcess first = process();
    ShippingProcess second = process();
    first.spoolOf(List.of("first"));
    first.turns(3);
    second.spoolOf(ShippingProcess.lines("second", 9));
    second.die();
    disk.affecting(path -> path.startsWith(directory.resolve("shm"))).limitSpace(0);
    first.pass(20_000 * ShippingProcess.MS);
    first.turns(6);

    assertThat(first.account.failures).isEmpty();
    assertThat(first.log.records())
        .isEqualTo(two(List.of("first"), ShippingProcess.lines("second", 9)));
    first.die();
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
  void whatIsNotShippedAtTheStopIsHandedOver() throws IOException {
    ShippingProcess first = process();
    Spool spool = first.spoolOf(ShippingProcess.lines("own", 4));
    disk.affecting(path -> path.endsWith("app.log")).limitSpace(30);
    first.turns(2);
    first.retire(spool);
    assertThat(first.stop()).isFalse();
    disk.heal();

    ShippingProcess second = process();
    second.spool();
    second.turns(4);
    assertThat(second.log.records()).isEqualTo(ShippingProcess.lines("own", 4));
    assertThat(second.account.recovered + first.account.committed).isEqualTo(4);
    second.die();
  }
}
