package dev.forebay.tiered.flight;

import static org.assertj.core.api.Assertions.assertThat;

import ch.qos.logback.classic.Level;
import dev.forebay.agent.Agent;
import dev.forebay.tiered.disk.FaultyDisk;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
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
  @TempDir Path others;
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
    rig.leaveLoop();
    rig.disk.affecting(path -> path.toString().endsWith(".part"));
    rig.disk.failFrom(FaultyDisk.Op.WRITE, 1, () -> new IOException("No space left on device"));
    rig.work();
    rig.nowNs += 60 * TurnsRig.SECOND;
    rig.work();
    assertThat(rig.dumps()).isEmpty();
    assertThat(rig.unfinished()).isEmpty();
    assertThat(rig.warnings).singleElement().asString().contains("No space left", "it stays there");
    rig.disk.heal();
    rig.nowNs += 60 * TurnsRig.SECOND;
    rig.work();
    assertThat(rig.events(0)).containsExactly("dead");
  }

  @Test
  void whatAKilledProcessHadNotFinishedGoesWithItsLoopAndANeighboursStays() throws Exception {
    TurnsRig neighbour = new TurnsRig(others, logs); // in another container, with the same log
    neighbour.turnOf(Level.ERROR, "neighbour");
    neighbour.work();
    List<Path> neighbours = rig.unfinished();
    assertThat(neighbours).hasSize(1);
    rig.turnOf(Level.ERROR, "error");
    rig.work();
    assertThat(rig.unfinished()).hasSize(2);
    rig.kill();

    rig.begin(TurnsRig.settings(null));
    rig.work();

    assertThat(rig.unfinished()).isEqualTo(neighbours);
    assertThat(rig.dumps()).singleElement().asString().contains(".crash-");
    neighbour.requireNothingLeft();
    assertThat(rig.unfinished()).isEmpty();
    assertThat(rig.dumps()).hasSize(2);
  }

  @Test
  void whatAKilledProcessHadNotFinishedGoesAlsoIfItWantsNoDump() throws Exception {
    rig.namesLog = false;
    rig.turnOf(Level.ERROR, "error");
    rig.work();
    assertThat(rig.unfinished()).hasSize(1);
    rig.kill();

    rig.begin(TurnsRig.settings(null));
    rig.work();

    assertThat(rig.unfinished()).isEmpty();
    assertThat(rig.dumps()).isEmpty();
  }

  @Test
  void anUnfinishedDumpOfADeadProcessGoesWithTheNextOneOfIt() throws Exception {
    rig.leaveLargeLoop();
    rig.dumper.doWork();
    rig.disk.affecting(path -> path.toString().endsWith(".part"));
    rig.disk.failFrom(FaultyDisk.Op.DELETE, 1, () -> new IOException("Input/output error"));
    rig.close();
    assertThat(rig.unfinished()).as("as if it was killed").hasSize(1);
    rig.disk.heal();

    rig.begin(TurnsRig.settings(null));
    rig.work();

    assertThat(rig.unfinished()).isEmpty();
    assertThat(rig.dumps()).singleElement().asString().contains(".crash-");
  }

  @Test
  void aNeighbourThatTakesANameAtTheLastMomentKeepsItsDump() throws Exception {
    TurnsRig neighbour = new TurnsRig(others, logs);
    for (TurnsRig one : List.of(rig, neighbour)) {
      one.turnOf(Level.ERROR, "error");
      one.pass(1);
    }
    rig.disk.before(FaultyDisk.Op.MOVE, 1, () -> makeDumpOf(neighbour));
    rig.disk.before(FaultyDisk.Op.LINK, 1, () -> makeDumpOf(neighbour));
    rig.work();
    assertThat(rig.dumps()).hasSize(2);
    assertThat(rig.unfinished()).isEmpty();
    assertThat(rig.warnings).isEmpty();
    neighbour.requireNothingLeft();
  }

  @Test
  void whereNothingCanBeLinkedDumpsAreMoved() throws Exception {
    TurnsRig neighbour = new TurnsRig(others, logs);
    for (TurnsRig one : List.of(rig, neighbour)) {
      one.disk.failFrom(FaultyDisk.Op.LINK, 1, () -> new IOException("Operation not permitted"));
      one.turnOf(Level.ERROR, "error");
      one.pass(1);
      one.work();
    }
    assertThat(rig.dumps()).hasSize(2);
    assertThat(rig.unfinished()).isEmpty();
    assertThat(rig.warnings).isEmpty();
    neighbour.requireNothingLeft();
  }

  @Test
  void anUnfinishedDumpWhoseLoopIsGoneIsDeletedAfterADay() throws Exception {
    Path left = logs.resolve(".app.flight.0123456789abcdef0123456789abcdef.dump.part");
    Path neighbours = logs.resolve(".app.flight.1123456789abcdef0123456789abcdef.dump.part");
    Path other = logs.resolve(".app.flight.mine.part");
    Path nameless = logs.resolve(".dump.part");
    for (Path path : List.of(left, neighbours, other, nameless)) {
      Files.createFile(path);
      Files.setLastModifiedTime(path, FileTime.fromMillis(rig.nowMs()));
    }
    rig.turn("one");
    rig.work();
    rig.nowNs += 20 * 3600 * TurnsRig.SECOND;
    Files.setLastModifiedTime(neighbours, FileTime.fromMillis(rig.nowMs()));
    rig.work();
    assertThat(left).exists();
    rig.nowNs += 20 * 3600 * TurnsRig.SECOND;
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

  private static void makeDumpOf(TurnsRig other) {
    try {
      other.work();
    } catch (Exception e) {
      throw new AssertionError(e);
    }
  }
}
