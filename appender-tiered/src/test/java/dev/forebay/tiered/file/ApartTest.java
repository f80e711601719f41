package dev.forebay.tiered.file;

import static org.assertj.core.api.Assertions.assertThat;

import dev.forebay.tiered.disk.FaultyDisk.Op;
import dev.forebay.tiered.ship.ShipAccess;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Owners of spools and what ships for them, step by step. */
@Tag("once")
class ApartTest {

  private static final long LONG = ApartWorld.PATIENCE_NS + 1;

  @TempDir Path directory;

  private ApartWorld world;

  @BeforeEach
  void begin() throws IOException {
    world = new ApartWorld(directory, 1 << 20);
  }

  /** Ends all, and requires that every line is in the log once and that nothing else is left. */
  private void end(ApartOwner... living) throws IOException {
    for (ApartOwner one : living) {
      one.stop();
    }
    world.drain("at the end");
  }

  @Test
  void aLiveSpoolIsShippedAndItsOwnerCountsAndFreesIt() throws IOException {
    ApartOwner owner = world.owner().log(60);
    long used = owner.spool.usedBytes();
    ApartShipper shipper = world.shipper();
    world.settle("shipped", shipper, List.of(owner));
    owner.log(1);

    assertThat(owner.account.committed).isEqualTo(60);
    assertThat(owner.spool.usedBytes()).isLessThan(used);
    assertThat(owner.account.warnings).isEmpty();
    assertThat(owner.account.failures).isEmpty();
    world.settle("one more", shipper, List.of(owner));
    end(owner);
  }

  @Test
  void anOwnerShipsWhatNobodyDoesAndHandsItBack() throws IOException {
    ApartOwner owner = world.owner().log(5).turns(1);
    world.pass(LONG);
    owner.turns(3);
    assertThat(owner.ships()).isTrue();
    assertThat(owner.account.warnings).hasSize(1);
    owner.log(5).turns(3);
    assertThat(owner.account.committed).isEqualTo(10);

    ApartShipper shipper = world.shipper().turns(1);
    owner.turns(2);
    assertThat(owner.ships()).isFalse();
    owner.log(5);
    world.settle("handed back", shipper, List.of(owner));
    assertThat(owner.account.warnings).hasSize(1);
    assertThat(shipper.shipping.shipped()).isEqualTo(5);
    end(owner);
  }

  @Test
  void anOwnerShipsNothingWhileAnotherProcessHoldsTheLock() throws IOException {
    ApartOwner owner = world.owner().log(5).turns(1);
    ApartShipper stuck = world.shipper();
    stuck.disk.affecting(path -> path.endsWith("app.log")).failFrom(Op.OPEN, 1, ApartTest::full);
    stuck.turns(2);
    world.pass(LONG);
    owner.turns(4);
    assertThat(owner.ships()).isFalse();
    assertThat(world.records()).isEmpty();
    assertThat(owner.account.committed).isZero();
    stuck.disk.heal();
    world.settle("later", stuck, List.of(owner));
    end(owner);
  }

  /** As when one is restarted while the disk is full, for less than that or for longer. */
  @ParameterizedTest
  @ValueSource(ints = {14, 40})
  void anOwnerWaitsAsLongAsEverOnceAShipperThatFailedIsGone(int turns) throws IOException {
    ApartOwner owner = world.owner().log(5).turns(1);
    ApartShipper stuck = world.shipper();
    stuck.disk.affecting(path -> path.endsWith("app.log")).failFrom(Op.OPEN, 1, ApartTest::full);
    stuck.turns(2);
    owner.turns(turns);
    stuck.die();
    owner.turns(4);
    assertThat(owner.ships()).isFalse();
    assertThat(owner.account.warnings).isEmpty();
    world.pass(LONG);
    owner.turns(2);
    assertThat(owner.ships()).isTrue();
    end(owner);
  }

  /** They are its owner's, also once they are shipped. */
  @Test
  void aShipperChangesNoFileOfALiveSpool() throws IOException {
    ApartOwner owner = world.owner().log(40);
    Path spool = owner.spool.path();
    ApartShipper shipper = world.shipper();
    shipper.disk.affecting(path -> path.startsWith(spool));
    for (int i = 0; i < 4; i++) {
      shipper.look().turns(1);
    }
    List<Path> entries = owner.spools.disk().list(spool);
    world.settle("shipped", shipper, List.of(owner));
    assertThat(entries).hasSizeGreaterThan(10);
    for (Op op : List.of(Op.WRITE, Op.MOVE, Op.DELETE, Op.TRUNCATE, Op.LINK)) {
      assertThat(shipper.disk.calls(op)).as(op.name()).isZero();
    }
    end(owner);
  }

