package dev.forebay.tiered.file;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.fail;

import dev.forebay.agent.NanoClock;
import dev.forebay.agent.Voice;
import dev.forebay.tiered.checkpoint.Checkpoint;
import dev.forebay.tiered.checkpoint.CheckpointFile;
import dev.forebay.tiered.disk.Disk;
import dev.forebay.tiered.disk.FaultyDisk;
import dev.forebay.tiered.disk.HeapDisk;
import dev.forebay.tiered.disk.NioDisk;
import dev.forebay.tiered.identity.LogIdentity;
import dev.forebay.tiered.ship.Destination;
import dev.forebay.tiered.ship.FsyncPolicy;
import dev.forebay.tiered.ship.ShipAccess;
import dev.forebay.tiered.ship.Shipper;
import dev.forebay.tiered.ship.SpoolQueue;
import dev.forebay.tiered.spool.Spool;
import dev.forebay.tiered.spool.SpoolDirectory;
import dev.forebay.tiered.spool.SpoolLimits;
import dev.forebay.tiered.spool.SpoolWriter;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** One process that writes to the log, without its threads: the test calls the shipper. */
public final class ShippingProcess {

  public static final long MS = 1_000_000;
  private static final int STATE_AT = 6; // in a slot of the checkpoint
  static final FsyncPolicy EVERY_SECOND = FsyncPolicy.every(1000 * MS);
  static final FsyncPolicy EVERY_HOUR = FsyncPolicy.every(3_600_000 * MS);

  /** Segments so small that a few records fill one: what is given up too early is gone. */
  public static final SpoolLimits LIMITS = new SpoolLimits(64 * 1024, 256);

  public final Account account = new Account();
  final SpoolQueue queue;
  final @Nullable FileLog log;
  final Shipper shipper;
  final Path base;

  /** Room for as many small segments as the limits allow. */
  final HeapDisk heapDisk = new HeapDisk(8 << 20);

  private final Destination destination;
  private final Supplier<List<String>> records;
  private final Disk disk;
  private final List<SpoolDirectory> directories = new ArrayList<>();
  private @Nullable SpoolDirectory heap;
  private long nowNs = 1;

  public ShippingProcess(Disk disk, Path base, FileLog log, FsyncPolicy fsync) {
    this.disk = disk;
    this.base = base;
    this.log = log;
    log.forcesExpected = fsync.forces();
    log.told = account::warn;
    this.destination = new FileDestination(log, fsync.forces(), () -> nowNs);
    this.records = log::records;
    this.queue = new SpoolQueue(destination, (there, lease) -> null, account, () -> 0);
    this.shipper = new Shipper(queue, fsync, () -> nowNs);
  }

  /** One that ships to what is no file. */
  public ShippingProcess(
      Disk disk,
      Path base,
      Destination destination,
      Supplier<List<String>> records,
      FsyncPolicy fsync) {
    this.disk = disk;
    this.base = base;
    this.log = null;
    this.destination = destination;
    this.records = records;
    this.queue = new SpoolQueue(destination, (there, lease) -> null, account, () -> 0);
    this.shipper = new Shipper(queue, fsync, () -> nowNs);
  }

  /** Without the waiting, for tests that do not cut the power. */
  public static FaultyDisk unforced() {
    return new FaultyDisk(new NioDisk()).unforced();
  }

  /** The same; no checkpoint may say of the log what a power cut could take back. */
  static FaultyDisk watched() {
    return unforced()
        .requireForcedLog(
            (file, bytes) ->
                file.endsWith("checkpoint")
                    && bytes.limit() == CheckpointFile.SLOT_BYTES
                    && bytes.get(STATE_AT) != Checkpoint.State.UNFORCED.ordinal());
  }

  /** With its log in {@code log} and its spools beside that. */
  static ShippingProcess in(Path directory, String spools, Disk disk, FsyncPolicy fsync)
      throws IOException {
    Path logs = Files.createDirectories(directory.resolve("log"));
    Path base = Files.createDirectories(directory.resolve(spools));
    return new ShippingProcess(disk, base, new FileLog(disk, logs, 1 << 20), fsync);
  }

