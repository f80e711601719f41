package dev.forebay.tiered;

import static org.assertj.core.api.Assertions.assertThat;

import dev.forebay.host.FileTree;
import dev.forebay.observe.Ledger;
import dev.forebay.tiered.disk.FaultyDisk;
import dev.forebay.tiered.disk.NioDisk;
import dev.forebay.tiered.spool.LogIdentity;
import dev.forebay.tiered.spool.Spool;
import dev.forebay.tiered.spool.SpoolBudgets;
import dev.forebay.tiered.spool.SpoolDirectory;
import java.io.IOException;
import java.nio.file.DirectoryNotEmptyException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

@Tag("once")
class SpoolOpenerTest {

  private static final int SEGMENT_BYTES = 64 * 1024;

  @TempDir Path base;

  private final FaultyDisk disk = new FaultyDisk(new NioDisk());
  private final List<String> warnings = new ArrayList<>();
  private long nowNs = -5;

  private LogIdentity log() {
    return LogIdentity.of(disk, Path.of("/app.log"));
  }

  private SpoolOpener opener() {
    return opener(base);
  }

  private SpoolOpener opener(Path place) {
    TieredStart start =
        Starts.of(
            Path.of("/app.log"),
            place,
            10L * SEGMENT_BYTES,
            new Ledger(),
            disk,
            () -> nowNs,
            Starts.voice(warnings::add));
    start.locator.run();
    return new SpoolOpener(start, new SpoolBudgets());
  }

  /** At every call on the way to a spool, another process removes the directory as it leaves. */
  @Test
  void aDirectoryThatAnotherRemovesAsItLeavesIsMadeAgain() throws IOException {
    Path ofLog = SpoolDirectory.open(disk, base, log()).path();
    int nth = 0;
    boolean reached;
    do {
      nth++;
      disk.before(null, nth, () -> removeIfEmpty(ofLog));
      Spool opened = opener().open();
      reached = !disk.hasFaultsAhead();
      disk.heal();
      assertThat(opened).as("removed before call %s", nth).isNotNull();
      assertThat(opened.isInHeap()).as("removed before call %s", nth).isFalse();
      opened.discard();
    } while (reached);
    assertThat(nth).isGreaterThan(10);
    assertThat(warnings).noneMatch(text -> text.contains("cannot be used"));
  }

  @Test
  void whatCannotBeUsedIsReplacedByTheHeapWithOneWarning() throws IOException {
    Files.delete(base);
    SpoolOpener opener = opener();
    Spool opened = opener.open();
    assertThat(opened.isInHeap()).isTrue();
    assertThat(opened.limitBytes()).isEqualTo(1 << 20);
    assertThat(warnings)
        .singleElement()
        .asString()
        .contains("<spoolDirectory> " + base + " cannot be used: ", "1 MB of the heap");
    opened.discard();
  }

  @Test
  void theWantedPlaceIsTriedAgain() throws IOException {
    SpoolOpener opener = opener();
    for (int relapse = 0; relapse < 2; relapse++) {
      Spool heap = opener.openHeap(log(), "accepts no more data", new IOException("full"));
      assertThat(heap.isInHeap()).isTrue();
      nowNs += SpoolOpener.RETURN_NS - 1;
      assertThat(opener.openAgain(heap)).isNull();
      nowNs++;
      Spool wanted = opener.openAgain(heap);
      assertThat(wanted.isInHeap()).isFalse();
      heap.discard();
      wanted.discard();
    }
  }

  /** Once: also if the heap came first. */
  @Test
  void aPlaceOnADiskIsWarnedOfWhenItIsUsed() throws IOException {
    Path onDisk = Files.createTempDirectory(Path.of("target"), "opener-").toAbsolutePath();
    SpoolOpener opener = opener(onDisk);
    Spool heap = opener.openHeap(log(), "cannot be used", new IOException("not yet there"));
    warnings.clear();
    nowNs += SpoolOpener.RETURN_NS;
    Spool wanted = opener.openAgain(heap);
    heap.discard();
    wanted.discard();
    wanted = opener.open();
    wanted.discard();
    assertThat(warnings)
        .filteredOn(text -> text.contains("<spoolDirectory> " + onDisk + " is not on tmpfs"))
        .hasSize(1);
    FileTree.delete(onDisk);
  }

  @Test
  void aPlaceWithoutRoomIsNotWanted() throws IOException {
    SpoolOpener opener = opener();
    Spool heap = opener.openHeap(log(), "accepts no more data", new IOException("full"));
    nowNs += SpoolOpener.RETURN_NS;
    disk.failOnce(FaultyDisk.Op.USABLE_BYTES, 1, new IOException("gone"));
    assertThat(opener.openAgain(heap)).isNull();
    assertThat(warnings).hasSize(1);
    heap.discard();
  }

  /** As CIFS and drvfs do it. */
  @Test
  void aFileSystemThatKeepsNoModesIsLeftAsItWas() throws IOException {
    for (int stat = 1; stat < 20; stat++) {
      disk.before(FaultyDisk.Op.STAT, stat, this::openToAll);
    }
    Spool opened = opener().open();
    assertThat(opened.isInHeap()).isTrue();
    assertThat(base).isEmptyDirectory();
    assertThat(warnings).singleElement().asString().contains("does not store file modes");
    opened.discard();
  }

  private void openToAll() throws IOException {
    for (Path entry : new NioDisk().list(base)) {
      Files.setPosixFilePermissions(entry, PosixFilePermissions.fromString("rwxrwxrwx"));
    }
  }

  private static void removeIfEmpty(Path directory) throws IOException {
    try {
      Files.deleteIfExists(directory);
    } catch (DirectoryNotEmptyException e) {
      // Somebody uses it: then it stays.
    }
  }
}
