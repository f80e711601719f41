package dev.forebay.tiered;

import static org.assertj.core.api.Assertions.assertThat;

import dev.forebay.ConfigFindings;
import dev.forebay.host.VmLogCommand;
import dev.forebay.tiered.disk.NioDisk;
import dev.forebay.tiered.disk.Scratch;
import dev.forebay.tiered.jvm.JvmOptions;
import dev.forebay.tiered.jvm.JvmSource;
import dev.forebay.tiered.spool.LogIdentity;
import dev.forebay.tiered.spool.LogLocator;
import dev.forebay.tiered.spool.SpoolDirectory;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Test;

class JvmSourceTest {

  @AutoClose private final Scratch scratch;
  private final NioDisk disk = new NioDisk();
  private final List<String> warnings = new ArrayList<>();

  JvmSourceTest() throws IOException {
    scratch = new Scratch();
  }

  /** As with a log whose disk hangs for the first quarter of a second. */
  @Test
  void anOutputBegunForALogThatTurnsOutToBeAnotherGivesWayToOneInThatLogsPlace() throws Exception {
    Path link = scratch.path().resolve("link");
    Path log = Files.createSymbolicLink(link, scratch.directory("real")).resolve("gc.log");
    Path shm = scratch.directory("shm");
    TieredStart start = Starts.of(log, shm, disk, () -> 0, warnings::add);
    LogLocator locator = new LogLocator(disk, log);
    JvmOptions options = new JvmOptions();
    options.what = "gc*=debug";
    JvmSource source =
        new JvmSource(
            options.validate(new ConfigFindings()),
            disk,
            shm,
            locator,
            Starts.queue(start),
            log,
            "test",
            start.voice);
    try {
      int unused = source.turn(0);
      assertThat(source.get()).as("it waits for the shipper").isNull();
      unused = source.turn(TimeUnit.MILLISECONDS.toNanos(300));
      assertThat(source.get()).isNotNull();
      Path guessed = source.get().path();

      locator.run();
      unused = source.turn(TimeUnit.SECONDS.toNanos(3));
      unused = source.turn(TimeUnit.SECONDS.toNanos(6));
      Path place = SpoolDirectory.open(disk, shm, LogIdentity.of(disk, log)).path();
      assertThat(source.get()).isNotNull();
      assertThat(source.get().path()).hasParent(place);
      assertThat(guessed.getParent()).isNotEqualTo(place);
      assertThat(VmLogCommand.run("list"))
          .contains(place.toString())
          .doesNotContain(guessed.toString());
      assertThat(warnings).isEmpty();
    } finally {
      source.close();
    }
  }
}
