package dev.forebay.tiered.ship;

import static org.assertj.core.api.Assertions.assertThat;

import dev.forebay.tiered.disk.FaultyDisk;
import dev.forebay.tiered.disk.OpenFiles;
import dev.forebay.tiered.file.ShippingProcess;
import dev.forebay.tiered.spool.LineSpool;
import dev.forebay.tiered.spool.Spool;
import dev.forebay.tiered.spool.SpoolDirectory;
import dev.forebay.tiered.spool.SpoolLimits;
import dev.forebay.tiered.spool.SpoolLock;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** How much a turn may take, how often strays are tried again, and when they go. */
@Tag("once")
class StrayTurnsTest extends StrayRig {

  /** Each takes a lock, and time, of a log that is not ours. */
  @Test
  void oneSpoolIsOpenedInATurnHoweverManyThereAre() throws Exception {
    Path other = Files.createDirectory(root.resolve("other")).toRealPath().resolve("app.log");
    for (int i = 0; i < 30; i++) {
      spooled(other, ShippingProcess.lines("first", 1));
    }
    AtomicInteger opened = new AtomicInteger();
    FaultyDisk counting = new FaultyDisk(disk).affecting(this::isLockOfSpool);
    for (int i = 1; i <= 1000; i++) {
      counting.before(FaultyDisk.Op.OPEN, i, opened::incrementAndGet);
    }
    Path own = logs.resolve("app.log");
    StrayShipper shipper = shipper(counting, disk, own);
    int most = 0;
    for (int i = 0; i < ENOUGH_TURNS; i++) {
      nowNs += SECOND_NS;
      opened.set(0);
      shipper.doWork(true);
      most = Math.max(most, opened.get());
    }

    assertThat(most).isEqualTo(1);
    assertThat(leftInBase()).hasSize(30);
    shipper.close();
  }

  private boolean isLockOfSpool(Path path) {
    return path.startsWith(base)
        && path.endsWith("lock")
        && path.getParent().getFileName().toString().startsWith("spool-");
  }

  @Test
  void aFileThatCannotBeWrittenIsTriedAgainUntilItCan() throws Exception {
    List<String> lines = ShippingProcess.lines("first", 30);
    spooled(logs.resolve("app-1.log"), lines);
    FaultyDisk full = new FaultyDisk(disk).affecting(path -> path.endsWith("app-1.log"));
    full.limitSpace(100);
    StrayShipper shipper = shipper(disk, full, logs.resolve("app-2.log"));
    turns(shipper, 10 * ENOUGH_TURNS);
    assertThat(Files.size(logs.resolve("app-1.log"))).isBetween(1L, 100L);
    assertThat(account.warnings)
        .singleElement()
        .asString()
        .contains("cannot be shipped to " + logs.resolve("app-1.log"), "may end within a line");

    full.heal();
    turns(shipper, 3 * ENOUGH_TURNS);
    shipper.close();
    assertThat(Files.readAllLines(logs.resolve("app-1.log"))).isEqualTo(lines);
    assertThat(leftInBase()).isEmpty();
    assertThat(account.warnings).hasSize(1);
  }

  /** 3 MB, of which a turn may take four batches of 256 KB. */
  @Test
  void betweenAFewBatchesOurLogIsServed() throws Exception {
    Path stray = logs.resolve("app-1.log");
    Spool dead = directoryOf(stray).createSpool(new SpoolLimits(8 << 20, 1 << 20));
    ShippingProcess.write(dead, Collections.nCopies(3000, "x".repeat(1000)));
    dead.close();
    Path own = logs.resolve("app-2.log");
    SpoolQueue queue = new SpoolQueue(file(own), there -> {}, account, () -> 0);
    SpoolDirectory directory = directoryOf(own);
    Spool spool = directory.createSpool(ShippingProcess.LIMITS);
    queue.add(directory, spool);
    FsyncPolicy late = FsyncPolicy.every(3600 * SECOND_NS);
    Shipper shipper = new Shipper(queue, late, () -> nowNs, () -> {}, shipper(own));
    nowNs += 3 * SECOND_NS;
    long before = 0;
    for (int turn = 0; turn < ENOUGH_TURNS; turn++) {
      ShippingProcess.write(spool, List.of("own " + turn));
      shipper.doWork();
      nowNs += SECOND_NS / 1000;
      assertThat(Files.readAllLines(own)).hasSize(turn + 1);
      long now = Files.exists(stray) ? Files.size(stray) : 0;
      assertThat(now - before).isLessThanOrEqualTo(5 * 256 * 1024);
      before = now;
    }
    assertThat(before).isEqualTo(3000 * 1001);
    queue.retire(directory, spool);
    shipper.onClose();
  }

