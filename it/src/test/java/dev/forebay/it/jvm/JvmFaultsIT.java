package dev.forebay.it.jvm;

import static org.assertj.core.api.Assertions.assertThat;

import dev.forebay.it.support.Mounted;
import dev.forebay.it.support.Places;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/**
 * Places that fail under a JVM that writes its log. That each command is answered while they do
 * shows that the JVM does not wait for them.
 */
@Tag("jdk-nightly")
class JvmFaultsIT {

  /** Of one collection there are more. */
  private static final int LINES = 10;

  @AutoClose private final Places places = Places.create();

  /** One whose JVM writes, with some lines in the log. */
  private Served served(Path log, Path spoolDirectory) throws IOException {
    return Served.start(places, log, spoolDirectory).tell("open").tell("collect 5");
  }

  private static Path log(Mounted disk) {
    return disk.at().resolve("gc.log");
  }

  @Test
  void aFrozenDiskStopsNeitherTheJvmNorAnyLine() throws Exception {
    try (Mounted disk = Mounted.disk(places);
        Served served = served(log(disk), places.spool())) {
      disk.freeze();
      served.tell("collect 50");
      disk.thaw();
      served.tell("collect 5");
      assertThat(served.end()).contains("lost 0").doesNotContain("problem");
      served.requireAll();
      assertThat(served.log()).hasSizeGreaterThan(60 * LINES);
    }
  }

  @Test
  void aFullDiskTearsAndLosesNoLine() throws Exception {
    try (Mounted disk = Mounted.disk(places, "2m", "defaults", "-m", "0", "-O", "^has_journal")) {
      Path filler = disk.at().resolve("filler");
      try (Served served = served(log(disk), places.spool())) {
        fill(filler);
        served.tell("collect 50").tell("warned cannot write " + log(disk));
        served.tell("collect 5");
        Files.delete(filler);
        served.tell("collect 5");
        assertThat(served.end()).contains("lost 0").containsOnlyOnce("problem ");
        served.requireAll();
        assertThat(served.log()).hasSizeGreaterThan(65 * LINES);
      }
    }
  }

  private static void fill(Path filler) throws IOException {
    byte[] block = new byte[4096];
    try (var out = Files.newOutputStream(filler, StandardOpenOption.CREATE)) {
      while (true) {
        out.write(block);
      }
    } catch (IOException e) {
      assertThat(e).hasMessageContaining("No space left");
    }
  }

  /** Stands for JVMs that have no such command at all. */
  @Test
  void aJvmWithoutDiagnosticCommandsSaysSoOnce() throws Exception {
    Path log = places.logDirectory().resolve("gc.log");
    String[] limited = {"--limit-modules", "java.se"};
    try (Served served = Served.start(places, log, places.spool(), limited)) {
      served.tell("warned cannot have the JVM write its log").tell("collect 5");
      assertThat(served.endAnyhow())
          .containsOnlyOnce("problem ")
          .contains("This needs HotSpot with the module jdk.management");
    }
    assertThat(log).doesNotExist();
    try (var left = Files.list(places.spool())) {
      assertThat(left.filter(Files::isDirectory)).isEmpty();
    }
  }
}
