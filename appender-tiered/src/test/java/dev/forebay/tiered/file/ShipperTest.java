package dev.forebay.tiered.file;

import static dev.forebay.tiered.file.ShippingProcess.EVERY_HOUR;
import static dev.forebay.tiered.file.ShippingProcess.EVERY_SECOND;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.forebay.host.FileTree;
import dev.forebay.tiered.disk.FaultyDisk.Op;
import dev.forebay.tiered.ship.FsyncPolicy;
import dev.forebay.tiered.ship.Topic;
import dev.forebay.tiered.spool.Spool;
import dev.forebay.tiered.spool.SpoolLimits;
import dev.forebay.tiered.spool.SpoolWriter.Outcome;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What the shipper does at the stop, and after a failure. */
@Tag("once")
class ShipperTest extends ShippingRig {

  private static final int SEGMENT_BYTES = 4096;

  @Test
  void neverForcesWhenToldSo() throws IOException {
    start(FsyncPolicy.NEVER, "a");
    process.retire(spool);
    process.stop();

    assertThat(process.log.forces).isZero();
    assertThat(process.account.committed).isEqualTo(1);
  }

  @Test
  void anIdleLogWithContentIsRolledAndAnEmptyOneIsNot() throws IOException {
    start(EVERY_SECOND);
    process.log.wantRoll();
    process.turns(2);
    assertThat(process.log.files()).isEqualTo(1);
    write("a");
    process.turns(2);
    assertThat(process.log.files()).isEqualTo(2);
    process.log.wantRoll();
    process.turns(2);
    assertThat(process.log.files()).isEqualTo(3);
  }

  /** A second force would succeed although pages were lost. */
  @ParameterizedTest
  @ValueSource(booleans = {false, true})
  void whatAFailedForceMayHaveLostIsWrittenAgain(boolean isKilled) throws IOException {
    start(EVERY_HOUR);
    ShippingProcess.write(spool, lines("own", 5));
    log().failOnce(Op.FORCE, 1, no()).failOnce(Op.FORCE, 2, no());
    process.shipper.requestCommit();
    process.shipper.doWork();
    assertThat(process.account.failures).hasSize(1);
    int truncations = disk.calls(Op.TRUNCATE);
    if (isKilled) {
      process.die();
      assertThat(process().recover().log.records()).isEqualTo(lines("own", 5));
    } else {
      process.turns(4);
      assertThat(process.account.failures).hasSize(2);
      assertThat(process.log.records()).isEqualTo(lines("own", 5));
      assertThat(process.account.committed).isEqualTo(5);
      process.die();
    }

    assertThat(disk.calls(Op.TRUNCATE)).isGreaterThan(truncations);
  }

  /** Its writes succeed, which is no end of the fault. */
  @Test
  void aDiskThatCannotForceIsOneFaultUntilItCan() throws IOException {
    start(EVERY_SECOND, "0");
    log().failFrom(Op.FORCE, 1, ShippingRig::no);
    commit();
    assertThat(process.account.isFailing).isTrue();
    for (int i = 1; i < 40; i++) {
      write(String.valueOf(i));
      process.turns(1);
      assertThat(process.account.isFailing).as("after %d more", i).isTrue();
    }
    assertThat(process.account.failures).as("in 24 s, with pauses of 2").hasSizeLessThan(25);
    disk.heal();
    process.turns(6);
    assertThat(process.account.isFailing).isFalse();
    assertThat(process.account.committed).isEqualTo(40);
    assertThat(process.log.records()).hasSize(40).startsWith("0", "1").endsWith("39");
  }

