package dev.forebay.tiered.spool;

import static dev.forebay.tiered.spool.Spools.drain;
import static dev.forebay.tiered.spool.Spools.fill;
import static dev.forebay.tiered.spool.Spools.names;
import static dev.forebay.tiered.spool.Spools.records;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.forebay.tiered.disk.FaultyDisk;
import dev.forebay.tiered.disk.NioDisk;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

@Tag("once")
class SpoolDirectoryTest {
  private static final SpoolLimits LIMITS = new SpoolLimits(1 << 20, 256);
  private static final long NOW_MS = 1_700_000_000_000L;
  private static final long DAY_MS = 24L * 60 * 60 * 1000;

  private final FaultyDisk disk = new FaultyDisk(new NioDisk());
  @TempDir Path base;
  private SpoolDirectory directory;

  @BeforeEach
  void open() throws IOException {
    directory = Spools.open(disk, base);
  }

  @Test
  void theNameComesFromTheUserAndTheLog() throws IOException {
    String user = String.valueOf(disk.userId());
    assertThat(directory.path().getParent()).isEqualTo(base.resolve("forebay-" + user));
    assertThat(directory.path().getFileName().toString()).matches("[0-9a-f]{32}");
    assertThat(Spools.open(disk, base).path()).isEqualTo(directory.path());
    assertThat(directory.takeWarnings()).isEmpty();
  }

  @Test
  void directoriesAndFilesArePrivate() throws IOException {
    Spool spool = directory.createSpool(LIMITS);
    fill(spool, 0, 1);

    assertThat(disk.stat(directory.path().getParent()).mode()).isEqualTo(0700);
    assertThat(disk.stat(directory.path()).mode()).isEqualTo(0700);
    assertThat(disk.stat(spool.path()).mode()).isEqualTo(0700);
    for (String name : names(spool.path())) {
      assertThat(disk.stat(spool.path().resolve(name)).mode()).as(name).isEqualTo(0600);
    }
    spool.close();
  }

  @Test
  void spoolsAreNumberedInOrderOfCreation() throws IOException {
    Spool first = directory.createSpool(LIMITS);
    Spool second = directory.createSpool(LIMITS);
    first.discard();
    Spool third = directory.createSpool(LIMITS);

    assertThat(third.path().getFileName().toString())
        .matches("spool-0000000000000002-[0-9a-f]{32}");
    assertThat(names(directory.path()))
        .containsExactly(
            second.path().getFileName().toString(), third.path().getFileName().toString());
    second.close();
    third.close();
  }

  @Test
  void orphansComeOldestFirstAndLivingSpoolsNotAtAll() throws IOException {
    Spool first = directory.createSpool(LIMITS);
    Spool second = directory.createSpool(LIMITS);
    Spool living = directory.createSpool(LIMITS);
    fill(first, 0, 3);
    fill(second, 0, 2);
    second.close();
    first.close();

    List<RecordSource> orphans = directory.orphans(null);

    assertThat(orphans)
        .extracting(RecordSource::instanceId)
        .containsExactly(first.instanceId(), second.instanceId());
    assertThat(directory.orphans(null)).isEmpty();
    assertThat(drain(orphans.get(0))).isEqualTo(records(0, 3));
    orphans.get(0).discard();
    orphans.get(1).close();
    assertThat(Spools.orphan(directory).instanceId()).isEqualTo(second.instanceId());
    assertThat(living.isPathIntact()).isTrue();
  }

  @Test
  void aTakeOverThatBreaksOffKeepsNoLock() throws IOException {
    Spool first = directory.createSpool(LIMITS);
    Spool second = directory.createSpool(LIMITS);
    fill(first, 0, 3);
    fill(second, 0, 2);
    first.close();
    second.close();
    disk.affecting(path -> path.startsWith(second.path()))
        .before(
            FaultyDisk.Op.LIST,
            1,
            () -> {
              throw new OutOfMemoryError("no direct memory");
            });

    assertThatThrownBy(() -> directory.orphans(null)).isInstanceOf(OutOfMemoryError.class);

    assertThat(directory.orphans(null))
        .extracting(RecordSource::instanceId)
        .containsExactly(first.instanceId(), second.instanceId());
  }

