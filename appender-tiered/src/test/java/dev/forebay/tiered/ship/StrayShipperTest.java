package dev.forebay.tiered.ship;

import static org.assertj.core.api.Assertions.assertThat;

import dev.forebay.tiered.disk.Disk;
import dev.forebay.tiered.disk.FaultyDisk;
import dev.forebay.tiered.disk.NioDisk;
import dev.forebay.tiered.file.Account;
import dev.forebay.tiered.file.FilesBeside;
import dev.forebay.tiered.file.ShippingProcess;
import dev.forebay.tiered.identity.LogIdentity;
import dev.forebay.tiered.jvm.LineSpool;
import dev.forebay.tiered.spool.Spool;
import dev.forebay.tiered.spool.SpoolDirectory;
import dev.forebay.tiered.spool.SpoolLimits;
import dev.forebay.tiered.spool.SpoolLock;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.nio.file.attribute.PosixFilePermission;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Set;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Supplier;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What dead processes left beside the log of a living one. */
@Tag("once")
class StrayShipperTest {

  private static final ByteBuffer LINE_END = ByteBuffer.wrap(new byte[] {10});
  private static final long SECOND_NS = 1_000_000_000;
  private static final int ENOUGH_TURNS = 40;
  private static final Set<PosixFilePermission> OWNER =
      PosixFilePermissions.fromString("rw-------");
  private static final List<String> THREE = ShippingProcess.lines("line", 3);

  private final Disk disk = new FaultyDisk(new NioDisk());
  private final Account account = new Account();
  @TempDir Path root;
  private Path base;
  private Path logs;
  private Path first;
  private Path own;

  private Path other;

  private long nowNs = 1;

  /** Long after all files were written. */
  private long nowMs = System.currentTimeMillis() + 3_600_000;

  @BeforeEach
  void makeDirectories() throws IOException {
    base = Files.createDirectory(root.toRealPath().resolve("shm"));
    logs = Files.createDirectory(root.toRealPath().resolve("log"));
    first = logs.resolve("app-1.log");
    own = logs.resolve("app-2.log");
    other = Files.createDirectory(root.toRealPath().resolve("other")).resolve("app.log");
  }

  private SpoolDirectory directoryOf(Path log) throws IOException {
    return SpoolDirectory.open(disk, base, LogIdentity.of(disk, log));
  }

  private Destination file(Path log) {
    return ShippingProcess.plain(disk, log, LINE_END, account, () -> nowNs);
  }

  /** A process that spooled these lines and was killed; returns its spool. */
  private Path spooled(Path log, List<String> lines) throws IOException {
    Spool spool = directoryOf(log).createSpool(ShippingProcess.LIMITS);
    ShippingProcess.write(spool, lines);
    spool.close();
    return spool.path();
  }

