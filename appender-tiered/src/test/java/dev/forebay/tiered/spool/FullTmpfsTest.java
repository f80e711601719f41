package dev.forebay.tiered.spool;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.forebay.tiered.disk.Disk;
import dev.forebay.tiered.disk.NioDisk;
import dev.forebay.tiered.spool.SpoolWriter.Outcome;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A real tmpfs of 1 MB that is smaller than the cap; needs root. */
@Tag("once")
class FullTmpfsTest {
  private final Disk disk = new NioDisk();
  @TempDir Path dir;
  private Path mount;
  private boolean isMounted;

  @BeforeEach
  void mountTmpfs() throws Exception {
    mount = Files.createDirectory(dir.resolve("tmpfs"));
    assumeTrue(disk.userId() == 0, "root is needed: run the build as root (mounting a tmpfs)");
    isMounted =
        run("mount", "-t", "tmpfs", "-o", "size=1m,mode=0700", "forebay", mount.toString()) == 0;
    assumeTrue(isMounted, "no tmpfs: allow mounts (CAP_SYS_ADMIN)");
  }

  @AfterEach
  void unmount() throws Exception {
    if (isMounted) {
      assertThat(run("umount", "-l", mount.toString())).isZero();
    }
  }

  @Test
  void aFullTmpfsStopsTheWriterAndCostsNothing() throws IOException {
    SpoolDirectory directory = Spools.open(disk, mount);
    Spool spool = directory.createSpool(new SpoolLimits(8 << 20, 256 * 1024));
    List<String> added = new ArrayList<>();
    String text = "x".repeat(900);
    while (Spools.append(spool, text + added.size()) == Outcome.ADDED) {
      added.add(text + added.size());
      assertThat(added.size()).isLessThan(2000);
    }
    assertThat(spool.writer().isReady()).isFalse();
    assertThatThrownBy(() -> spool.writer().flush()).hasMessageContaining("No space left");

    List<String> read = Spools.drain(spool.source());
    assertThat(read).isNotEmpty().isEqualTo(added.subList(0, read.size()));
    spool.source().release(read.size());
    spool.writer().flush();
    assertThat(spool.writer().isReady()).isTrue();
    for (int i = 0; i < 300; i++) {
      assertThat(Spools.append(spool, "y" + i)).isEqualTo(Outcome.ADDED);
      added.add("y" + i);
    }
    spool.writer().flush();
    read.addAll(Spools.drain(spool.source()));

    assertThat(read).isEqualTo(added);
    spool.discard();
  }

  @Test
  void anUnmountedDirectoryIsNoticed() throws Exception {
    Spool spool = Spools.open(disk, mount).createSpool(new SpoolLimits(1 << 20, 64 * 1024));
    Spools.fill(spool, 0, 3);
    assertThat(spool.isPathIntact()).isTrue();

    isMounted = run("umount", "-l", mount.toString()) != 0;
    Spools.fill(spool, 3, 6);

    assertThat(isMounted).isFalse();
    assertThat(spool.isPathIntact()).isFalse();
    assertThat(Spools.drain(spool.source())).startsWith("gap 0+6");
    spool.close();
  }

  private static int run(String... command) throws Exception {
    return new ProcessBuilder(command)
        .redirectErrorStream(true)
        .redirectOutput(ProcessBuilder.Redirect.DISCARD)
        .start()
        .waitFor();
  }
}
