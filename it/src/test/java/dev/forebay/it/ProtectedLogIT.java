package dev.forebay.it;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** A log, or its directory, with an attribute that forbids changes even to root (chattr). */
class ProtectedLogIT {

  private static final String FAST = "<fsync>50 milliseconds</fsync>";

  private Places places;
  private Mounted disk;
  private Path log;

  @BeforeEach
  void create() throws Exception {
    places = Places.create();
    disk = Mounted.disk(places);
    Files.createDirectory(disk.at().resolve("log"));
    log = disk.at().resolve("log/app.log");
  }

  @AfterEach
  void delete() throws Exception {
    if (disk != null) {
      disk.close();
    }
    places.close();
  }

  private String inner() {
    return Xml.places(log, places.spool()) + FAST + Xml.MESSAGES;
  }

  private static void attribute(String change, Path path) throws Exception {
    assumeTrue(Shell.run("chattr", change, path.toString()) == 0, "no chattr " + change);
  }

  private static boolean says(Tiered tiered, String text) {
    return tiered.warnings().stream().anyMatch(warning -> warning.contains(text));
  }

  private void requireAll(Tiered tiered, Load load) throws Exception {
    load.stop();
    tiered.log("fresh", 0, 10).flush();
    assertThat(tiered.snapshot().dropped()).isZero();
    assertThat(tiered.errors()).isEmpty();
    load.oracle().producer("fresh", 10, 10).complete(0).requireSound(LogFiles.of(log).lines());
  }

  @Test
  void anImmutableLogIsContinuedWhenItMayBeChangedAgain() throws Exception {
    try (Tiered tiered = Tiered.with(inner());
        Load load = Load.on(tiered)) {
      load.requireGoingOn();
      tiered.flush().calls().reset();
      attribute("+i", log);
      Await.until("told", () -> says(tiered, "cannot write " + log));
      load.requireGoingOn();
      attribute("-i", log);
      tiered.calls().record("log immutable (chattr +i)");
      load.requireGoingOn();
      requireAll(tiered, load);
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
      requireAll(tiered, load);
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
      Await.until("told", () -> says(tiered, "could not be rolled and keeps growing"));
      load.requireGoingOn();
      assertThat(LogFiles.of(log).fileCount()).isEqualTo(files);
      attribute("-" + flag, directory);
      Await.until("rolled", () -> LogFiles.of(log).fileCount() > files);
      tiered.calls().record("log directory protected (chattr +" + flag + ")");
      requireAll(tiered, load);
    } finally {
      Shell.run("chattr", "-" + flag, directory.toString());
    }
  }

  @Test
  void aLogThatCannotBeMadeWaitsForItsDirectory() throws Exception {
    Path directory = log.resolveSibling("");
    attribute("+i", directory);
    try (Tiered tiered = Tiered.with(inner());
        Load load = Load.on(tiered)) {
      Await.until("told", () -> says(tiered, "cannot write " + log));
      load.requireGoingOn();
      assertThat(log).doesNotExist();
      attribute("-i", directory);
      load.requireGoingOn();
      requireAll(tiered, load);
    } finally {
      Shell.run("chattr", "-i", directory.toString());
    }
  }
}