  public List<String> records() {
    return records.get();
  }

  SpoolDirectory open(Path where) throws IOException {
    SpoolDirectory directory =
        SpoolDirectory.open(disk, where, LogIdentity.of(disk, Path.of("/app.log")));
    directories.add(directory);
    return directory;
  }

  public Spool spool() throws IOException {
    return spool(LIMITS);
  }

  public Spool spool(SpoolLimits limits) throws IOException {
    SpoolDirectory directory = open(base);
    Spool spool = directory.createSpool(limits);
    queue.add(directory, spool);
    return spool;
  }

  /** A spool of this process that is lost with it, known to the shipper. */
  Spool heapSpool() throws IOException {
    if (heap == null) {
      heap =
          SpoolDirectory.open(
              heapDisk, HeapDisk.ROOT, LogIdentity.of(heapDisk, Path.of("/app.log")));
    }
    directories.add(heap);
    Spool spool = heap.createSpool(LIMITS);
    queue.add(heap, spool);
    return spool;
  }

  /** Leaves a spool for a new one, which gets what is not in files yet. */
  Spool replace(Spool spool, boolean byHeap) throws IOException {
    try {
      spool.writer().flush();
    } catch (IOException e) {
      account.failed(e);
    }
    queue.retireToNext(directories.get(directories.size() - 1), spool);
    Spool next = byHeap ? heapSpool() : spool();
    spool.writer().handOver(next.writer(), level -> fail("a record was refused"));
    next.writer().flush();
    return next;
  }

  Spool spoolOf(List<String> lines) throws IOException {
    Spool spool = spool();
    write(spool, lines);
    return spool;
  }

  /** A whole life in which nothing is logged: ships what others left. */
  public ShippingProcess recover() throws IOException {
    retire(spool());
    turns(6);
    stop();
    return this;
  }

  public void retire(Spool spool) {
    queue.retire(directories.get(directories.size() - 1), spool);
  }

  public static void write(Spool spool, List<String> lines) throws IOException {
    for (String line : lines) {
      byte[] bytes = (line + "\n").getBytes(StandardCharsets.UTF_8);
      assertThat(spool.writer().append(bytes, 0, bytes.length, 2))
          .isEqualTo(SpoolWriter.Outcome.ADDED);
    }
    spool.writer().flush();
  }

  /** Lines of different lengths: {@code name 0 …} to {@code name (count - 1) …}. */
  public static List<String> lines(String name, int count) {
    List<String> lines = new ArrayList<>();
    for (int i = 0; i < count; i++) {
      lines.add(name + " " + i + " " + "x".repeat(i * 7 % 50));
    }
    return lines;
  }

  /** Which only the writer of a spool has: its calls are the spool's to test. */
  static boolean isSegment(Path path) {
    return path.toString().endsWith(".seg") || path.toString().contains("spare-");
  }

  public void turns(int count) {
    for (int i = 0; i < count; i++) {
      turnsAwake(1);
      long unused = sleepNs(); // as before a sleep, for which it closes files
    }
  }

  /** Turns between which it does not sleep. */
  void turnsAwake(int count) {
    for (int i = 0; i < count; i++) {
      shipper.doWork();
      pass(600 * MS);
    }
  }

  public void pass(long ns) {
    nowNs += ns;
  }

  long sleepNs() {
    return shipper.sleepNs(nowNs);
  }

  /** The polite end; whether the shipper found all shipped. */
  public boolean stop() {
    boolean finished = false;
    for (int i = 0; i < 12 && !finished; i++) {
      finished = shipper.finish();
      pass(600 * MS);
    }
    shipper.onClose();
    return finished;
  }

  /** What the operating system does when the process is killed. */
  public void die() {
    destination.close();
    ShipAccess.kill(queue);
  }

  public static FileDestination plain(
      Disk disk, Path file, ByteBuffer lineEnd, Voice warnings, NanoClock clock) {
    LogSettings settings = LogSettings.plain(disk, file.toString(), null, lineEnd, warnings);
    return new FileDestination(new RollingLog(settings), true, clock);
  }
}
