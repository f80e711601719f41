package dev.forebay.tiered.jvm;

import static org.assertj.core.api.Assertions.assertThat;

import dev.forebay.tiered.disk.FileInfo;
import dev.forebay.tiered.disk.MemoryDisk;
import dev.forebay.tiered.spool.LineSpool;
import dev.forebay.tiered.spool.LogIdentity;
import dev.forebay.tiered.spool.SpoolDirectory;
import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Predicate;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Which files at the place of a dead JVM's output it has written itself. */
class UlOutputTest {

  private static final Path BASE = Path.of("/shm");
  private static final Path FILE = Path.of("/shm/a b/gc.log");
  private static final Rotation ROTATION = new Rotation(5, 8192);
  private static final long BORN_MS = 1_000;
  private static final ReadMark BEGIN = new ReadMark("(dev=1,ino=2)", 7);

  /** When this JVM was started, which is after the death of the other one. */
  private static final long NOW_MS = ManagementFactory.getRuntimeMXBean().getStartTime() - 10;

  private final MemoryDisk disk = new MemoryDisk();
  private final List<String> warnings = new ArrayList<>();

  private SpoolDirectory spools() throws IOException {
    return SpoolDirectory.open(disk, BASE, LogIdentity.unresolved(disk, Path.of("/log/gc.log")));
  }

  @BeforeEach
  void createBase() throws IOException {
    disk.createDirectory(BASE);
  }

  private static boolean isOf(UlOutput output, long modifiedMs) {
    return output
        .lifetime()
        .test(new FileInfo(FileInfo.Kind.FILE, 1, "key", 1000, 0600, 1, modifiedMs));
  }

  /** What a process that has died says about its output, to one with these outputs. */
  private UlOutput ofDead(UlOutput output, Predicate<Path> now) throws IOException {
    LineSpool directory = spools().createLines(1);
    output.noteIn(directory);
    return UlOutput.ofDead(directory, now, warnings::add);
  }

  private static UlOutput takenUp() {
    return new UlOutput(FILE, ROTATION, "level", new Lifetime(BORN_MS, Long.MAX_VALUE), BEGIN);
  }

  @Test
  void theNextJvmHasItsFilesUntilItsOwnBegin() throws Exception {
    UlOutput dead = ofDead(takenUp(), FILE::equals);
    assertThat(dead.file()).isEqualTo(FILE);
    assertThat(dead.rotation()).isEqualTo(ROTATION);
    assertThat(dead.begin()).isEqualTo(BEGIN);
    assertThat(dead.isOurs()).isFalse();
    assertThat(isOf(dead, BORN_MS - 1)).as("of an earlier one").isFalse();
    assertThat(isOf(dead, BORN_MS)).isTrue();
    assertThat(isOf(dead, NOW_MS - 1)).isTrue();
    assertThat(isOf(dead, NOW_MS)).as("of the next one, which ships it itself").isFalse();
  }

  /** Another JVM may write at that place by now. */
  @Test
  void aProcessWithAnotherOutputTakesOnlyWhatIsLinked() throws Exception {
    UlOutput dead = ofDead(takenUp(), file -> false);
    assertThat(isOf(dead, BORN_MS)).isFalse();
    assertThat(isOf(dead, NOW_MS - 1)).isFalse();
    assertThat(isOf(dead, NOW_MS)).isFalse();
  }
}
