package dev.forebay.tiered;

import static org.assertj.core.api.Assertions.assertThat;

import dev.forebay.tiered.disk.FaultyDisk;
import dev.forebay.tiered.disk.FaultyDisk.Op;
import dev.forebay.tiered.disk.NioDisk;
import dev.forebay.tiered.disk.Scratch;
import dev.forebay.tiered.overflow.Overflow;
import dev.forebay.tiered.overflow.OverflowSettings;
import dev.forebay.tiered.ship.FsyncPolicy;
import dev.forebay.tiered.ship.Shipper;
import dev.forebay.tiered.ship.SpoolQueue;
import dev.forebay.tiered.ship.StrayShipper;
import dev.forebay.tiered.spool.OwnSpool;
import dev.forebay.tiered.spool.Spool;
import dev.forebay.tiered.spool.SpoolBudgets;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Where a full spool overflows to, and when; without threads. */
@Tag("once")
class OverflowTest {

  private static final int SEGMENT_BYTES = 64 * 1024;
  private static final long SPOOL_BYTES = 16 * SEGMENT_BYTES;
  private static final byte[] RECORD = new byte[1000];
  private static final long RETRY_NS = 10_000_000_000L;

  @AutoClose private final Scratch scratch = new Scratch();
  @TempDir Path elsewhere;
  private final FaultyDisk disk = new FaultyDisk(new NioDisk()).unforced();
  private final List<String> warnings = new ArrayList<>();
  private final List<OwnSpool> opened = new ArrayList<>();
  private long nowNs = -5;
  private Overflow overflow;
  private SpoolQueue queue;
  private SpoolOpener opener;
  private Spool spool;
  private OwnSpool own;

  OverflowTest() throws IOException {}

  @AfterEach
  void close() {
    disk.heal();
    opened.forEach(OwnSpool::close);
    if (overflow != null) {
      overflow.onClose();
    }
  }

  private void start(Path log, Path directory, long bytes) throws IOException {
    Path spools = Files.createDirectories(scratch.path().resolve("shm"));
    StartRig start =
        StartRig.of(
            log,
            spools,
            SPOOL_BYTES,
            new OverflowSettings(directory, bytes),
            disk,
            () -> nowNs,
            warnings::add);
    start.locator().run();
    queue = start.queue();
    StrayShipper strays =
        TieredStart.strays(
            start.context(), start.locator(), start.account(), queue, new byte[] {'\n'});
    overflow = TieredStart.overflow(start.context(), start.locator(), queue, strays);
    opener = new SpoolOpener(start.context(), start.locator(), start.account(), new SpoolBudgets());
    use(opener.open());
  }

  private void use(Spool fresh) {
    assertThat(fresh).isNotNull();
    spool = fresh;
    own = overflow.movable(fresh);
    opened.add(own);
  }

  /** Turns of the flusher with so many records, until no more are taken. */
  private void fill(int records) throws IOException {
    for (int i = 0; i < records && spool.writer().isReady(); i++) {
      spool.writer().append(RECORD, 0, RECORD.length, 2);
      spool.writer().flush();
      if (overflow.isDue(spool)) {
        leave();
      }
    }
  }

  private void leave() {
    OwnSpool left = own;
    spool.endWriting();
    use(opener.openNext(spool));
    overflow.add(left);
  }

  private void turns(int count) {
    for (int i = 0; i < count; i++) {
      overflow.doWork();
    }
  }

  private long bytesIn(Path base) throws IOException {
    long bytes = 0;
    try (Stream<Path> all = Files.walk(base)) {
      for (Path path : all.filter(one -> one.toString().endsWith(".seg")).toList()) {
        bytes += Files.size(path);
      }
    }
    return bytes;
  }

  @Test
  void movesWhatIsAboveHalfOfTheCapAndNothingElse() throws IOException {
    start(scratch.path().resolve("app.log"), elsewhere, 1 << 30);
    fill(7 * SEGMENT_BYTES / RECORD.length);
    turns(9);
    assertThat(bytesIn(elsewhere)).isZero();
    fill(10_000);
    assertThat(spool.usedBytes()).as("of all together").isEqualTo(SPOOL_BYTES);
    turns(9);

    assertThat(spool.usedBytes()).isLessThanOrEqualTo(SPOOL_BYTES / 2);
    assertThat(bytesIn(elsewhere)).isEqualTo(overflow.bytes()).isGreaterThan(SPOOL_BYTES / 3);
    assertThat(overflow.sleepNs(nowNs)).as("measures").isZero();
    fill(20);
    assertThat(spool.writer().isReady()).isTrue();
    assertThat(warnings).isEmpty();
  }