  @Test
  void aSpoolIsNotLostWhereTakingItInRunsOutOfMemory() throws IOException {
    ShippingProcess process = process();
    Spool spool = process.spoolOf(List.of("a", "b"));
    disk.before(
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

  /** A spool that its owner creates has no lock yet: brokers would keep an id for it. */
  @Test
  void aSpoolWithoutSegmentsIsDeletedAndNoDestinationTakesIt() throws IOException {
    Topic topic = new Topic();
    Path base = Files.createDirectory(directory.resolve("shm"));
    ShippingProcess process =
        new ShippingProcess(disk, base, topic.of(disk), topic::lines, EVERY_SECOND);
    Spool spool = process.spoolOf(List.of("a"));
    Path empty = spool.path().resolveSibling("spool-0000000000000000-" + "0".repeat(32));
    disk.createDirectory(empty);
    process.turns(3);
    process.retire(spool);

    assertThat(process.stop()).isTrue();
    assertThat(empty).doesNotExist();
    assertThat(topic.lines()).containsExactly("a");
    assertThat(topic.taken()).containsOnly(spool.instanceId());
  }

  /** It could not be written to the log, whose disk is full. */
  @Test
  void aSpoolOfADeadProcessThatIsRemovedHoldsUpNobody() throws IOException {
    ShippingProcess dead = process();
    Spool orphan = dead.spoolOf(lines("dead", 4));
    dead.die();
    ShippingProcess process = process();
    process.spoolOf(List.of("own"));
    log().limitSpace(10);
    process.turns(2);
    FileTree.delete(orphan.path());
    disk.heal();
    process.turns(12);

    assertThat(process.log.records()).endsWith("own");
    assertThat(process.account.committed).isEqualTo(1);
    assertThat(process.account.warnings)
        .filteredOn(w -> w.equals("The spool " + orphan.path() + " was removed"))
        .hasSize(1);
  }

  /** The flusher hangs, so that nobody says that the spool is complete. */
  @Test
  void aSpoolThatTheFlusherDidNotLeaveIsCommittedAtTheStop() throws IOException {
    start(EVERY_HOUR, "a", "b");
    log().failOnce(Op.FORCE, 1, no());
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
    log().failFrom(Op.OPEN, 1, ShippingRig::no);
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
    start(EVERY_HOUR, "a");
    process.retire(spool);
    log().before(Op.FORCE, 1, () -> process.retire(process.spoolOf(List.of("b"))));

    assertThat(process.stop()).isTrue();
    assertThat(process.account.committed).isEqualTo(2);
  }

  /** Each commit costs a force, or requests: those that free no segment would only take time. */
  @ParameterizedTest
  @ValueSource(longs = {1, 4})
  void aFullSpoolIsCommittedOnceThatMakesRoom(long segments) throws IOException {
    Topic topic = new Topic();
    ShippingProcess process = process(topic);
    Spool spool = process.spool(new SpoolLimits(segments * SEGMENT_BYTES, SEGMENT_BYTES));
    int added = 0;
    for (; spool.writer().isReady(); added++) {
      ShippingProcess.write(spool, List.of("x".repeat(100)));
    }

    int turns = 0;
    for (; !spool.writer().isReady() && turns < 100; turns++) {
      assertThat(topic.lines()).isEmpty();
      process.shipper.requestCommit();
      process.turnsAwake(1);
    }
    assertThat(turns).isBetween(2, 5);
    assertThat((long) topic.lines().size()).isBetween(added / segments, 2L * added / segments);
  }

  /** Of a load that the destination cannot follow, a flush waits for what was there before it. */
  @Test
  void aFlushDoesNotWaitForWhatIsLoggedMeanwhile() throws IOException {
    Topic topic = new Topic();
    ShippingProcess process = process(topic);
    Spool spool = process.spool(new SpoolLimits(1 << 20, 1 << 20));
    ShippingProcess.write(spool, lines("before", 30));

    int turns = 0;
    for (; topic.lines().size() < 30 && turns < 100; turns++) {
      process.shipper.requestCommit();
      ShippingProcess.write(spool, lines("meanwhile", 60));
      process.shipper.doWork();
    }
    assertThat(turns).isBetween(2, 4);
    assertThat(spool.publishedSequence()).isGreaterThan(topic.lines().size());
  }

  /** Its writer left it for a record that did not fit, when all others were committed. */
  @Test
  void theOnlySegmentIsReleasedThoughNothingIsLeftToCommit() throws IOException {
    ShippingProcess process = process(new Topic());
    Spool spool = process.spool(new SpoolLimits(SEGMENT_BYTES, SEGMENT_BYTES));
    ShippingProcess.write(spool, List.of("x".repeat(1000), "x".repeat(1000)));
    process.shipper.requestCommit();
    process.turnsAwake(3);
    assertThat(process.account.committed).isEqualTo(2);
    byte[] large = new byte[3000];
    assertThat(spool.writer().append(large, 0, large.length, 2)).isEqualTo(Outcome.FULL);

    process.shipper.requestCommit();
    process.turnsAwake(1);
    assertThat(spool.writer().append(large, 0, large.length, 2)).isEqualTo(Outcome.ADDED);
  }

  private ShippingProcess process(Topic topic) throws IOException {
    Path base = Files.createDirectory(directory.resolve("shm"));
    return new ShippingProcess(disk, base, topic.of(disk), topic::lines, EVERY_HOUR);
  }

  private void turnsWithoutTime(int count) {
    for (int i = 0; i < count; i++) {
      process.shipper.doWork();
    }
  }

  @Test
  void aFailureIsNotTriedAgainAtOnceButSoonAfterASuccess() throws IOException {
    start(EVERY_HOUR);
    write("a");
    log().failFrom(Op.WRITE, 1, ShippingRig::no);
    turnsWithoutTime(5);
    assertThat(process.account.failures).hasSize(1);
    process.pass(20 * MS);
    turnsWithoutTime(5);
    assertThat(process.account.failures).hasSize(2);
    process.turns(20);
    disk.heal();
    process.turns(4);
    assertThat(process.log.records()).containsExactly("a");

    log().failOnce(Op.WRITE, 1, no());
    write("b");
    process.shipper.doWork();
    process.pass(20 * MS);
    process.shipper.doWork();
    assertThat(process.log.records()).containsExactly("a", "b");
  }

  /**
   * Nothing shows which lines are in it, and whether the last one is torn: an empty one follows.
   */
  @Test
  void aLogWhoseEndStaysUnreadableIsContinuedAfterIt() throws IOException {
    start(EVERY_HOUR);
    write("a");
    process.turns(2);
    process.die();
    log().failFrom(Op.READ, 1, () -> new IOException("Input/output error"));
    process = process();
    process.spoolOf(List.of("b"));
    process.turns(20);

    assertThat(process.account.failures).hasSize(4).allMatch(e -> e.getMessage().contains("read"));
    assertThat(process.account.warnings)
        .singleElement()
        .asString()
        .contains("cannot be read: java.io.IOException: Input/output error; up to 1 lines");
    assertThat(process.account.recovered).isEqualTo(1);
    assertThat(process.account.committed).isEqualTo(1);
    assertThat(process.log.records()).containsExactly("a", "", "a", "b");
  }

  /** As where a file may only be appended to: no line is missing, and none doubled. */
  @Test
  void aTornLineThatCannotBeCutOffStaysBeforeTheWholeOne() throws IOException {
    start(EVERY_HOUR);
    write("one", "two");
    log().limitSpace(4 + 2);
    process.turns(1);
    process.die();
    disk.heal();
    log().failFrom(Op.TRUNCATE, 1, () -> new IOException("only appending"));
    process = process();
    process.spool();
    process.turns(20);

    assertThat(process.log.records()).containsExactly("one", "tw", "two");
    assertThat(process.account.recovered).isEqualTo(2);
    assertThat(process.account.warnings)
        .singleElement()
        .asString()
        .contains("cannot be cut back", "only appending");
  }

  @Test
  void halfALineIsCutOffWhenTheTimeIsOver() throws IOException {
    start(EVERY_HOUR);
    List<String> lines = lines("own", 3);
    ShippingProcess.write(spool, lines);
    log().limitSpace(12);
    process.turns(1);
    disk.heal();
    process.retire(spool);
    process.shipper.timeOut();
    assertThat(process.shipper.finish()).isTrue();
    process.shipper.onClose();
    assertThat(process.log.records()).isEqualTo(lines.subList(0, 1));

    ShippingProcess next = process().recover();
    assertThat(next.log.records()).isEqualTo(lines);
    assertThat(next.account.warnings).isEmpty();
  }
}
