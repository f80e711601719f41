package dev.forebay.tiered.flight;

import static org.assertj.core.api.Assertions.assertThat;

import ch.qos.logback.classic.Level;
import dev.forebay.agent.Agent;
import dev.forebay.tiered.disk.FaultyDisk;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.time.Instant;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What becomes of the loops that dead processes, and stops without time, have left. */
@Tag("once")
class DeadLoopsTest {
  @TempDir Path base;
  @TempDir Path logs;
  private TurnsRig rig;

  @BeforeEach
  void create() throws IOException {
    rig = new TurnsRig(base, logs);
  }

  @AfterEach
  void nothingIsLeft() throws Exception {
    rig.requireNothingLeft();
  }

  @Test
  void whatADeadProcessRecordedIsDumpedOnceAndDeleted() throws Exception {
    rig.turn("one", "two");
    rig.leaveLoop(true);
    rig.work();
    assertThat(rig.dumps()).singleElement().asString().contains(".crash-");
    assertThat(rig.events(0)).containsExactly("dead");
    rig.nowNs += 3600 * TurnsRig.SECOND;
    rig.work();
    assertThat(rig.dumps()).hasSize(1);
  }

  @Test
  void aLoopWhoseProcessWantsNoDumpIsDeleted() throws Exception {
    rig.leaveLoop(false);
    rig.work();
    assertThat(rig.dumps()).isEmpty();
    assertThat(rig.directory.loops()).isEmpty();
  }

  @Test
  void theDumpOfADeadProcessLetsTheShipperHaveTurns() throws Exception {
    rig.leaveLargeLoop();
    assertThat(rig.dumper.doWork()).isEqualTo(Agent.MORE);
    assertThat(rig.dumps()).as("in one turn").isEmpty();
    assertThat(rig.dumper.sleepNs(rig.nowNs)).isZero();
    rig.turnOf(Level.ERROR, "error"); // ordered meanwhile
    rig.pass(1);
    rig.work();
    assertThat(rig.dumps()).hasSize(2);
    int crash = rig.dumps().get(0).toString().contains(".crash-") ? 0 : 1;
    assertThat(rig.events(crash).size()).isEqualTo(10);
    assertThat(rig.events(1 - crash)).containsExactly("error");
  }

  @Test
  void aStopLeavesTheDumpOfADeadProcessToTheNextStart() throws Exception {
    rig.leaveLargeLoop();
    rig.dumper.doWork();
    rig.turnOf(Level.ERROR, "error");
    rig.close();
    assertThat(rig.dumps()).singleElement().asString().contains(".ERROR.");
    rig.begin(TurnsRig.settings(null));
    rig.work();
    assertThat(rig.dumps()).hasSize(2);
    try (Stream<Path> files = Files.list(rig.logs)) {
      assertThat(files).as("with unfinished ones").hasSize(2);
    }
  }

  @Test
  void aDeadLoopThatCannotBeDumpedIsTriedAgain() throws Exception {
    rig.leaveLoop(true);
    rig.disk.affecting(path -> path.toString().endsWith(".part"));
    rig.disk.failFrom(FaultyDisk.Op.WRITE, 1, () -> new IOException("No space left on device"));
    rig.work();
    rig.nowNs += 60 * TurnsRig.SECOND;
    rig.work();
    assertThat(rig.dumps()).isEmpty();
    assertThat(rig.warnings).singleElement().asString().contains("No space left", "it stays there");
    rig.disk.heal();
    rig.nowNs += 60 * TurnsRig.SECOND;
    rig.work();
    assertThat(rig.events(0)).containsExactly("dead");
  }

  @Test
  void anUnfinishedDumpIsDeletedAfterADayAndNotWhileANeighbourMayBeWritingIt() throws Exception {
    Path left = logs.resolve(".app.flight.20200101T000000.000Z.ERROR.dump.part");
    Path neighbours = logs.resolve(".app.flight.20231114T221000.000Z.ERROR.dump.part");
    Path other = logs.resolve(".app.flight.mine.part");
    Path nameless = logs.resolve(".part");
    for (Path path : List.of(left, neighbours, other, nameless)) {
      Files.createFile(path);
      Files.setLastModifiedTime(path, FileTime.fromMillis(0));
    }
    Files.setLastModifiedTime(neighbours, FileTime.from(Instant.now()));
    rig.turnOf(Level.ERROR, "error");
    rig.pass(1);
    rig.work();
    assertThat(left).doesNotExist();
    assertThat(neighbours).exists();
    assertThat(other).exists();
    assertThat(nameless).exists();
    assertThat(rig.warnings).isEmpty();
  }

  @Test
  void aStopThatHasNoTimeLeavesTheLoopToTheNextStart() throws Exception {
    rig.turn("one");
    rig.turnOf(Level.ERROR, "error");
    rig.recorder.prepareForEnd();
    assertThat(rig.recorder.owesDumps()).isTrue();
    rig.recorder.close();
    rig.dumper.onClose();
    rig.isClosed = true;
    assertThat(rig.dumps()).isEmpty();
    assertThat(rig.ledger.snapshot().expired()).as("for this start").isEqualTo(1);
    rig.begin(TurnsRig.settings(null));
    rig.work();
    assertThat(rig.events(0)).containsExactly("one", "error");
  }

  @Test
  void logsWithSimilarNamesKeepTheirDumpsApart() throws Exception {
    Dumps dots = new Dumps(rig.disk, Path.of("/var/log/app.gc.log"));
    Dumps hyphen = new Dumps(rig.disk, Path.of("/var/log/app-gc.log"));

    String dump = dots.dump(0, "ERROR", 1).getFileName().toString();

    assertThat(dots.kind(dump)).isEqualTo("ERROR");
    assertThat(hyphen.kind(dump)).isNull();
    assertThat(hyphen.dump(0, "ERROR", 1).getFileName())
        .hasToString("app-gc.flight.19700101T000000.000Z.ERROR.dump");
  }
}
