package dev.forebay.tiered.ship;

import dev.forebay.tiered.disk.Disk;
import dev.forebay.tiered.disk.NioDisk;
import dev.forebay.tiered.file.Account;
import dev.forebay.tiered.file.FileDestination;
import dev.forebay.tiered.file.FilesBeside;
import dev.forebay.tiered.file.ShippingProcess;
import dev.forebay.tiered.spool.LogIdentity;
import dev.forebay.tiered.spool.Spool;
import dev.forebay.tiered.spool.SpoolDirectory;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.io.TempDir;

/** Dead processes beside a living one. */
abstract class StrayRig {

  static final long SECOND_NS = 1_000_000_000;
  static final int ENOUGH_TURNS = 40;

  final Disk disk = new NioDisk();
  final Account account = new Account();
  @TempDir Path root;
  Path base;
  Path logs;
  long nowNs = 1;

  /** Long after all files were written. */
  long nowMs = System.currentTimeMillis() + 3_600_000;

  @BeforeEach
  void makeDirectories() throws IOException {
    base = Files.createDirectory(root.toRealPath().resolve("shm"));
    logs = Files.createDirectory(root.toRealPath().resolve("log"));
  }

  SpoolDirectory directoryOf(Path log) throws IOException {
    return SpoolDirectory.open(disk, base, LogIdentity.of(disk, log));
  }

  Destination file(Path log) {
    return FileDestination.plain(disk, log, account::warn, () -> nowNs);
  }

  /** A process that spooled these lines and was killed; returns its spool. */
  Path spooled(Path log, List<String> lines) throws IOException {
    Spool spool = directoryOf(log).createSpool(ShippingProcess.LIMITS);
    ShippingProcess.write(spool, lines);
    spool.close();
    return spool.path();
  }

  /** As the other; the first lines were shipped, and behind the last checkpoint some more. */
  void shippedInPart(Path log, List<String> lines, int committed, int appended) throws IOException {
    SpoolDirectory directory = directoryOf(log);
    Spool spool = directory.createSpool(ShippingProcess.LIMITS);
    Destination file = file(log);
    SpoolQueue queue = new SpoolQueue(file, there -> {}, account, () -> 0);
    FsyncPolicy late = FsyncPolicy.every(3600 * SECOND_NS);
    Shipper shipper = new Shipper(queue, late, () -> nowNs);
    queue.add(directory, spool);
    ShippingProcess.write(spool, lines.subList(0, committed));
    shipper.requestCommit();
    shipper.doWork();
    ShippingProcess.write(spool, lines.subList(committed, appended));
    shipper.doWork();
    ShippingProcess.write(spool, lines.subList(appended, lines.size()));
    file.close();
    queue.close();
  }

  StrayShipper shipper(Path own) {
    return shipper(disk, disk, own);
  }

  StrayShipper shipper(Disk ofSpools, Disk ofFiles, Path own) {
    return new StrayShipper(
        ofSpools,
        List.of(base),
        new FilesBeside(ofFiles, own, () -> LogIdentity.of(disk, own), account::warn, () -> nowNs),
        new SpoolQueue(file(own), directory -> {}, account, () -> nowMs),
        () -> nowNs);
  }

  void look(Path own) throws Exception {
    StrayShipper shipper = shipper(own);
    turns(shipper, ENOUGH_TURNS);
    shipper.close();
  }

  /** One a second, in which our own log has nothing to do. */
  void turns(StrayShipper shipper, int count) throws Exception {
    for (int i = 0; i < count; i++) {
      nowNs += SECOND_NS;
      shipper.doWork(true);
    }
  }

  List<Path> leftInBase() throws IOException {
    try (Stream<Path> all = Files.walk(base)) {
      return all.filter(path -> path.toString().endsWith(".seg")).toList();
    }
  }
}