  @Test
  void aClosedSpoolIsHandedOverWithAllItHad() throws IOException {
    Spool spool = directory.createSpool(LIMITS);
    fill(spool, 0, 30);
    drain(spool.source());
    spool.source().release(10);
    long first = Spools.firstSequence(spool.source());
    spool.source().close();
    spool.close();

    RecordSource orphan = Spools.orphan(Spools.open(disk, base));
    assertThat(Spools.firstSequence(orphan)).isEqualTo(first);
    assertThat(orphan.path()).isEqualTo(spool.path());
    orphan.seek(first);
    assertThat(drain(orphan)).isEqualTo(records((int) first, 30));
    orphan.release(20);
    assertThat(Spools.firstSequence(orphan)).isGreaterThan(first);
    orphan.close();
  }

  @Test
  void aDiscardThatFailsLeavesTheSpoolLocked() throws IOException {
    Spool spool = directory.createSpool(LIMITS);
    fill(spool, 0, 3);
    disk.failOnce(FaultyDisk.Op.MOVE, 1, new IOException("no rename"));

    assertThatThrownBy(spool::discard).hasMessage("no rename");
    assertThat(directory.orphans(null)).isEmpty();
    spool.close();

    RecordSource orphan = Spools.orphan(directory);
    assertThat(drain(orphan)).isEqualTo(records(0, 3));
    orphan.discard();
    assertThat(names(directory.path())).isEmpty();
  }

  @Test
  void aHalfDeletedSpoolIsDeletedByTheCleanUpAndNeverRead() throws IOException {
    Spool spool = directory.createSpool(LIMITS);
    fill(spool, 0, 30);
    disk.failOnce(FaultyDisk.Op.DELETE, 2, new IOException("no delete"));
    spool.discard();
    assertThat(names(directory.path())).singleElement().asString().startsWith("done-");
    assertThat(directory.orphans(null)).isEmpty();

    directory.cleanUp(NOW_MS);

    assertThat(names(directory.path())).isEmpty();
  }

  @Test
  void aSpoolThatWasNeverLockedIsAnEmptyOrphan() throws IOException {
    Path bare = directory.path().resolve("spool-" + SpoolNames.spoolSuffix(7, InstanceId.random()));
    disk.createDirectory(bare);

    RecordSource orphan = Spools.orphan(directory);
    assertThat(Spools.drain(orphan)).isEmpty();
    orphan.discard();

    assertThat(bare).doesNotExist();
    assertThat(directory.takeWarnings()).isEmpty();
  }

  @Test
  void whatCannotBeDeletedIsReported() throws IOException {
    Path done = directory.path().resolve("done-" + SpoolNames.spoolSuffix(1, InstanceId.random()));
    Files.createDirectories(done.resolve("sub").resolve("sub"));
    Files.setPosixFilePermissions(done, Files.getPosixFilePermissions(directory.path()));

    directory.cleanUp(NOW_MS);

    assertThat(directory.takeWarnings()).singleElement().asString().contains("cannot delete");
  }

  @Test
  void entriesThatAreNoSpoolsAreLeftAlone() throws IOException {
    Files.writeString(directory.path().resolve("checkpoint"), "x");
    Files.createDirectory(directory.path().resolve("spool-1"));
    Path open =
        Files.createDirectory(
            directory.path().resolve("spool-" + SpoolNames.spoolSuffix(1, InstanceId.random())));
    Files.setPosixFilePermissions(open, PosixFilePermissions.fromString("rwxr-xr-x"));
    Path link =
        Files.createSymbolicLink(
            directory.path().resolve("spool-" + SpoolNames.spoolSuffix(2, InstanceId.random())),
            base);

    assertThat(directory.orphans(null)).isEmpty();
    directory.cleanUp(NOW_MS);

    assertThat(names(directory.path())).hasSize(4);
    assertThat(directory.takeWarnings())
        .containsExactly(
            "ignored " + open + ": has mode 0755", "ignored " + link + ": is a symbolic link");
  }