  @Test
  void whatNobodyCameForIsDeletedAfterSevenDaysAndCounted() throws Exception {
    Path other = Files.createDirectory(root.resolve("other")).toRealPath().resolve("app.log");
    spooled(other, ShippingProcess.lines("other", 3));
    Path spool = spooled(other, ShippingProcess.lines("other", 4));
    spooled(logs.resolve("app-1.log"), ShippingProcess.lines("first", 30));
    nowMs += SpoolDirectory.LIMIT_AGE_MS;

    look(logs.resolve("app-2.log"));

    assertThat(base).isEmptyDirectory();
    assertThat(account.warnings)
        .singleElement()
        .asString()
        .contains("Deleted 7 records", spool.getParent().toString(), other.toString());
    assertThat(logs.resolve("app-1.log")).as("beside ours, however old").exists();
  }

  @Test
  void aDeletionIsReportedIfTheStopComesBeforeTheLastSpool() throws Exception {
    Path other = Files.createDirectory(root.resolve("other")).toRealPath().resolve("app.log");
    spooled(other, ShippingProcess.lines("other", 3));
    spooled(other, ShippingProcess.lines("other", 3));
    nowMs += SpoolDirectory.LIMIT_AGE_MS;
    StrayShipper shipper = shipper(logs.resolve("app.log"));
    nowNs += 3 * SECOND_NS;
    shipper.doWork(true);
    shipper.doWork(true);

    shipper.close();

    assertThat(leftInBase()).hasSize(1);
    assertThat(account.warnings).singleElement().asString().contains("Deleted 3 records");
  }

  @Test
  void aSpoolThatCannotBeLockedDoesNotKeepTheOthers() throws Exception {
    Path other = Files.createDirectory(root.resolve("other")).toRealPath().resolve("app.log");
    Path broken = spooled(other, ShippingProcess.lines("other", 3));
    Path old = spooled(other, ShippingProcess.lines("other", 4));
    Files.delete(broken.resolve("lock"));
    Files.createDirectory(broken.resolve("lock"));
    nowMs += SpoolDirectory.LIMIT_AGE_MS;

    look(logs.resolve("app.log"));

    assertThat(old).doesNotExist();
    assertThat(broken).isDirectory();
    assertThat(account.warnings)
        .satisfiesExactlyInAnyOrder(
            text -> assertThat(text).contains("Deleted 4 records"),
            text -> assertThat(text).contains("Cannot inspect", broken.toString()));
  }

  @Test
  void whatAJvmWritesAsItEndsGoesAfterSevenDays() throws Exception {
    Path other = Files.createDirectory(root.resolve("other")).toRealPath().resolve("gc.log");
    try (LineSpool ended = directoryOf(other).createLines(0)) {
      Files.writeString(ended.path().resolve("jvm.log"), "[1.2s][info][gc] last\n");
    }

    look(logs.resolve("app.log"));
    assertThat(account.warnings).isEmpty();

    nowMs += SpoolDirectory.LIMIT_AGE_MS;
    look(logs.resolve("app.log"));
    assertThat(base).isEmptyDirectory();
    assertThat(account.warnings).as("each JVM with the agent leaves some").isEmpty();
  }

  @Test
  void whatANeighbourLeavesIsShippedWithinAMinuteOfItsDeath() throws Exception {
    Path log = logs.resolve("app-1.log");
    SpoolDirectory directory = directoryOf(log);
    Spool living = directory.createSpool(ShippingProcess.LIMITS);
    ShippingProcess.write(living, ShippingProcess.lines("first", 3));
    StrayShipper shipper = shipper(logs.resolve("app-2.log"));
    try (SpoolLock lock = directory.tryShipLock()) {
      assertThat(lock).isNotNull();
      turns(shipper, ENOUGH_TURNS);
      assertThat(log).doesNotExist();
    }
    living.close();
    turns(shipper, 70);
    shipper.close();
    assertThat(Files.readAllLines(log)).hasSize(3);
  }

  @Test
  void aStopBetweenTwoSpoolsLeavesNoFileOpen() throws Exception {
    Path other = Files.createDirectory(root.resolve("other")).toRealPath().resolve("app.log");
    shippedInPart(other, ShippingProcess.lines("other", 9), 3, 6);
    spooled(other, ShippingProcess.lines("other", 4));
    StrayShipper shipper = shipper(logs.resolve("app.log"));
    nowNs += 3 * SECOND_NS;
    shipper.doWork(true);
    shipper.doWork(true);

    shipper.close();

    assertThat(OpenFiles.below(base)).isEmpty();
  }
}
