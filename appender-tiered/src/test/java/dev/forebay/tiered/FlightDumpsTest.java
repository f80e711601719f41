package dev.forebay.tiered;

import static dev.forebay.host.DumpFiles.events;
import static dev.forebay.tiered.FlightRig.LONG;
import static org.assertj.core.api.Assertions.assertThat;

import dev.forebay.host.Await;
import dev.forebay.host.FileTree;
import dev.forebay.tiered.disk.FaultyDisk;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.List;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** The dump files of a flight recorder as configured. */
@Tag("once")
class FlightDumpsTest {

  @AutoClose private final FlightRig rig = FlightRig.create();

  @Test
  void theOldestDumpsAreDeletedAndNoOtherFile() throws Exception {
    Path other =
        Files.createFile(rig.directory.resolve("app.flight.20200101T000000.000Z.MINE.txt"));
    Path link =
        Files.createSymbolicLink(
            rig.directory.resolve("app.flight.20200101T000000.000Z.hand-LINK.dump"),
            Path.of("/dev/null"));
    rig.configure("<after>0</after><maxDumps>2</maxDumps>");
    rig.logger.info("info");
    assertThat(rig.appender.flush(LONG)).isTrue();
    for (int i = 0; i < 5; i++) {
      String reason = "r" + i;
      Await.until("asked", () -> rig.appender.dump(reason));
      Await.until(
          "dumped",
          () -> rig.dumps().stream().anyMatch(path -> path.toString().endsWith(reason + ".dump")));
    }
    Await.until("two are left", () -> rig.dumps().size() == 4);
    assertThat(other).exists();
    assertThat(Files.isSymbolicLink(link)).isTrue();
    assertThat(rig.dumps().get(3).toString()).endsWith("hand-r4.dump");
  }

  @Test
  void aDumpIsForItsOwnerWhateverTheLogIs() throws Exception {
    rig.configure("<after>0</after>");
    rig.logger.info("info");
    assertThat(rig.appender.flush(LONG)).isTrue();
    Files.setPosixFilePermissions(
        rig.directory.resolve("app.log"), PosixFilePermissions.fromString("rw-r--r--"));
    rig.logger.error("error");
    Path dump = rig.awaitDumps(1).get(0);
    assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(dump)))
        .isEqualTo("rw-------");
    for (String glob : List.of("*.log", "*.log*", "app.log*", "*.txt", "*.json*")) {
      assertThat(dump.getFileSystem().getPathMatcher("glob:" + glob).matches(dump.getFileName()))
          .as(glob)
          .isFalse();
    }
  }

  @Test
  void dumpsByHandLeaveTheDumpsOfErrors() throws Exception {
    rig.configure("<after>0</after><minInterval>0</minInterval><maxDumps>3</maxDumps>");
    for (int i = 1; i <= 3; i++) {
      rig.logger.error("error {}", i);
      String written = rig.awaitDumps(i).get(i - 1).toString();
      Await.until("announced", () -> rig.log().stream().anyMatch(line -> line.contains(written)));
    }
    List<Path> ofErrors = rig.dumps();
    for (int i = 0; i < 25; i++) {
      Await.until("asked", () -> rig.appender.dump("ERROR")); // whatever it is called
    }
    rig.context.stop();
    assertThat(rig.dumps()).containsAll(ofErrors).hasSize(6);
  }

  @Test
  void aDumpThatCannotBeWrittenIsAWarnAndTheNextOneIsWritten() throws Exception {
    FaultyDisk disk = Joran.failing(path -> path.toString().endsWith(".part"), FaultyDisk.Op.OPEN);
    rig.configureOn(disk, "", "<after>0</after><minInterval>0</minInterval>");
    rig.logger.info("info");
    rig.logger.error("error");
    Await.until(
        "a WARN",
        () -> rig.problems().stream().anyMatch(text -> text.contains("cannot write a dump")));
    assertThat(rig.appender.flush(LONG)).isTrue();
    assertThat(rig.log()).containsExactly("info", "error");
    assertThat(rig.dumps()).isEmpty();
    disk.heal();
    Await.until("asked", () -> rig.appender.dump("again"));
    assertThat(events(rig.awaitDumps(1).get(0))).startsWith("info", "error");
  }

  @Test
  void aLogInDatedDirectoriesHasItsDumpsAboveThem() throws Exception {
    rig.appender =
        Joran.tiered(
            rig.context,
            """
            <spoolDirectory>%s</spoolDirectory>
            <rollingPolicy class="ch.qos.logback.core.rolling.TimeBasedRollingPolicy">
              <fileNamePattern>%s/%%d{yyyy-MM,aux}/app-%%d.log</fileNamePattern>
            </rollingPolicy>
            <flightRecorder><after>0</after></flightRecorder>
            """
                .formatted(rig.shm, rig.directory));
    rig.logger.error("error");
    Await.until(
        "dumped",
        () ->
            FileTree.files(rig.directory).stream()
                .anyMatch(path -> path.toString().endsWith(".dump")));
  }

  @Test
  void aDumpWithoutAReasonIsWritten() throws Exception {
    rig.configure("<after>0</after>");
    rig.logger.info("info");
    assertThat(rig.appender.flush(LONG)).isTrue();
    Await.until("asked", () -> rig.appender.dump(null));
    assertThat(events(rig.awaitDumps(1).get(0))).contains("info");
  }
}
