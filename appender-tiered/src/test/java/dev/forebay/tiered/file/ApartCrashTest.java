package dev.forebay.tiered.file;

import static org.assertj.core.api.Assertions.assertThat;

import dev.forebay.tiered.disk.FaultyDisk;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * The same scenarios again and again, each time with another call of one process to the file system
 * failing, or that process being killed there, while the other one goes on.
 */
@Tag("once")
class ApartCrashTest {

  private static final long ROLL_BYTES = 250;

  @TempDir Path directory;

  private ApartWorld world;
  private ApartOwner owner;
  private ApartShipper shipper;

  private void begin(int round) throws IOException {
    world = new ApartWorld(directory.resolve("round" + round), ROLL_BYTES);
    owner = world.owner().log(4);
    shipper = world.shipper();
  }

  /** A whole life of both, until one of them is killed. */
  private void live() throws IOException {
    shipper.turns(2);
    owner.log(6).turns(1);
    shipper.turns(3);
    owner.turns(1).moveOn();
    owner.log(4);
    shipper.look().turns(3);
    owner.turns(2);
  }

  private static void fail(FaultyDisk disk, int nth, boolean isKill) {
    if (isKill) {
      disk.failFrom(null, nth, () -> new IOException("killed"));
    } else {
      disk.affecting(path -> !ShippingProcess.isSegment(path)) // its writer's
          .failOnce(null, nth, new IOException("no"));
    }
  }

  private static boolean wasHit(FaultyDisk disk) {
    boolean isHit = !disk.hasFaultsAhead();
    disk.heal();
    return isHit;
  }

  private void end(String as) throws IOException {
    world.settle(as, shipper, List.of(owner));
    owner.stop();
    world.drain(as);
  }

  @ParameterizedTest
  @ValueSource(booleans = {false, true})
  void everyRecordArrivesOnceWhicheverCallOfTheShipperFailsOrKillsIt(boolean isKill)
      throws IOException {
    boolean isHit = true;
    for (int n = 1; isHit; n++) {
      begin(n);
      fail(shipper.disk, n, isKill);
      live();
      isHit = wasHit(shipper.disk);
      if (isKill) {
        shipper.die();
        shipper = world.shipper();
      }
      end("call " + n);
    }
  }

  @ParameterizedTest
  @ValueSource(booleans = {false, true})
  void everyRecordArrivesOnceWhicheverCallOfTheOwnerFailsOrKillsIt(boolean isKill)
      throws IOException {
    boolean isHit = true;
    for (int n = 1; isHit; n++) {
      begin(n);
      fail(owner.disk, n, isKill);
      boolean isDead = isKill;
      try {
        live();
      } catch (IOException e) {
        isDead = true; // or it has no spool any more
      }
      isHit = wasHit(owner.disk);
      String as = "call " + n;
      if (isDead) {
        owner.die();
        assertThat(owner.account.lost).as(as).isZero();
        shipper.turns(4);
        world.drain(as);
      } else {
        end(as);
      }
    }
  }

  /** It fills in for a shipper that was killed with records of another in the log. */
  @ParameterizedTest
  @ValueSource(booleans = {false, true})
  void everyRecordArrivesOnceWhicheverCallOfAnOwnerThatFillsInFailsOrKillsIt(boolean isKill)
      throws IOException {
    boolean isHit = true;
    for (int n = 1; isHit; n++) {
      world = new ApartWorld(directory.resolve("round" + n), ROLL_BYTES);
      ApartOwner first = world.owner().log(4);
      ApartShipper killed = world.shipper(ShippingProcess.EVERY_HOUR).turns(2);
      killed.die();
      owner = world.owner().log(4).turns(1);
      world.pass(ApartWorld.PATIENCE_NS);
      fail(owner.disk, n, isKill);
      try {
        owner.turns(6).log(4).turns(2);
        shipper = world.shipper().turns(1);
        owner.turns(2);
        shipper.turns(2);
      } catch (IOException e) {
        assertThat(isKill).as(e.toString()).isTrue();
        shipper = world.shipper();
      }
      isHit = wasHit(owner.disk);
      String as = "call " + n;
      if (isKill) {
        owner.die();
        owner = first;
      } else {
        world.settle(as, shipper, List.of(first, owner));
        first.stop();
      }
      end(as);
    }
  }
}
