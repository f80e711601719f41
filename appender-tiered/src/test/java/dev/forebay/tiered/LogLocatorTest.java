package dev.forebay.tiered;

import static org.assertj.core.api.Assertions.assertThat;

import dev.forebay.observe.Ledger;
import dev.forebay.tiered.disk.Disk;
import dev.forebay.tiered.disk.NioDisk;
import dev.forebay.tiered.spool.LogIdentity;
import dev.forebay.tiered.spool.LogLocator;
import dev.forebay.tiered.spool.Spool;
import dev.forebay.tiered.spool.SpoolBudgets;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A log behind a link, on a disk that may hang while the link is followed. */
@Tag("once")
class LogLocatorTest {

  private static final long MS = 1_000_000;
  private static final int SEGMENT_BYTES = 64 * 1024;

  private final Disk disk = new NioDisk();
  @TempDir Path root;
  private Path behindLink;
  private LogIdentity real;
  private LogLocator locator;
  private long nowNs = 7;

  @BeforeEach
  void makeLink() throws IOException {
    Path directory = Files.createDirectory(root.toRealPath().resolve("real"));
    Path link = Files.createSymbolicLink(root.toRealPath().resolve("link"), directory);
    behindLink = link.resolve("app.log");
    real = LogIdentity.of(disk, directory.resolve("app.log"));
    locator = new LogLocator(disk, behindLink);
  }

  @Test
  void aSpoolIsForTheLogThatTheShippersThreadLocates() {
    assertThat(locator.find(nowNs)).isNull();

    locator.run();

    assertThat(locator.get()).isEqualTo(real);
    assertThat(locator.find(nowNs)).isEqualTo(real);
  }

  @Test
  void aSpoolDoesNotWaitLongForADiskThatHangs() {
    assertThat(locator.find(nowNs)).isNull();
    assertThat(locator.find(nowNs + 249 * MS)).isNull();

    LogIdentity guess = locator.find(nowNs + 250 * MS);

    assertThat(guess).isEqualTo(LogIdentity.unresolved(disk, behindLink));
    assertThat(locator.isOther(guess)).as("not yet known").isFalse();
  }

  @Test
  void aSpoolMadeInTheWrongPlaceIsLeftWhenTheRightOneIsKnown() throws IOException {
    Path base = Files.createDirectory(root.resolve("shm"));
    TieredStart start =
        Starts.of(
            behindLink,
            base,
            10L * SEGMENT_BYTES,
            new Ledger(),
            disk,
            () -> nowNs,
            Starts.voice(text -> {}));
    SpoolOpener opener = new SpoolOpener(start, new SpoolBudgets());
    assertThat(opener.open()).isNull();
    nowNs += 250 * MS;
    Spool guessed = opener.open();
    assertThat(guessed).isNotNull();
    assertThat(opener.isInPlace(guessed)).isTrue();

    start.locator.run();

    assertThat(opener.isInPlace(guessed)).isFalse();
    nowNs += 1000 * MS;
    Spool right = opener.open();
    assertThat(right).isNotNull();
    assertThat(opener.isInPlace(right)).isTrue();
    assertThat(right.directory().isOf(real)).isTrue();
    guessed.discard();
    right.discard();
  }

  @Test
  void whoeverWaitsForTheLogIsWokenOnce() {
    List<LogIdentity> found = new ArrayList<>();
    locator.whenLocated(() -> found.add(locator.find(nowNs)));

    locator.run();
    locator.run();

    assertThat(found).containsExactly(real);
  }
}