  @Test
  void aLockThatIsNoFileOfOursStopsNothingElse() throws Exception {
    Spool good = directory.createSpool(LIMITS);
    good.close();
    Path bad = directory.path().resolve("spool-" + SpoolNames.spoolSuffix(0, InstanceId.random()));
    disk.createDirectory(bad);
    Path pipe = bad.resolve("lock");
    assertThat(new ProcessBuilder("mkfifo", pipe.toString()).start().waitFor()).isZero();

    RecordSource orphan = Spools.orphan(directory);

    assertThat(orphan.instanceId()).isEqualTo(good.instanceId());
    assertThat(directory.takeWarnings())
        .singleElement()
        .asString()
        .contains("is a pipe, socket or device; required: a lock file");
    orphan.close();
  }

  @Test
  void whatWasPutAsideIsDeletedAfterAWeek() throws IOException {
    Path old = Files.write(directory.path().resolve("bad-old"), new byte[10]);
    Path recent = Files.write(directory.path().resolve("bad-recent"), new byte[10]);
    Files.setLastModifiedTime(old, FileTime.fromMillis(NOW_MS - 7 * DAY_MS - 1));
    Files.setLastModifiedTime(recent, FileTime.fromMillis(NOW_MS - 7 * DAY_MS + 1));

    directory.cleanUp(NOW_MS);

    assertThat(names(directory.path())).containsExactly("bad-recent");
  }

  @Test
  void aDirectoryNamedAsPutAsideStays() throws IOException {
    Path strange = directory.path().resolve("bad-directory");
    Files.createDirectories(strange.resolve("of/others"));
    Files.setLastModifiedTime(strange, FileTime.fromMillis(NOW_MS - 8 * DAY_MS));

    directory.cleanUp(NOW_MS);

    assertThat(strange).exists();
  }

  @Test
  void onlyFilesThatWerePutAsideAreDeleted() throws IOException {
    Path outside = Files.writeString(base.resolve("outside"), "precious");
    Path link = Files.createSymbolicLink(directory.path().resolve("bad-a"), outside);
    Path full = Files.createDirectory(directory.path().resolve("bad-b"));
    Path below = Files.writeString(full.resolve("below"), "precious");
    Path old = Files.write(directory.path().resolve("bad-old"), new byte[10]);
    for (Path entry : List.of(full, old)) {
      Files.setLastModifiedTime(entry, FileTime.fromMillis(NOW_MS - 7 * DAY_MS - 1));
    }

    directory.cleanUp(NOW_MS);

    assertThat(old).doesNotExist();
    assertThat(link).isSymbolicLink();
    assertThat(outside).hasContent("precious");
    assertThat(below).hasContent("precious");
  }

  @Test
  void aFileThatCannotBeDeletedDoesNotKeepTheOthers() throws IOException {
    for (String name : List.of("bad-1", "bad-2")) {
      Path old = Files.write(directory.path().resolve(name), new byte[10]);
      Files.setLastModifiedTime(old, FileTime.fromMillis(NOW_MS - 7 * DAY_MS - 1));
    }
    disk.failOnce(FaultyDisk.Op.DELETE, 1, new IOException("not now"));

    directory.cleanUp(NOW_MS);

    assertThat(names(directory.path())).hasSize(1);
    assertThat(directory.takeWarnings()).singleElement().asString().contains("not now");
    directory.cleanUp(NOW_MS);
    assertThat(names(directory.path())).isEmpty();
  }

  @Test
  void limitsNameTheValueAndTheBound() {
    assertThatThrownBy(() -> new SpoolLimits(1024, 255))
        .hasMessageContaining("255")
        .hasMessageContaining("256");
  }

  @Test
  void aSpoolThatCannotBeLockedIsNotSeenByAnybody() {
    disk.failFrom(FaultyDisk.Op.LOCK, 1, () -> new IOException("no locks available"));

    assertThatThrownBy(() -> directory.createSpool(LIMITS)).hasMessage("no locks available");
    disk.heal();

    assertThat(directory.path())
        .isDirectoryNotContaining(path -> path.toString().contains("spool-"));
  }
}