  /** As the other; the first lines were shipped, and behind the last checkpoint some more. */
  private void shippedInPart(Path log, List<String> lines, int committed, int appended)
      throws IOException {
    SpoolDirectory directory = directoryOf(log);
    Spool spool = directory.createSpool(ShippingProcess.LIMITS);
    Destination file = file(log);
    SpoolQueue queue = new SpoolQueue(file, (there, lease) -> null, account, () -> 0);
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

  private StrayShipper shipper() {
    return shipper(disk, disk);
  }

  private StrayShipper shipper(Disk ofSpools, Disk ofFiles) {
    Path log = own;
    Supplier<LogIdentity> identity = () -> LogIdentity.of(disk, log);
    return new StrayShipper(
        ofSpools,
        List.of(base),
        new FilesBeside(ofFiles, own, identity, OWNER, LINE_END, account, () -> nowNs),
        new SpoolQueue(file(own), (there, lease) -> null, account, () -> nowMs),
        () -> nowNs);
  }

  private void look() throws Exception {
    StrayShipper shipper = shipper();
    turns(shipper, ENOUGH_TURNS);
    shipper.close();
  }

  /** One a second, in which our own log has nothing to do. */
  private void turns(StrayShipper shipper, int count) throws Exception {
    for (int i = 0; i < count; i++) {
      nowNs += SECOND_NS;
      shipper.doWork(true);
    }
  }

  private List<Path> leftInBase() throws IOException {
    try (Stream<Path> all = Files.walk(base)) {
      return all.filter(path -> path.toString().endsWith(".seg")).toList();
    }
  }

  @Test
  void whatStandsInTheLogAlreadyIsNotWrittenAgain() throws Exception {
    List<String> lines = ShippingProcess.lines("first", 60);
    shippedInPart(first, lines, 20, 40);
    assertThat(Files.readAllLines(first)).hasSize(40);
    Set<PosixFilePermission> its = Files.getPosixFilePermissions(first);

    look();
    assertThat(Files.getPosixFilePermissions(first)).isEqualTo(its).isNotEqualTo(OWNER);
    assertThat(Files.readAllLines(first)).isEqualTo(lines);
    assertThat(account.warnings).isEmpty();
  }

  @ParameterizedTest
  @ValueSource(booleans = {true, false})
  void aFileWithASecondNameIsNotWrittenToAndALinkNotFollowed(boolean isLink) throws Exception {
    Path canary = Files.writeString(root.resolve("canary"), "mine\n");
    if (isLink) {
      Files.createSymbolicLink(first, canary);
    } else {
      Files.createLink(first, canary);
    }
    spooled(first, THREE);

    look();
    assertThat(canary).hasContent("mine\n");
    assertThat(leftInBase()).isNotEmpty();
  }

  /** In place of the name in the note, or of all of it. */
  @ParameterizedTest
  @ValueSource(
      strings = {"../canary", "/canary", "..", ".", "", "a\rb", "sub/app.log", "junk\n\n\n\n"})
  void aNoteThatNamesNoPlainNameLeadsNowhere(String name) throws Exception {
    Path canary = Files.writeString(root.resolve("canary"), "mine\n");
    Path spool = spooled(first, THREE);
    Path note = spool.resolve("log");
    List<String> lines = new ArrayList<>(Files.readAllLines(note));
    lines.set(2, name);
    for (String text : List.of(String.join("\n", lines) + "\n", name)) {
      Files.writeString(note, text);
      look();

      assertThat(canary).hasContent("mine\n");
      assertThat(logs).isEmptyDirectory();
      assertThat(leftInBase()).isNotEmpty();
    }
  }

  @Test
  void ownWorkGoesFirstButNotForEver() throws Exception {
    spooled(first, THREE);
    StrayShipper shipper = shipper();
    nowNs += 3 * SECOND_NS;
    shipper.doWork(false);
    for (int i = 0; i < ENOUGH_TURNS; i++) {
      nowNs += SECOND_NS / 1000;
      shipper.doWork(false);
    }
    assertThat(logs).isEmptyDirectory();

    for (int i = 0; i < ENOUGH_TURNS; i++) {
      nowNs += SECOND_NS;
      shipper.doWork(false);
    }
    assertThat(first).exists();
    shipper.close();
  }

  @Test
  void doesNotLookIntoDirectoriesThatAnotherAppenderOfThisProcessShipsFrom() throws Exception {
    spooled(first, THREE);
    SpoolQueue neighbour = new SpoolQueue(file(first), (there, lease) -> null, account, () -> 0);
    SpoolDirectory directory = directoryOf(first);
    Files.setLastModifiedTime(directory.path(), FileTime.fromMillis(0));
    neighbour.addDirectory(directory);
    neighbour.takeIn();
    look();
    assertThat(first).doesNotExist();
    assertThat(Files.getLastModifiedTime(directory.path()).toMillis()).as("untouched").isZero();
    neighbour.close();

    look();
    assertThat(Files.readAllLines(first)).hasSize(3);
  }

  /** To that it is no stray: another process had a spool for its log elsewhere. */
  @Test
  void looksIntoADirectoryOfAnotherAppendersLogThatThisDoesNotShipFrom() throws Exception {
    Path theirs = own;
    spooled(theirs, THREE);
    turns(shipper(), 4);
    own = first;
    look();

    assertThat(Files.readAllLines(theirs)).hasSize(3);
  }

  /** It cannot open the file that the records belong into. */
  @Test
  void whatItHoldsIsFreedWhenTheShipperEnds() throws Exception {
    spooled(first, THREE);
    FaultyDisk faulty = new FaultyDisk(disk).affecting(path -> path.endsWith("app-1.log"));
    faulty.failFrom(FaultyDisk.Op.OPEN, 1, () -> new IOException("no"));
    Shipper shipper =
        new Shipper(
            new SpoolQueue(file(own), (there, lease) -> null, account, () -> 0),
            FsyncPolicy.ALWAYS,
            () -> nowNs,
            () -> {},
            shipper(disk, faulty));
    nowNs += 3 * SECOND_NS;
    for (int turn = 0; turn < 3; turn++) {
      shipper.doWork();
    }
    assertThat(directoryOf(first).tryShipLock()).isNull();
    shipper.onClose();

    look();
    assertThat(Files.readAllLines(first)).hasSize(3);
  }

  /** Each takes a lock, and time, of a log that is not ours. */
  @Test
  void oneSpoolIsOpenedInATurnHoweverManyThereAre() throws Exception {
    for (int i = 0; i < 30; i++) {
      spooled(other, ShippingProcess.lines("first", 1));
    }
    AtomicInteger opened = new AtomicInteger();
    FaultyDisk counting = new FaultyDisk(disk).affecting(this::isLockOfSpool);
    for (int i = 1; i <= 1000; i++) {
      counting.before(FaultyDisk.Op.OPEN, i, opened::incrementAndGet);
    }
    StrayShipper shipper = shipper(counting, disk);
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
    spooled(first, lines);
    FaultyDisk full = new FaultyDisk(disk).affecting(path -> path.endsWith("app-1.log"));
    full.limitSpace(100);
    StrayShipper shipper = shipper(disk, full);
    turns(shipper, 10 * ENOUGH_TURNS);
    assertThat(Files.size(first)).isBetween(1L, 100L);
    assertThat(account.warnings)
        .singleElement()
        .asString()
        .contains("cannot be shipped to " + first, "may end within a line");

    full.heal();
    turns(shipper, 3 * ENOUGH_TURNS);
    shipper.close();
    assertThat(Files.readAllLines(first)).isEqualTo(lines);
    assertThat(Files.getPosixFilePermissions(first)).as("of ours").isEqualTo(OWNER);
    assertThat(own).doesNotExist();
    assertThat(account.recovered).isEqualTo(30);
    assertThat(leftInBase()).isEmpty();
    assertThat(account.warnings).hasSize(1);
  }

  /** 3 MB, of which a turn may take four batches of 256 KB. */
  @Test
  void betweenAFewBatchesOurLogIsServed() throws Exception {
    Spool dead = directoryOf(first).createSpool(new SpoolLimits(8 << 20, 1 << 20));
    ShippingProcess.write(dead, Collections.nCopies(3000, "x".repeat(1000)));
    dead.close();
    SpoolQueue queue = new SpoolQueue(file(own), (there, lease) -> null, account, () -> 0);
    SpoolDirectory directory = directoryOf(own);
    Spool spool = directory.createSpool(ShippingProcess.LIMITS);
    queue.add(directory, spool);
    FsyncPolicy late = FsyncPolicy.every(3600 * SECOND_NS);
    Shipper shipper = new Shipper(queue, late, () -> nowNs, () -> {}, shipper());
    nowNs += 3 * SECOND_NS;
    long before = 0;
    for (int turn = 0; turn < ENOUGH_TURNS; turn++) {
      ShippingProcess.write(spool, List.of("own " + turn));
      shipper.doWork();
      nowNs += SECOND_NS / 1000;
      assertThat(Files.readAllLines(own)).hasSize(turn + 1);
      long now = Files.exists(first) ? Files.size(first) : 0;
      assertThat(now - before).isLessThanOrEqualTo(5 * 256 * 1024);
      before = now;
    }
    assertThat(before).isEqualTo(3000 * 1001);
    queue.retire(directory, spool);
    shipper.onClose();
  }

  @Test
  void whatNobodyCameForIsDeletedAfterSevenDaysAndCounted() throws Exception {
    spooled(other, THREE);
    Path spool = spooled(other, ShippingProcess.lines("other", 4));
    spooled(first, ShippingProcess.lines("first", 30));
    nowMs += SpoolDirectory.LIMIT_AGE_MS;

    look();

    assertThat(base).isEmptyDirectory();
    assertThat(account.warnings)
        .singleElement()
        .asString()
        .contains("Deleted 7 records", spool.getParent().toString(), other.toString());
    assertThat(first).as("beside ours, however old").exists();
  }

  @Test
  void whatAJvmWritesAsItEndsGoesAfterSevenDays() throws Exception {
    try (LineSpool ended = LineSpool.create(directoryOf(other), 0)) {
      Files.writeString(ended.path().resolve("jvm.log"), "[1.2s][info][gc] last\n");
    }

    look();
    assertThat(account.warnings).isEmpty();

    nowMs += SpoolDirectory.LIMIT_AGE_MS;
    look();
    assertThat(base).isEmptyDirectory();
    assertThat(account.warnings).as("each JVM with the agent leaves some").isEmpty();
  }

  @Test
  void whatANeighbourLeavesIsShippedWithinAMinuteOfItsDeath() throws Exception {
    SpoolDirectory directory = directoryOf(first);
    Spool living = directory.createSpool(ShippingProcess.LIMITS);
    ShippingProcess.write(living, THREE);
    StrayShipper shipper = shipper();
    try (SpoolLock lock = directory.tryShipLock()) {
      assertThat(lock).isNotNull();
      turns(shipper, ENOUGH_TURNS);
      assertThat(first).doesNotExist();
    }
    turns(shipper, 70);
    assertThat(first).as("its process lives").doesNotExist();
    living.close();
    turns(shipper, 70);
    shipper.close();
    assertThat(Files.readAllLines(first)).hasSize(3);
  }
}
