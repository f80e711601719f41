package dev.forebay.tiered;

import static org.assertj.core.api.Assertions.assertThat;

import dev.forebay.tiered.SpoolSites.Berth;
import dev.forebay.tiered.disk.FaultyDisk;
import dev.forebay.tiered.disk.NioDisk;
import dev.forebay.tiered.ship.FsyncPolicy;
import dev.forebay.tiered.spool.LogIdentity;
import dev.forebay.tiered.spool.SpoolDirectory;
import java.io.IOException;
import java.nio.file.DirectoryNotEmptyException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

@Tag("once")
class SpoolSitesTest {

  private static final int SEGMENT_BYTES = 64 * 1024;

  @TempDir Path base;

  private final FaultyDisk disk = new FaultyDisk(new NioDisk());
  private final List<String> warnings = new ArrayList<>();

  private SpoolSites sites() {
    TieredSettings settings =
        new TieredSettings(
            Path.of("/app.log"), base, 10L * SEGMENT_BYTES, SEGMENT_BYTES, FsyncPolicy.NEVER);
    LogLocator locator = new LogLocator(disk, settings.logName());
    locator.locate();
    return new SpoolSites(disk, settings, locator, System::nanoTime, warnings::add);
  }

  /** At every call on the way to a spool, another process removes the directory as it leaves. */
  @Test
  void aDirectoryThatAnotherRemovesAsItLeavesIsMadeAgain() throws IOException {
    Path ofLog = SpoolDirectory.open(disk, base, LogIdentity.of(disk, Path.of("/app.log"))).path();
    int nth = 0;
    boolean reached;
    do {
      nth++;
      disk.before(
          null,
          nth,
          () -> {
            removeIfEmpty(ofLog);
            removeIfEmpty(ofLog.resolveSibling(""));
          });
      Berth berth = sites().open();
      reached = !disk.hasFaultsAhead();
      disk.heal();
      assertThat(berth).as("removed before call %s", nth).isNotNull();
      assertThat(berth.wanted()).as("removed before call %s", nth).isTrue();
      berth.spool().discard();
    } while (reached);
    assertThat(nth).isGreaterThan(10);
    assertThat(warnings).noneMatch(text -> text.contains("cannot be used"));
  }

  private static void removeIfEmpty(Path directory) throws IOException {
    try {
      Files.deleteIfExists(directory);
    } catch (DirectoryNotEmptyException e) {
      // Somebody uses it: then it stays.
    }
  }
}
