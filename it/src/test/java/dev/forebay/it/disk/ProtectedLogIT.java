package dev.forebay.it.disk;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.forebay.host.Await;
import dev.forebay.host.Command;
import dev.forebay.it.support.Load;
import dev.forebay.it.support.LogFiles;
import dev.forebay.it.support.Mounted;
import dev.forebay.it.support.Places;
import dev.forebay.it.support.Tiered;
import dev.forebay.it.support.Xml;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** A log, or its directory, with an attribute that forbids changes even to root (chattr). */
class ProtectedLogIT {

  @AutoClose private final Places places = Places.create();
  private Mounted disk;
  private Path log;

  @BeforeEach
  void mount() throws Exception {
    disk = Mounted.disk(places);
    Files.createDirectory(disk.at().resolve("log"));
    log = disk.at().resolve("log/app.log");
  }

  @AfterEach
  void unmount() throws Exception {
    if (disk != null) { // it is mounted below the places, which are deleted after this
      disk.close();
    }
  }

  private String inner() {
    return Xml.places(log, places.spool()) + Xml.FAST + Xml.MESSAGES;
  }

  private static void attribute(String change, Path path) throws Exception {
    assumeTrue(
        Command.exitCode("chattr", change, path.toString()) == 0,
        "no chattr: install e2fsprogs (" + change + ")");
  }

  private void requireAll(Load load) throws Exception {
    load.endWithoutLoss().requireSound(LogFiles.of(log).lines());
  }

  @Test
  void anImmutableLogIsContinuedWhenItMayBeChangedAgain() throws Exception {
    try (Tiered tiered = Tiered.with(inner());
        Load load = Load.on(tiered)) {
      load.requireGoingOn();
      tiered.flush().calls().reset();
      attribute("+i", log);
      tiered.awaitWarning("cannot write " + log);
      load.requireGoingOn();
      attribute("-i", log);
      tiered.calls().record("log immutable (chattr +i)");
      load.requireGoingOn();
      requireAll(load);
    }
  }

  @Test
  void aLogThatMayOnlyBeAppendedToIsWritten() throws Exception {
    Files.createFile(log);
    attribute("+a", log);
    try (Tiered tiered = Tiered.with(inner());
        Load load = Load.on(tiered)) {
      load.requireGoingOn();
      tiered.flush();
      assertThat(tiered.warnings()).isEmpty();
      tiered.calls().record("log append-only (chattr +a)");
      requireAll(load);
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"i", "a"})
  void aLogThatCannotBeRolledBecauseOfItsDirectoryGrowsUntilItCan(String flag) throws Exception {
    Path directory = log.resolveSibling("");
    try (Tiered tiered = Tiered.with(inner(), Xml.rollBySize(directory, "40KB"));
        Load load = Load.on(tiered)) {
      load.requireGoingOn();
      tiered.flush().calls().reset();
      attribute("+" + flag, directory);
      long files = LogFiles.of(log).fileCount();
      tiered.awaitWarning("could not be rolled and keeps growing");
      load.requireGoingOn();
      assertThat(LogFiles.of(log).fileCount()).isEqualTo(files);
      attribute("-" + flag, directory);
      Await.until("rolled", () -> LogFiles.of(log).fileCount() > files);
      tiered.calls().record("log directory protected (chattr +" + flag + ")");
      requireAll(load);
    } finally {
      Command.exitCode("chattr", "-" + flag, directory.toString());
    }
  }
}
