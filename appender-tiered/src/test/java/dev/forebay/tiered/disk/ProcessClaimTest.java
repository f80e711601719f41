package dev.forebay.tiered.disk;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Who in this process may use a file. */
@Tag("once")
class ProcessClaimTest {

  @TempDir Path base;

  private final Disk disk = new NioDisk();

  @Test
  void staysWithADirectoryThatGetsItsFinalName() throws Exception {
    Path unfinished = Files.createDirectory(base.resolve("lines-1-bb"));
    AutoCloseable claim = ProcessClaim.tryTake(disk, unfinished.resolve("lock"));
    Path finished = Files.move(unfinished, base.resolve("spool-1-bb"));

    assertThat(ProcessClaim.tryTake(disk, finished.resolve("lock"))).isNull();
    claim.close();
  }

  /** The rename stands for a file system that gives a new directory the number of a removed one. */
  @Test
  void isNotThatOfASpoolWithTheNumberOfARemovedOne() throws Exception {
    Path removed = Files.createDirectory(base.resolve("spool-1-cc"));
    AutoCloseable left = ProcessClaim.tryTake(disk, removed.resolve("lock"));
    Path fresh = Files.move(removed, base.resolve("spool-2-dd"));

    AutoCloseable claim = ProcessClaim.tryTake(disk, fresh.resolve("lock"));

    assertThat(claim).isNotNull();
    claim.close();
    left.close();
  }
}
