package dev.forebay.tiered.spool;

import static dev.forebay.tiered.spool.Spools.drain;
import static dev.forebay.tiered.spool.Spools.fill;
import static dev.forebay.tiered.spool.Spools.names;
import static dev.forebay.tiered.spool.Spools.texts;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.forebay.tiered.disk.FaultyDisk;
import dev.forebay.tiered.disk.NioDisk;
import dev.forebay.tiered.identity.InstanceId;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

@Tag("once")
class SpoolDirectoryTest {
  private static final long NOW_MS = 1_700_000_000_000L;
  private static final long WEEK_MS = 7L * 24 * 60 * 60 * 1000;

  private final FaultyDisk disk = new FaultyDisk(new NioDisk());
  @TempDir Path base;
  private SpoolDirectory directory;

  @BeforeEach
  void open() throws IOException {
    directory = Spools.open(disk, base);
  }

  @Test
  void directoriesAndFilesArePrivate() throws IOException {
    Spool spool = directory.createSpool(Spools.LIMITS);
    fill(spool, 0, 1);

    assertThat(disk.stat(directory.path().getParent()).mode()).isEqualTo(0700);
    assertThat(disk.stat(directory.path()).mode()).isEqualTo(0700);
    assertThat(disk.stat(spool.path()).mode()).isEqualTo(0700);
    for (String name : names(spool.path())) {
      assertThat(disk.stat(spool.path().resolve(name)).mode()).as(name).isEqualTo(0600);
    }
    spool.close();
  }

  /** Each has two files open, and there may be thousands. */
  @Test
  void someOrphansAreTakenOverAtATimeTheNamedOneFirst() throws IOException {
    List<InstanceId> dead = new ArrayList<>();
    for (int i = 0; i < 20; i++) {
      dead.add(leave(1));
    }

    List<RecordSource> some = directory.orphans(dead.get(18), (there, lease) -> null);
    assertThat(some).hasSize(16);
    assertThat(some.get(0).instanceId()).isEqualTo(dead.get(18));
    assertThat(some.get(1).instanceId()).isEqualTo(dead.get(0));

    for (RecordSource orphan : some) {
      orphan.discard();
    }
    assertThat(directory.orphans(SpoolNames.SPOOL))
        .extracting(RecordSource::instanceId)
        .containsExactly(dead.get(15), dead.get(16), dead.get(17), dead.get(19));
  }

  private InstanceId leave(int records) throws IOException {
    Spool spool = directory.createSpool(Spools.LIMITS);
    fill(spool, 0, records);
    spool.close();
    return spool.instanceId();
  }

  private static void runOutOfMemory() {
    throw new OutOfMemoryError("no direct memory");
  }

  @Test
  void aTakeOverThatBreaksOffKeepsNoLock() throws IOException {
    InstanceId first = leave(3);
    InstanceId second = leave(2);
    disk.affecting(path -> path.toString().contains(second.toString()))
        .before(FaultyDisk.Op.LIST, 1, SpoolDirectoryTest::runOutOfMemory);

    assertThatThrownBy(() -> directory.orphans(SpoolNames.SPOOL))
        .isInstanceOf(OutOfMemoryError.class);

    assertThat(directory.orphans(SpoolNames.SPOOL))
        .extracting(RecordSource::instanceId)
        .containsExactly(first, second);
  }

  @Test
  void aSpoolThatCannotBeMadeForLackOfMemoryIsNotLeftBehind() throws IOException {
    disk.affecting(path -> path.endsWith("log"))
        .before(FaultyDisk.Op.OPEN, 1, SpoolDirectoryTest::runOutOfMemory);

    assertThatThrownBy(() -> directory.createSpool(Spools.LIMITS))
        .isInstanceOf(OutOfMemoryError.class);
    assertThat(directory.list(SpoolNames.SPOOL)).isEmpty();
    assertThat(directory.orphans(SpoolNames.SPOOL)).isEmpty();
  }

  @Test
  void aDiscardThatFailsLeavesTheSpoolLocked() throws IOException {
    Spool spool = directory.createSpool(Spools.LIMITS);
    fill(spool, 0, 3);
    disk.failOnce(FaultyDisk.Op.MOVE, 1, new IOException("no rename"));

    assertThatThrownBy(spool::discard).hasMessage("no rename");
    assertThat(directory.orphans(SpoolNames.SPOOL)).isEmpty();
    spool.close();

    RecordSource orphan = Spools.orphan(directory);
    assertThat(drain(orphan)).isEqualTo(texts(0, 3));
    orphan.discard();
    assertThat(names(directory.path())).isEmpty();
  }

  @Test
  void filesThatWerePutAsideAreDeletedAfterAWeekAndNothingElse() throws IOException {
    Path recent = Files.write(directory.path().resolve("bad-recent"), new byte[10]);
    Files.setLastModifiedTime(recent, FileTime.fromMillis(NOW_MS - WEEK_MS + 1));
    Path outside = Files.writeString(base.resolve("outside"), "precious");
    Path link = Files.createSymbolicLink(directory.path().resolve("bad-link"), outside);
    Path full = Files.createDirectory(directory.path().resolve("bad-directory"));
    Path below = Files.writeString(full.resolve("below"), "precious");
    for (Path entry :
        List.of(
            full,
            Files.createFile(directory.path().resolve("bad-1")),
            Files.createFile(directory.path().resolve("bad-2")))) {
      Files.setLastModifiedTime(entry, FileTime.fromMillis(NOW_MS - WEEK_MS - 1));
    }
    disk.failOnce(FaultyDisk.Op.DELETE, 1, new IOException("not now"));

    directory.cleanUp(NOW_MS);
    assertThat(names(directory.path())).as("one and the others").hasSize(4);
    assertThat(directory.takeWarnings()).singleElement().asString().contains("not now");
    directory.cleanUp(NOW_MS);

    assertThat(names(directory.path())).containsExactly("bad-directory", "bad-link", "bad-recent");
    assertThat(link).isSymbolicLink();
    assertThat(outside).hasContent("precious");
    assertThat(below).hasContent("precious");
  }
}
