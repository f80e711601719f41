package dev.forebay.tiered.ship;

import static org.assertj.core.api.Assertions.assertThat;

import dev.forebay.tiered.disk.Disk;
import dev.forebay.tiered.disk.FaultyDisk;
import dev.forebay.tiered.disk.NioDisk;
import dev.forebay.tiered.durable.LogSettings;
import dev.forebay.tiered.durable.RollingLog;
import dev.forebay.tiered.spool.LogIdentity;
import dev.forebay.tiered.spool.Spool;
import dev.forebay.tiered.spool.SpoolDirectory;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What becomes of spools whose log has no next start. */
@Tag("once")
class StrayShipperTest {

  private static final long SECOND_NS = 1_000_000_000;
  private static final int ENOUGH_TURNS = 40;

  private final Disk disk = new NioDisk();
  private final Account account = new Account();
  private final StrayNotices notices = new StrayNotices();
  @TempDir Path root;
  private Path base;
  private Path logs;
  private long nowNs = 1;

  /** Long after all files were written. */
  private long nowMs = System.currentTimeMillis() + 3_600_000;

  private int ownWork;

  @BeforeEach
  void makeDirectories() throws IOException {
    base = Files.createDirectory(root.toRealPath().resolve("shm"));
    logs = Files.createDirectory(root.toRealPath().resolve("log"));
  }

  private SpoolDirectory directoryOf(Path log) throws IOException {
    return SpoolDirectory.open(disk, base, LogIdentity.of(disk, log));
  }

