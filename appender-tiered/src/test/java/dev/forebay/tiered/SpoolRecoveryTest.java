package dev.forebay.tiered;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.forebay.tiered.disk.Disk;
import dev.forebay.tiered.disk.NioDisk;
import dev.forebay.tiered.spool.LogIdentity;
import dev.forebay.tiered.spool.Spool;
import dev.forebay.tiered.spool.SpoolDirectory;
import dev.forebay.tiered.spool.SpoolLimits;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What somebody does who has changed back to another appender after a kill. */
@Tag("once")
class SpoolRecoveryTest {

  private final Disk disk = new NioDisk();
  @TempDir Path root;
  private Path base;
  private Path log;

  @BeforeEach
  void makeDirectories() throws IOException {
    base = Files.createDirectory(root.toRealPath().resolve("shm"));
    log = root.toRealPath().resolve("app.log");
  }

  private Path killed(String... lines) throws IOException {
    SpoolDirectory directory = SpoolDirectory.open(disk, base, LogIdentity.of(disk, log));
    Spool spool = directory.createSpool(new SpoolLimits(1 << 20, 1 << 16));
    for (String line : lines) {
      byte[] bytes = (line + "\n").getBytes(StandardCharsets.UTF_8);
      spool.writer().append(bytes, 0, bytes.length, 2);
    }
    spool.writer().flush();
    spool.close();
    return directory.path();
  }

  @Test
  void linesOfAKilledProcessAreAppendedOnce() throws IOException {
    Path spools = killed("one", "two");
    Files.writeString(log, "of another appender\n");

    SpoolRecovery.main(new String[] {base.toString()}); // lists and changes nothing
    assertThat(Files.readAllLines(log)).containsExactly("of another appender");

    SpoolRecovery.main(new String[] {spools.toString(), log.toString()});
    assertThat(Files.readAllLines(log)).containsExactly("of another appender", "one", "two");
    assertThat(base).isEmptyDirectory();
  }

  @Test
  void whatIsNoDirectoryOfSpoolsIsRefused() throws IOException {
    Path spools = killed("one");

    for (Path wrong : new Path[] {base, spools.getParent(), root, spools.resolveSibling("x")}) {
      assertThatThrownBy(() -> SpoolRecovery.main(new String[] {wrong.toString(), log.toString()}))
          .isInstanceOf(IOException.class)
          .hasMessageContaining("no directory with spools");
    }
    assertThat(log).doesNotExist();
  }
}
