package dev.forebay.tiered.jvm;

import static java.nio.charset.StandardCharsets.US_ASCII;
import static org.assertj.core.api.Assertions.assertThat;

import dev.forebay.tiered.disk.Disk;
import dev.forebay.tiered.disk.FaultyDisk;
import dev.forebay.tiered.disk.MemoryDisk;
import dev.forebay.tiered.identity.LogIdentity;
import dev.forebay.tiered.spool.RecordSource;
import dev.forebay.tiered.spool.SpoolDirectory;
import dev.forebay.tiered.spool.SpoolNames;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Who takes over what dead JVMs have left meets spools that others create and remove just now. */
class JvmRescueBesideOthersTest {

  private static final Path BASE = Path.of("/shm");
  private static final long MEMORY_BYTES = 16 * 200;

  private final MemoryDisk memory = new MemoryDisk();
  private final FaultyDisk disk = new FaultyDisk(memory);

  JvmRescueBesideOthersTest() throws IOException {
    memory.createDirectory(BASE);
  }

  private static SpoolDirectory open(Disk disk) throws IOException {
    return SpoolDirectory.open(disk, BASE, LogIdentity.unresolved(disk, Path.of("/log/gc.log")));
  }

  private Path left() throws IOException {
    try (LineSpool spool = LineSpool.create(open(memory), MEMORY_BYTES)) {
      return spool.path();
    }
  }

  /** There is none to be shipped. */
  private static void rescue(SpoolDirectory directory) throws IOException {
    assertThat(directory.orphans(null, JvmReading::rescue)).isEmpty();
  }

  private void requireNoFault(SpoolDirectory directory) {
    assertThat(disk.hasFaultsAhead()).isFalse();
    assertThat(directory.takeWarnings()).isEmpty();
  }

  /** A stop removes it while the shipper looks for those of the dead. */
  @Test
  void aSpoolThatItsOwnerRemovesMeanwhileIsNoFault() throws Exception {
    Path path = left();
    disk.affecting(path.resolve("lock")::equals)
        .before(FaultyDisk.Op.STAT, 1, () -> open(memory).delete(path));
    SpoolDirectory directory = open(disk);
    rescue(directory);
    requireNoFault(directory);
  }

  /** Who creates one and finds it taken deletes it, while the other one renames it. */
  @Test
  void aSpoolThatAnotherHasRenamedIsDeletedWithoutAWarning() throws Exception {
    Path path = left();
    disk.affecting(path::equals)
        .before(FaultyDisk.Op.LIST, 1, () -> memory.move(path, path.resolveSibling("done-1")));
    SpoolDirectory directory = open(disk);
    directory.delete(path);
    requireNoFault(directory);
  }

  /** It must not look complete to who finds it after its owner's death. */
  @Test
  void aSpoolThatAnotherFindsWhileItIsCreatedIsNotSealed() throws Exception {
    SpoolDirectory other = open(new FaultyDisk(memory).ofOtherProcess());
    disk.affecting(path -> path.endsWith("lock"))
        .before(FaultyDisk.Op.STAT, 1, () -> rescue(other));
    LineSpool created = LineSpool.create(open(disk), MEMORY_BYTES);

    assertThat(disk.hasFaultsAhead()).isFalse();
    assertThat(LineFiles.endOf(memory, created.path())).isNegative();
    assertThat(open(memory).list(SpoolNames.LINES)).containsExactly(created.path());
  }

  /** HotSpot may still write there: only what is linked in time is kept. */
  @Test
  void moreThanCanBeTakenOverAtOnceAreStillCompleted() throws Exception {
    List<Path> left = new ArrayList<>();
    for (int i = 0; i <= SpoolDirectory.MAX_TAKEN; i++) {
      try (LineSpool spool = LineSpool.create(open(memory), MEMORY_BYTES)) {
        UlOutput.ours(spool, new Rotation(1, 1000), "level").noteIn(spool);
        memory.put(spool.path().resolve(LineSpool.LOG), "a line\n".getBytes(US_ASCII));
        left.add(spool.path());
      }
    }
    SpoolDirectory directory = open(disk);
    List<RecordSource> taken = directory.orphans(null, JvmReading::rescue);
    assertThat(taken).hasSize(SpoolDirectory.MAX_TAKEN);
    for (Path path : left) {
      assertThat(LineFiles.endOf(memory, path)).as("%s", path).isEqualTo(1);
    }
    taken.forEach(RecordSource::close);
    assertThat(directory.orphans(null, JvmReading::rescue)).as("unlocked").hasSize(taken.size());
    requireNoFault(directory);
  }

  /** A file that cannot be read now must not pass for one that its owner has removed. */
  @Test
  void whatCannotBeReadIsNamedAndTriedAgain() throws Exception {
    Path path = left();
    disk.affecting(path::equals)
        .before(
            FaultyDisk.Op.LIST,
            1,
            () -> {
              throw new IOException("no luck");
            });
    SpoolDirectory directory = open(disk);
    rescue(directory);
    assertThat(directory.takeWarnings()).singleElement().asString().contains("no luck; retrying");
    assertThat(directory.list(SpoolNames.LINES)).containsExactly(path);
  }

  /** Nobody else has to wait for it, and it stays for whoever wants to look. */
  @Test
  void whatIsNoFileOfOursIsNamedAndLeft() throws Exception {
    LineSpool odd = LineSpool.create(open(disk), MEMORY_BYTES);
    disk.createDirectory(odd.path().resolve(LineSpool.OUTPUT));
    odd.close();
    SpoolDirectory directory = open(disk);
    rescue(directory);
    assertThat(directory.takeWarnings())
        .singleElement()
        .asString()
        .contains("Left untouched " + odd.path(), "output is a directory");
    assertThat(directory.list(SpoolNames.LINES)).containsExactly(odd.path());
  }
}
