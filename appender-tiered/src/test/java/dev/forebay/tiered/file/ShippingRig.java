package dev.forebay.tiered.file;

import dev.forebay.tiered.disk.FaultyDisk;
import dev.forebay.tiered.ship.FsyncPolicy;
import dev.forebay.tiered.spool.Spool;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.io.TempDir;

/** Processes that ship to one log, in a directory of the test's own. */
public abstract class ShippingRig {
  static final long MS = ShippingProcess.MS;

  private final List<ShippingProcess> living = new ArrayList<>();
  final FaultyDisk disk;
  @TempDir Path directory;

  ShippingProcess process;

  Spool spool;

  public ShippingRig() {
    this(ShippingProcess.unforced());
  }

  public ShippingRig(FaultyDisk disk) {
    this.disk = disk;
  }

  ShippingProcess process() throws IOException {
    return process(ShippingProcess.EVERY_SECOND);
  }

  ShippingProcess process(FsyncPolicy fsync) throws IOException {
    return process("shm", fsync);
  }

  ShippingProcess process(String spools) throws IOException {
    return process(spools, ShippingProcess.EVERY_SECOND);
  }

  ShippingProcess process(String spools, FsyncPolicy fsync) throws IOException {
    ShippingProcess process = ShippingProcess.in(directory, spools, disk, fsync);
    living.add(process);
    return process;
  }

  /** Their locks are known by the numbers of files, which the next test may get. */
  @AfterEach
  void killAll() {
    living.forEach(ShippingProcess::die);
  }

  /** A process that has its log open, and then these records in it, not committed. */
  void start(FsyncPolicy fsync, String... records) throws IOException {
    process = process(fsync);
    spool = process.spool();
    process.shipper.doWork();
    process.shipper.doWork();
    write(records);
    process.shipper.doWork();
  }

  void write(String... records) throws IOException {
    ShippingProcess.write(spool, List.of(records));
  }

  void commit() {
    process.shipper.requestCommit();
    process.turns(1);
  }

  static List<String> lines(String name, int count) {
    return ShippingProcess.lines(name, count);
  }

  @SafeVarargs
  public static List<String> all(List<String>... parts) {
    List<String> all = new ArrayList<>();
    for (List<String> part : parts) {
      all.addAll(part);
    }
    return all;
  }

  Path logFile() {
    return directory.resolve("log/app.log");
  }

  /** Faults of the log, by the name it was opened with. */
  FaultyDisk log() {
    return disk.affecting(path -> path.endsWith("app.log"));
  }

  static IOException no() {
    return new IOException("no");
  }
}