  /** Its owner has not looked yet. */
  @Test
  void aSpoolThatHasEndedIsNotShippedAgain() throws IOException {
    ApartOwner owner = world.owner().log(4);
    ApartShipper shipper = world.shipper().turns(2);
    owner.moveOn();
    owner.log(4);
    shipper.look().turns(6);
    assertThat(world.linesOf(owner)).isEqualTo(owner.flushed);
    for (int i = 0; i < 6; i++) {
      assertThat(shipper.look().shipping.doWork()).isZero();
    }
    assertThat(owner.spools.list("spool-")).hasSize(2);
    world.settle("shipped", shipper, List.of(owner));
    end(owner);
  }

  /** Its lines end the log; whoever goes on must not begin after them with others. */
  @Test
  void anOwnerThatFillsInFirstSettlesWhatAKilledShipperLeftOfAnother() throws IOException {
    ApartOwner first = world.owner().log(8);
    ApartShipper killed = world.shipper(ShippingProcess.EVERY_HOUR).turns(3);
    first.turns(1);
    assertThat(world.linesOf(first)).hasSize(8);
    assertThat(first.account.committed).isZero();
    killed.die();

    ApartOwner second = world.owner().log(4).turns(1);
    world.pass(LONG);
    second.turns(14);
    assertThat(second.ships()).isTrue();
    assertThat(second.account.committed).isEqualTo(4);
    first.turns(2);
    assertThat(first.account.committed).isEqualTo(8);
    end(first, second);
  }

  /** Its lock is held, but by the shipper itself. */
  @Test
  void aSpoolOfADeadOwnerIsNotReadAsThatOfALivingOneToo() throws IOException {
    ApartOwner dead = world.owner().log(5);
    ApartOwner other = world.owner().log(3); // so that both are there at the first look
    ApartShipper shipper = world.shipper(ShippingProcess.EVERY_HOUR);
    dead.die();
    other.die();
    shipper.turns(1);
    assertThat(ShipAccess.readsLiving(shipper.shipping)).isFalse();
    shipper.turns(4);
    assertThat(world.linesOf(dead)).hasSize(5);
    assertThat(world.linesOf(other)).hasSize(3);
    shipper.stop();
  }

  /** The same of its own lines, although an older process left others. */
  @Test
  void anOwnerThatFillsInFirstSettlesWhatAKilledShipperLeftOfItsOwn() throws IOException {
    ApartOwner older = world.owner().log(3);
    ApartOwner owner = world.owner().log(8);
    ApartShipper killed = world.shipper(ShippingProcess.EVERY_HOUR).turns(3);
    killed.die();
    assertThat(world.linesOf(owner)).hasSize(8);
    older.log(2).stop();

    owner.turns(1);
    world.pass(LONG);
    owner.turns(8);
    assertThat(owner.ships()).isTrue();
    assertThat(owner.account.committed).isEqualTo(8);
    end(owner);
  }

  /** Its owner showed less than that, so that a reader of live spools would find it foreign. */
  @Test
  void whatAKilledShipperLeftOfADeadOneIsComparedWithAllOfIt() throws IOException {
    world.owner().append(20).die();
    ApartShipper killed = world.shipper();
    killed.disk.affecting(path -> path.endsWith("app.log")).limitSpace(100);
    killed.turns(1).die();
    assertThat(world.records()).hasSizeBetween(2, 19);
    end();
  }

  /** The checkpoint has two positions. */
  @Test
  void anOwnerThatFillsInForgetsThePositionOfNoOther() throws IOException {
    ApartOwner first = world.owner().log(40);
    ApartOwner second = world.owner().log(40);
    ApartShipper killed = world.shipper();
    world.settle("two", killed, List.of(first, second));
    killed.die();
    ApartOwner third = world.owner().log(40).turns(1);
    world.pass(LONG);
    third.turns(14);
    first.log(10);
    second.log(10);
    ApartShipper next = world.shipper().turns(1);
    third.turns(2);
    next.turns(8);
    first.turns(1);
    second.turns(1);

    assertThat(first.account.lost + second.account.lost + third.account.lost).isZero();
    assertThat(next.shipping.lost()).isZero();
    end(first, second, third);
  }

  @Test
  void whatIsAppendedOfOneSpoolIsCommittedThoughAnotherOneEnds() throws IOException {
    ApartOwner owner = world.owner().log(2);
    ApartShipper shipper = world.shipper().turns(3);
    owner.moveOn();
    owner.log(2);
    shipper.look().turns(6);
    owner.turns(1);
    assertThat(owner.account.committed).isEqualTo(4);
    end(owner);
  }