  private RollingLog file(Path log) {
    return new RollingLog(LogSettings.plain(disk, log.toString(), account::warn));
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
    SpoolQueue queue = new SpoolQueue(disk, log, account, () -> 0);
    RollingLog file = file(log);
    FsyncPolicy late = FsyncPolicy.every(3600 * SECOND_NS);
    Shipper shipper = new Shipper(queue, file, late, account, () -> nowNs);
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

  private StrayShipper shipper(Path own) {
    return shipper(disk, own);
  }

  private StrayShipper shipper(Disk ofFile, Path own) {
    return new StrayShipper(
        disk,
        List.of(new StrayShipper.Site(base, true)),
        () -> LogIdentity.of(disk, own),
        name ->
            new RollingLog(
                LogSettings.plain(ofFile, own.resolveSibling(name).toString(), account::warn)),
        notices,
        account,
        () -> nowNs,
        () -> nowMs);
  }

  private void look(Path own) throws Exception {
    StrayShipper shipper = shipper(own);
    for (int i = 0; i < ENOUGH_TURNS; i++) {
      nowNs += SECOND_NS;
      shipper.doWork(ownWork == 0);
    }
    shipper.close();
  }

  private List<Path> leftInBase() throws IOException {
    try (Stream<Path> all = Files.walk(base)) {
      return all.filter(path -> path.toString().endsWith(".seg")).toList();
    }
  }

  @Test
  void aLogWithANameForEachRunGetsItsLinesFromTheNextRun() throws Exception {
    List<String> lines = ShippingProcess.lines("first", 30);
    spooled(logs.resolve("app-1.log"), lines);

    look(logs.resolve("app-2.log"));

    assertThat(Files.readAllLines(logs.resolve("app-1.log"))).isEqualTo(lines);
    assertThat(logs.resolve("app-2.log")).doesNotExist();
    assertThat(account.recovered).isEqualTo(30);
    assertThat(account.warnings).isEmpty();
    assertThat(leftInBase()).isEmpty();
  }

  @Test
  void whatStandsInTheLogAlreadyIsNotWrittenAgain() throws Exception {
    List<String> lines = ShippingProcess.lines("first", 60);
    shippedInPart(logs.resolve("app-1.log"), lines, 20, 40);
    assertThat(Files.readAllLines(logs.resolve("app-1.log"))).hasSize(40);

    look(logs.resolve("app-2.log"));

    assertThat(Files.readAllLines(logs.resolve("app-1.log"))).isEqualTo(lines);
    assertThat(account.warnings).isEmpty();
  }

  @Test
  void manyRunsAreShippedEachToItsOwnFile() throws Exception {
    for (int run = 0; run < 5; run++) {
      spooled(logs.resolve("app-" + run + ".log"), ShippingProcess.lines("run" + run, 3));
    }

    look(logs.resolve("app.log"));

    for (int run = 0; run < 5; run++) {
      assertThat(Files.readAllLines(logs.resolve("app-" + run + ".log")))
          .isEqualTo(ShippingProcess.lines("run" + run, 3));
    }
  }

  @Test
  void aLogInAnotherDirectoryIsToldOfOnceAndLeftAlone() throws Exception {
    Path other = Files.createDirectory(root.resolve("other")).toRealPath().resolve("app.log");
    Path spool = spooled(other, ShippingProcess.lines("other", 3));

    look(logs.resolve("app.log"));
    look(logs.resolve("app.log"));

    assertThat(account.warnings)
        .singleElement()
        .asString()
        .contains("3 records", spool.getParent().toString(), other.toString());
    assertThat(other).doesNotExist();
    assertThat(leftInBase()).isNotEmpty();
  }

  @Test
  void whatWasWrittenLatelyIsToldOfWhenNobodyHasComeForIt() throws Exception {
    Path other = Files.createDirectory(root.resolve("other")).toRealPath().resolve("app.log");
    spooled(other, ShippingProcess.lines("other", 3));
    StrayShipper shipper = shipper(logs.resolve("app.log"));
    nowMs = System.currentTimeMillis();
    for (int i = 0; i < ENOUGH_TURNS; i++) {
      nowNs += SECOND_NS;
      shipper.doWork(ownWork == 0);
    }
    assertThat(account.warnings).isEmpty();

    nowMs += 600_000;
    for (int i = 0; i < ENOUGH_TURNS; i++) {
      nowNs += SECOND_NS;
      shipper.doWork(ownWork == 0);
    }
    assertThat(account.warnings).hasSize(1);
    shipper.close();
  }

  @Test
  void ofManyOnlySomeAreToldOf() throws Exception {
    Path other = Files.createDirectory(root.resolve("other")).toRealPath();
    for (int run = 0; run < 20; run++) {
      spooled(other.resolve("app-" + run + ".log"), ShippingProcess.lines("first", 1));
    }

    look(logs.resolve("app.log"));

    assertThat(account.warnings).hasSize(8);
  }

  @Test
  void aFileWithASecondNameIsNotWrittenTo() throws Exception {
    Path canary = Files.writeString(root.resolve("canary"), "mine\n");
    Files.createLink(logs.resolve("app-1.log"), canary);
    spooled(logs.resolve("app-1.log"), ShippingProcess.lines("first", 3));

    look(logs.resolve("app-2.log"));

    assertThat(canary).hasContent("mine\n");
    assertThat(account.warnings).singleElement().asString().contains("not a regular file of ours");
  }

  @Test
  void aLinkIsNotFollowed() throws Exception {
    Path canary = Files.writeString(root.resolve("canary"), "mine\n");
    Files.createSymbolicLink(logs.resolve("app-1.log"), canary);
    spooled(logs.resolve("app-1.log"), ShippingProcess.lines("first", 3));

    look(logs.resolve("app-2.log"));

    assertThat(canary).hasContent("mine\n");
    assertThat(account.warnings).singleElement().asString().contains("not a regular file of ours");
  }

  @ParameterizedTest
  @ValueSource(strings = {"../canary", "/canary", "..", ".", "", "a\rb", "sub/app.log"})
  void aNoteThatNamesNoPlainNameLeadsNowhere(String name) throws Exception {
    Path canary = Files.writeString(root.resolve("canary"), "mine\n");
    Path spool = spooled(logs.resolve("app-1.log"), ShippingProcess.lines("first", 3));
    List<String> note = new ArrayList<>(Files.readAllLines(spool.resolve("log")));
    note.set(2, name);
    Files.writeString(spool.resolve("log"), String.join("\n", note) + "\n");

    look(logs.resolve("app-2.log"));

    assertThat(canary).hasContent("mine\n");
    assertThat(logs).isEmptyDirectory();
    assertThat(account.warnings).hasSize(1);
  }

  @ParameterizedTest
  @ValueSource(strings = {"", "forebay 1", "forebay 2\na\nb\nc\n", "junk\n\n\n\n\n\n"})
  void aSpoolThatDoesNotSayWhereItBelongsIsToldOf(String note) throws Exception {
    Path spool = spooled(logs.resolve("app-1.log"), ShippingProcess.lines("first", 3));
    Files.writeString(spool.resolve("log"), note);

    look(logs.resolve("app-2.log"));

    assertThat(account.warnings).singleElement().asString().contains("(name unknown)");
    assertThat(leftInBase()).isNotEmpty();
  }

  @Test
  void aPatternOfNamesIsNoFile() throws Exception {
    spooled(logs.resolve("app-1.%d.log"), ShippingProcess.lines("first", 3));

    look(logs.resolve("app-2.log"));

    assertThat(logs).isEmptyDirectory();
    assertThat(account.warnings).singleElement().asString().contains("app-1.%d.log");
  }

  @Test
  void theSpoolOfALivingProcessIsLeftAlone() throws Exception {
    Spool living = directoryOf(logs.resolve("app-1.log")).createSpool(ShippingProcess.LIMITS);
    ShippingProcess.write(living, ShippingProcess.lines("first", 3));

    look(logs.resolve("app-2.log"));

    assertThat(logs).isEmptyDirectory();
    assertThat(account.warnings).isEmpty();
    assertThat(living.isPathIntact()).isTrue();
    living.discard();
  }

  @Test
  void whatIsShippedIsRemovedWithItsDirectoryAndNoFileIsMade() throws Exception {
    Path other = Files.createDirectory(root.resolve("other")).toRealPath().resolve("app.log");
    spooled(other, List.of());
    shippedInPart(logs.resolve("app-1.log"), ShippingProcess.lines("first", 3), 3, 3);
    Files.delete(logs.resolve("app-1.log"));

    look(logs.resolve("app-2.log"));

    assertThat(base).isEmptyDirectory();
    assertThat(other).doesNotExist();
    assertThat(logs).isEmptyDirectory();
    assertThat(account.warnings).isEmpty();
  }

  @Test
  void ownWorkGoesFirstButNotForEver() throws Exception {
    spooled(logs.resolve("app-1.log"), ShippingProcess.lines("first", 3));
    StrayShipper shipper = shipper(logs.resolve("app-2.log"));
    ownWork = 1;
    nowNs += 3 * SECOND_NS;
    shipper.doWork(ownWork == 0);
    for (int i = 0; i < ENOUGH_TURNS; i++) {
      nowNs += SECOND_NS / 1000;
      shipper.doWork(ownWork == 0);
    }
    assertThat(logs).isEmptyDirectory();

    for (int i = 0; i < ENOUGH_TURNS; i++) {
      nowNs += SECOND_NS;
      shipper.doWork(ownWork == 0);
    }
    assertThat(logs.resolve("app-1.log")).exists();
    shipper.close();
  }

  /** It cannot open the file that the records belong into. */
  @Test
  void whatItHoldsIsFreedWhenTheShipperEnds() throws Exception {
    spooled(logs.resolve("app-1.log"), ShippingProcess.lines("first", 3));
    Path own = logs.resolve("app-2.log");
    FaultyDisk faulty = new FaultyDisk(disk).affecting(path -> path.endsWith("app-1.log"));
    faulty.failFrom(FaultyDisk.Op.OPEN, 1, () -> new IOException("no"));
    Shipper shipper =
        new Shipper(
            new SpoolQueue(disk, own, account, () -> 0),
            file(own),
            FsyncPolicy.ALWAYS,
            account,
            () -> nowNs,
            () -> 0,
            () -> {},
            shipper(faulty, own));
    nowNs += 3 * SECOND_NS;
    for (int turn = 0; turn < 3; turn++) {
      shipper.doWork();
    }
    assertThat(directoryOf(logs.resolve("app-1.log")).tryShipLock()).isNull();
    shipper.onClose();

    look(own);
    assertThat(Files.readAllLines(logs.resolve("app-1.log"))).hasSize(3);
  }

  @Test
  void doesNotLookIntoDirectoriesThatAnotherAppenderOfThisProcessShipsFrom() throws Exception {
    Path log = logs.resolve("app-1.log");
    spooled(log, ShippingProcess.lines("first", 3));
    SpoolQueue other = new SpoolQueue(disk, log, account, () -> 0, notices);
    SpoolDirectory directory = directoryOf(log);
    Files.setLastModifiedTime(directory.path(), FileTime.fromMillis(0));
    other.addDirectory(directory);
    other.takeIn();
    look(logs.resolve("app-2.log"));
    assertThat(log).doesNotExist();
    assertThat(Files.getLastModifiedTime(directory.path()).toMillis()).as("untouched").isZero();
    other.close();

    look(logs.resolve("app-2.log"));
    assertThat(Files.readAllLines(log)).hasSize(3);
  }
}
