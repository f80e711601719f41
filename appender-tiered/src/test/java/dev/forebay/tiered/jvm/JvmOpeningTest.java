package dev.forebay.tiered.jvm;

import static org.assertj.core.api.Assertions.assertThat;

import dev.forebay.ConfigFindings;
import dev.forebay.tiered.disk.Disk;
import dev.forebay.tiered.disk.NioDisk;
import dev.forebay.tiered.disk.Scratch;
import dev.forebay.tiered.identity.LogIdentity;
import dev.forebay.tiered.spool.SpoolDirectory;
import dev.forebay.tiered.spool.SpoolNames;
import java.io.IOException;
import java.nio.file.Path;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Test;

class JvmOpeningTest {

  @AutoClose private final Scratch scratch;

  JvmOpeningTest() throws IOException {
    scratch = new Scratch();
  }

  /** Else JVMs that live for a moment would fill the tmpfs, one after another. */
  @Test
  void nothingIsOpenedEarlyWhereManyJvmsHaveLeftTheirLines() throws Exception {
    Path spools = scratch.directory("shm");
    Path log = scratch.path().resolve("gc.log");
    Disk disk = new NioDisk();
    SpoolDirectory directory = SpoolDirectory.open(disk, spools, LogIdentity.of(disk, log));
    for (int life = 0; life < JvmOpening.MAX_LEFT; life++) {
      LineSpool.create(directory, 1).close();
    }
    JvmSettings settings = new JvmOptions().validate(new ConfigFindings());

    assertThat(JvmOpening.early(log, spools, settings, false, "test")).isFalse();
    assertThat(directory.list(SpoolNames.LINES)).hasSize(JvmOpening.MAX_LEFT);
  }
}
