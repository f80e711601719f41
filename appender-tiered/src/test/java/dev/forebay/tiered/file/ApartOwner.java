package dev.forebay.tiered.file;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.fail;

import dev.forebay.tiered.disk.FaultyDisk;
import dev.forebay.tiered.identity.LogIdentity;
import dev.forebay.tiered.ship.Follower;
import dev.forebay.tiered.ship.LateDestination;
import dev.forebay.tiered.ship.ShipAccess;
import dev.forebay.tiered.ship.Shipper;
import dev.forebay.tiered.ship.SpoolQueue;
import dev.forebay.tiered.spool.Spool;
import dev.forebay.tiered.spool.SpoolDirectory;
import dev.forebay.tiered.spool.SpoolWriter;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/** A process whose log another one ships, without its threads. */
final class ApartOwner {

  private static final byte[] DESCRIPTION = "of the log".getBytes(StandardCharsets.UTF_8);

  final String name;
  final FaultyDisk disk;
  final Account account = new Account();
  final SpoolQueue queue;
  final Shipper shipper;
  final Follower follower;
  final SpoolDirectory spools;
  Spool spool;

  /** Lines that are in files of its spools, in order, and then those that are not. */
  final List<String> flushed = new ArrayList<>();

  private final List<String> appended = new ArrayList<>();
  private final ApartWorld world;
  private final LateDestination destination;
  private long published;
  private long reached;
  private int next;

  /** Waits so long for another process, nanoseconds. */
  ApartOwner(ApartWorld world, String name, long patienceNs) throws IOException {
    this.world = world;
    this.disk = world.disk();
    this.name = name;
    this.destination =
        new LateDestination("app.log", true, () -> world.destination(disk, account::warn));
    this.queue = new SpoolQueue(destination, (there, lease) -> null, account, () -> 0);
    this.shipper = new Shipper(queue, ShippingProcess.EVERY_SECOND, world::nowNs);
    this.follower = new Follower(shipper, world::nowNs, patienceNs);
    this.spools =
        SpoolDirectory.open(disk, world.base(), LogIdentity.of(disk, Path.of("/app.log")));
    begin();
  }

  private void begin() throws IOException {
    spool = spools.createDescribed(ShippingProcess.LIMITS, DESCRIPTION);
    published = 0;
    queue.add(spools, spool);
  }

  /** Adds lines, as far as there is room. */
  ApartOwner append(int lines) {
    for (int i = 0; i < lines; i++) {
      String line = name + " " + next + " " + "x".repeat(next * 7 % 50);
      byte[] bytes = (line + "\n").getBytes(StandardCharsets.UTF_8);
      if (spool.writer().append(bytes, 0, bytes.length, 2) != SpoolWriter.Outcome.ADDED) {
        break; // nobody ships
      }
      appended.add(line);
      next++;
    }
    note();
    return this;
  }

  ApartOwner flush() throws IOException {
    try {
      spool.writer().flush();
    } finally {
      note();
    }
    return this;
  }

  ApartOwner log(int lines) throws IOException {
    return append(lines).flush();
  }

  /** A full segment is written without being flushed. */
  private void note() {
    int fresh = (int) (spool.publishedSequence() - published);
    published += fresh;
    List<String> written = appended.subList(0, fresh);
    flushed.addAll(written);
    written.clear();
  }

  /** Leaves its spool for another one, which gets what is not in files. */
  void moveOn() throws IOException {
    Spool left = spool;
    flush();
    queue.retireToNext(spools, left);
    begin();
    left.writer().handOver(spool.writer(), level -> fail("a record was refused"));
    flush();
  }

  ApartOwner turns(int count) {
    for (int i = 0; i < count; i++) {
      follower.doWork();
      long unused = follower.sleepNs(world.nowNs());
      check();
      world.pass(600 * ShippingProcess.MS);
    }
    return this;
  }

  boolean ships() {
    return !shipper.isElsewhere();
  }

  long inFlight() {
    return flushed.size() - account.committed - account.lost;
  }

  /** Its account never says more than is true. */
  void check() {
    assertThat(account.committed + account.lost)
        .as("%s: committed and lost", name)
        .isGreaterThanOrEqualTo(reached)
        .isLessThanOrEqualTo(flushed.size());
    reached = account.committed + account.lost;
    if (account.committed > 0) {
      assertThat(account.committed).as(name).isLessThanOrEqualTo(world.linesOf(this).size());
    }
  }

  /** Its polite end. */
  void stop() throws IOException {
    flush();
    queue.retire(spools, spool);
    boolean isOver = false;
    for (int i = 0; i < 12 && !isOver; i++) {
      isOver = follower.finish();
      world.pass(600 * ShippingProcess.MS);
    }
    follower.onClose();
    check();
  }

  /** What the operating system does when it is killed: nothing but to close its files. */
  void die() {
    disk.heal();
    disk.failFrom(null, 1, () -> new IOException("killed"));
    destination.close();
    ShipAccess.kill(queue);
  }
}