  @Test
  void aPlaceThatIsFullBySizeIsToldOnceAndUsedUpToThat() throws IOException {
    start(scratch.path().resolve("app.log"), elsewhere, SPOOL_BYTES);
    for (int i = 0; i < 9; i++) {
      fill(10_000);
      turns(5);
      nowNs += 1_000_000_000;
    }

    assertThat(bytesIn(elsewhere)).isGreaterThan(SPOOL_BYTES / 2).isLessThanOrEqualTo(SPOOL_BYTES);
    assertThat(warnings)
        .singleElement()
        .asString()
        .contains("<overflowDirectory> " + elsewhere + " is full: ")
        .contains("<overflowSize> is " + SPOOL_BYTES + " bytes");
  }

  /** Without inodes, what was begun cannot even be locked. */
  @Test
  void aDiskThatTakesNoFilesIsToldOnceAndUsedAgain() throws IOException {
    start(scratch.path().resolve("app.log"), elsewhere, 1 << 30);
    disk.affecting(path -> path.startsWith(elsewhere))
        .failFrom(Op.OPEN, 1, () -> new IOException("No space left on device"));
    fill(10_000);
    for (int i = 0; i < 5; i++) {
      turns(3);
      nowNs += RETRY_NS;
    }
    assertThat(warnings).hasSize(1);
    disk.heal();
    turns(9);

    assertThat(bytesIn(elsewhere)).isPositive();
    assertThat(warnings).hasSize(1);
  }

  @Test
  void aPlaceThatDoesNotExistOrIsNoDirectoryIsToldAndUsedOnceItIs() throws IOException {
    Path missing = elsewhere.resolve("missing");
    start(scratch.path().resolve("app.log"), missing, 1 << 30);
    turns(2);
    assertThat(warnings).singleElement().asString().contains(missing + " does not exist");
    Files.writeString(missing, "in the way");
    nowNs += RETRY_NS;
    turns(2);
    Files.delete(missing);
    Files.createDirectory(missing);
    nowNs += RETRY_NS;
    fill(10_000);
    turns(9);

    assertThat(bytesIn(missing)).isPositive();
    assertThat(warnings).hasSize(1);
  }

  @Test
  void aPlaceThatIsOfLittleUseIsTold() throws IOException {
    start(elsewhere.resolve("app.log"), elsewhere, 1 << 30);
    turns(1);
    assertThat(warnings).singleElement().asString().contains("is on the disk of the log");
    warnings.clear();
    close();
    opened.clear();
    disk.showing((path, info) -> info);
    start(
        elsewhere.resolve("app.log"), Files.createDirectory(scratch.path().resolve("o")), 1 << 30);
    turns(1);

    assertThat(warnings).singleElement().asString().contains("is on tmpfs and saves no memory");
  }

  /** Its process was killed, or the disk refused to delete it. */
  @Test
  void aCopyThatWasNeverPublishedIsDeletedAndWhatIsNoneStays() throws IOException {
    start(scratch.path().resolve("app.log"), elsewhere, 1 << 30);
    fill(10_000);
    turns(9);
    Path there;
    try (Stream<Path> all = Files.walk(elsewhere, 3)) {
      there = all.filter(path -> path.toString().contains("/spool-")).findAny().orElseThrow();
    }
    Path left =
        Files.createDirectory(
            there.resolveSibling(
                "new-0000000000000001-" + "0123456789abcdef".repeat(2))); // as after a kill
    Files.write(left.resolve("0000000000000000.seg"), RECORD);
    Path none = Files.writeString(there.resolveSibling("new-ones"), "what is this");
    start(scratch.path().resolve("app.log"), elsewhere, 1 << 30);
    turns(1);

    assertThat(left).doesNotExist();
    assertThat(none).exists();
    assertThat(there).as("in use").exists();
    assertThat(warnings).singleElement().asString().startsWith("cannot delete " + none);
  }

  /** By a link or a mount, which the configuration does not show. */
  @Test
  void thePlaceOfTheSpoolItselfIsRefusedAndShippedFrom() throws IOException {
    Path alias = Files.createSymbolicLink(elsewhere.resolve("alias"), scratch.path());
    Path log = scratch.path().resolve("app.log");
    start(log, alias.resolve("shm"), 1 << 30);
    queue.add(spool.directory(), own);
    fill(2);
    turns(9);
    Shipper shipper = new Shipper(queue, FsyncPolicy.ALWAYS, () -> nowNs);
    for (int i = 0; i < 9; i++) {
      shipper.doWork();
      nowNs += 1_000_000_000;
    }
    shipper.onClose();

    assertThat(Files.size(log)).isEqualTo(2L * RECORD.length);
    assertThat(warnings).anyMatch(text -> text.contains("by another name"));
  }
}
