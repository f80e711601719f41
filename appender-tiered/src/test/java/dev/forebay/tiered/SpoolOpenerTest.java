package dev.forebay.tiered;

import static org.assertj.core.api.Assertions.assertThat;

import dev.forebay.tiered.disk.FaultyDisk;
import dev.forebay.tiered.disk.NioDisk;
import dev.forebay.tiered.identity.LogIdentity;
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

  private static final Path LOG = Path.of("/app.log");
  private static final int SEGMENT_BYTES = 64 * 1024;

  private static final long MS = 1_000_000;

  @TempDir Path base;

  private final FaultyDisk disk = new FaultyDisk(new NioDisk());
  private final List<String> warnings = new ArrayList<>();
  private long nowNs = -5;

  private StartRig start(Path log) {
    return StartRig.of(log, base, 10L * SEGMENT_BYTES, null, disk, () -> nowNs, warnings::add);
  }

  private SpoolOpener opener() {
    StartRig start = start(LOG);
    start.locator().run();
    return new SpoolOpener(start.context(), start.locator(), start.account(), new SpoolBudgets());
  }

  /** At every call on the way to a spool, another process removes the directory as it leaves. */
  @Test
  void aDirectoryThatAnotherRemovesAsItLeavesIsMadeAgain() throws IOException {
    Path ofLog = SpoolDirectory.open(disk, base, LogIdentity.of(disk, LOG)).path();
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

  /** While the link to the log is followed. */
  @Test
  void aSpoolWaitsNotLongForADiskThatHangsAndIsLeftIfItIsInTheWrongPlace() throws IOException {
    Path real = Files.createDirectory(base.toRealPath().resolve("real"));
    Path link = Files.createSymbolicLink(base.resolve("link"), real);
    StartRig start = start(link.resolve("app.log"));
    SpoolOpener opener =
        new SpoolOpener(start.context(), start.locator(), start.account(), new SpoolBudgets());
    assertThat(opener.open()).isNull();
    nowNs += 249 * MS;
    assertThat(opener.open()).isNull();
    nowNs += MS;
    Spool guessed = opener.open();
    assertThat(guessed).isNotNull();
    assertThat(opener.isInPlace(guessed)).as("not yet known").isTrue();

    start.locator().run();
    assertThat(opener.isInPlace(guessed)).isFalse();
    nowNs += 1000 * MS;
    Spool right = opener.open();

    assertThat(right).isNotNull();
    assertThat(opener.isInPlace(right)).isTrue();
    assertThat(right.directory().isOf(LogIdentity.of(disk, real.resolve("app.log")))).isTrue();
    guessed.discard();
    right.discard();
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
