package dev.forebay.tiered.file;

import static org.assertj.core.api.Assertions.assertThat;

import dev.forebay.tiered.disk.Disk;
import dev.forebay.tiered.disk.FaultyDisk;
import dev.forebay.tiered.disk.NioDisk;
import dev.forebay.tiered.ship.FsyncPolicy;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;
import java.util.stream.Stream;

/** One log, processes that spool for it, and others that ship: on one clock, without threads. */
final class ApartWorld {

  static final long PATIENCE_NS = 10_000 * ShippingProcess.MS;

  private static final int ROUNDS = 80;

  private final Path directory;
  private final long rollBytes;
  private long nowNs = 1;

  /** All that were ever there. */
  final List<ApartOwner> owners = new ArrayList<>();

  private final List<ApartShipper> shippers = new ArrayList<>();

  ApartWorld(Path directory, long rollBytes) throws IOException {
    this.directory = directory;
    this.rollBytes = rollBytes;
    Files.createDirectories(directory.resolve("log"));
    Files.createDirectories(base());
  }

  long nowNs() {
    return nowNs;
  }

  void pass(long ns) {
    nowNs += ns;
  }

  Path base() {
    return directory.resolve("shm");
  }

  Path logFile() {
    return directory.resolve("log/app.log");
  }

  /** One for a process; in memory no checkpoint survives a power cut, and so none may lead. */
  FaultyDisk disk() {
    boolean isInMemory = new NioDisk().isInMemory(base());
    return isInMemory ? ShippingProcess.unforced() : ShippingProcess.watched();
  }

  FileLog log(Disk disk, Consumer<String> warnings) {
    FileLog log = new FileLog(disk, directory.resolve("log"), rollBytes);
    log.told = warnings;
    return log;
  }

  FileDestination destination(Disk disk, Consumer<String> warnings) {
    return new FileDestination(log(disk, warnings), true, this::nowNs);
  }

  ApartOwner owner() throws IOException {
    return owner(PATIENCE_NS);
  }

  ApartOwner owner(long patienceNs) throws IOException {
    ApartOwner owner = new ApartOwner(this, "owner" + owners.size(), patienceNs);
    owners.add(owner);
    return owner;
  }

  ApartShipper shipper() throws IOException {
    return shipper(ShippingProcess.EVERY_SECOND);
  }

  ApartShipper shipper(FsyncPolicy fsync) throws IOException {
    ApartShipper shipper = new ApartShipper(this, fsync);
    shippers.add(shipper);
    return shipper;
  }

  /** All records of the log. */
  List<String> records() {
    return log(new NioDisk(), text -> {}).records();
  }

  List<String> linesOf(ApartOwner owner) {
    return records().stream().filter(line -> line.startsWith(owner.name + " ")).toList();
  }

  /** What each owner flushed is in the log, once and in order, and nothing else. */
  void requireOnce(String as) {
    int count = 0;
    for (ApartOwner owner : owners) {
      assertThat(linesOf(owner)).as("%s, %s", as, owner.name).isEqualTo(owner.flushed);
      count += owner.flushed.size();
    }
    assertThat(records()).as(as).hasSize(count);
  }

  /** Ships what is left once all owners are gone: then nothing else is. */
  void drain(String as) throws IOException {
    for (ApartShipper one : shippers) {
      if (one.isAlive) {
        one.stop();
      }
    }
    List<Path> left = entries();
    if (!left.isEmpty()) {
      ApartShipper last = shipper();
      for (int i = 0; i < ROUNDS && !last.shipping.isOver(); i++) {
        last.turns(1);
      }
      assertThat(last.shipping.isOver()).as(as).isTrue();
      last.stop();
      assertThat(last.account.warnings).as(as).isEmpty();
      assertThat(last.account.failures).as(as).isEmpty();
      assertThat(last.shipping.lost()).as(as).isZero();
    }
    requireOnce(as);
    assertThat(entries()).as(as).isEmpty();
  }

  /** Lets those live and ship until all is committed; that may take a third one's end. */
  void settle(String as, ApartShipper shipper, List<ApartOwner> living) throws IOException {
    for (int i = 0; i < ROUNDS && living.stream().anyMatch(one -> one.inFlight() > 0); i++) {
      shipper.turns(1);
      for (ApartOwner one : living) {
        one.flush().turns(1); // as the flusher does until all is shown
      }
    }
    for (ApartOwner one : living) {
      assertThat(one.inFlight()).as("%s, %s in flight", as, one.name).isZero();
      assertThat(one.account.lost).as("%s, %s lost", as, one.name).isZero();
    }
  }

  /** All below the base. */
  List<Path> entries() throws IOException {
    try (Stream<Path> all = Files.walk(base())) {
      return all.filter(path -> !path.equals(base())).toList();
    }
  }
}