  /** Otherwise a flush would never succeed again. */
  @Test
  void whatWasInARemovedSpoolIsLostAndNotInFlight() throws IOException {
    ApartOwner owner = world.owner().log(5).turns(1);
    Files.move(owner.spool.path(), directory.resolve("elsewhere"));
    owner.moveOn();
    owner.turns(1);
    assertThat(owner.account.lost).isEqualTo(5);
    assertThat(owner.inFlight()).isZero();
    assertThat(owner.account.warnings).hasSize(1);

    world.shipper().turns(1);
    owner.stop();
  }

  /** What cannot be listed for a moment is not lost. */
  @Test
  void segmentsThatCannotBeListedAreReadLater() throws IOException {
    ApartOwner owner = world.owner().log(2);
    ApartShipper shipper = world.shipper().turns(3);
    owner.log(30);
    shipper
        .disk
        .affecting(path -> path.equals(owner.spool.path()))
        .failFrom(Op.LIST, 1, () -> new IOException("Too many open files"));
    shipper.turns(1);
    assertThat(shipper.disk.hasFaultsAhead()).isFalse();
    shipper.disk.heal();
    world.settle("later", shipper, List.of(owner));
    assertThat(shipper.shipping.lost()).isZero();
    end(owner);
  }

  /** Whatever comes after it. */
  @Test
  void whatAFailedWriteDidNotShowIsShownByTheNextFlush() throws IOException {
    ApartOwner owner = world.owner().log(2);
    ApartShipper shipper = world.shipper().turns(3);
    failToShow(owner);
    owner.log(2);
    assertThat(owner.spool.writer().isSettled()).isFalse();
    owner.flush();
    assertThat(owner.spool.writer().isSettled()).isTrue();
    world.settle("shown", shipper, List.of(owner));
    end(owner);
  }

  @Test
  void aSpoolWhoseEndCouldNotBeShownEndsAllTheSame() throws IOException {
    ApartOwner owner = world.owner().log(2);
    ApartShipper shipper = world.shipper().turns(3);
    failToShow(owner);
    owner.moveOn();
    owner.disk.heal();
    owner.log(2);
    for (int i = 0; i < 10; i++) {
      shipper.look().turns(1);
      owner.turns(1);
    }
    assertThat(owner.spools.list("spool-")).hasSize(1);
    assertThat(owner.account.committed).isEqualTo(4);
    end(owner);
  }

  /** A failure that is reported though the checkpoint was saved: its owner goes by the file. */
  @Test
  void aSaveThatFailsLateCountsWhenTheShipperEndsToo() throws IOException {
    ApartOwner owner = world.owner().log(2);
    ApartShipper shipper = world.shipper().turns(3);
    owner.turns(1).log(40);
    failToSaveLate(shipper);
    boolean unused = shipper.shipping.finish();
    assertThat(shipper.disk.hasFaultsAhead()).isFalse();
    owner.turns(1);
    assertThat(owner.account.committed).isEqualTo(42);
    shipper.stop();
    assertThat(shipper.shipping.lost()).isZero();
    end(owner);
  }

  @Test
  void aSaveThatFailsLateCounts() throws IOException {
    ApartOwner owner = world.owner().log(2);
    ApartShipper shipper = world.shipper().turns(3);
    owner.turns(1).log(40);
    failToSaveLate(shipper);
    shipper.turns(3);
    assertThat(shipper.disk.hasFaultsAhead()).isFalse();
    owner.turns(1);
    world.settle("late", shipper, List.of(owner));
    assertThat(shipper.shipping.lost()).isZero();
    end(owner);
  }

  /** What its shipper said last is over once records are committed again. */
  @Test
  void aFaultOfItsShipperIsShownUntilRecordsMove() throws IOException {
    ApartOwner owner = world.owner().log(2);
    ApartShipper shipper = world.shipper();
    shipper.disk.affecting(path -> path.endsWith("app.log")).failFrom(Op.OPEN, 1, ApartTest::full);
    shipper.turns(2);
    owner.turns(2);
    assertThat(owner.account.isFailing).isTrue();
    shipper.disk.heal();
    shipper.turns(8);
    owner.turns(1);
    assertThat(owner.inFlight()).isZero();
    assertThat(owner.account.isFailing).isFalse();
    end(owner);
  }

  private static void failToShow(ApartOwner owner) {
    owner
        .disk
        .affecting(path -> path.endsWith("head"))
        .failOnce(Op.WRITE, 1, new IOException("no"));
  }

  private static void failToSaveLate(ApartShipper shipper) {
    shipper
        .disk
        .affecting(path -> path.endsWith("checkpoint"))
        .failOnce(Op.WRITTEN, 1, new IOException("late"));
  }

  private static IOException full() {
    return new IOException("No space left on device");
  }
}
