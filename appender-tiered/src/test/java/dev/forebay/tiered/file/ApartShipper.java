package dev.forebay.tiered.file;

import dev.forebay.tiered.disk.FaultyDisk;
import dev.forebay.tiered.ship.FsyncPolicy;
import dev.forebay.tiered.ship.LogShipping;
import dev.forebay.tiered.ship.ShipAccess;
import dev.forebay.tiered.spool.OtherForm;
import dev.forebay.tiered.spool.SpoolDirectory;
import java.io.IOException;
import java.util.List;

/** A process that ships the log of an {@link ApartWorld} for its owners, without its threads. */
final class ApartShipper {

  final FaultyDisk disk;
  final Account account = new Account();
  final LogShipping shipping;
  private final ApartWorld world;
  private final FileDestination destination;
  FileLog log;
  boolean isAlive = true;

  /** At least one owner has a spool. */
  ApartShipper(ApartWorld world, FsyncPolicy fsync) throws IOException {
    this.world = world;
    this.disk = world.disk();
    List<SpoolDirectory> all = SpoolDirectory.all(disk, world.base(), path -> false);
    log = world.log(disk, account::warn);
    log.forcesExpected = fsync.forces();
    destination = new FileDestination(log, fsync.forces(), world::nowNs);
    shipping =
        new LogShipping(
            all.get(0), destination, fsync, OtherForm.UNKNOWN, account, world::nowNs, () -> 1);
  }

  ApartShipper turns(int count) {
    for (int i = 0; i < count; i++) {
      shipping.doWork();
      long unused = shipping.sleepNs(world.nowNs());
      world.pass(600 * ShippingProcess.MS);
    }
    return this;
  }

  /** As its service does when a watched file has changed. */
  ApartShipper look() {
    shipping.lookNow();
    return this;
  }

  void stop() {
    isAlive = false;
    boolean isOver = false;
    for (int i = 0; i < 12 && !isOver; i++) {
      isOver = shipping.finish();
      world.pass(600 * ShippingProcess.MS);
    }
    shipping.onClose();
  }

  /** What the operating system does when it is killed: nothing but to close its files. */
  void die() {
    isAlive = false;
    disk.heal();
    disk.failFrom(null, 1, () -> new IOException("killed"));
    destination.close();
    ShipAccess.kill(shipping);
  }
}
