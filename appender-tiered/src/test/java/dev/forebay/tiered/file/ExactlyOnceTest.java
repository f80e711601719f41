package dev.forebay.tiered.file;

import static org.assertj.core.api.Assertions.assertThat;

import dev.forebay.tiered.disk.FaultyDisk;
import dev.forebay.tiered.spool.Spool;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * The same scenario again and again, each time with another of its calls to the file system
 * failing: a spool of a dead process that was shipped in part, our own records before and after a
 * roll, the stop. With {@code -Dforebay.test.exhaustive=true} there are more records and shorter
 * writes, so that some thousand calls fail in each mode; that takes minutes.
 */
@Tag("once")
class ExactlyOnceTest {

  /** Of so many calls one fails; one is all of them. */
  private static final int STEP = Integer.getInteger("forebay.ship.step", 1);

  private static final boolean EXHAUSTIVE = Boolean.getBoolean("forebay.test.exhaustive");
  private static final int ORPHANED = EXHAUSTIVE ? 12 : 6;
  private static final int OWN = EXHAUSTIVE ? 14 : 6;
  private static final int SHORT_BYTES = EXHAUSTIVE ? 5 : 29;
  private static final long ROLL_BYTES = EXHAUSTIVE ? 250 : 170;

  @TempDir Path directory;

  final FaultyDisk disk = ShippingProcess.watched();

  private ShippingProcess process(Path round) throws IOException {
    return process(round, Files.createDirectories(round.resolve("shm")));
  }

  ShippingProcess process(Path round, Path base) throws IOException {
    FileLog log = new FileLog(disk, Files.createDirectories(round.resolve("log")), ROLL_BYTES);
    return new ShippingProcess(disk, base, log, ShippingProcess.EVERY_SECOND);
  }

  private static List<String> expected() {
    List<String> lines = new ArrayList<>(ShippingProcess.lines("orphaned", ORPHANED));
    lines.addAll(ShippingProcess.lines("own", OWN));
    return lines;
  }

  /** A process that dies with records in the log behind its checkpoint, the last one torn. */
  private void leaveOrphan(Path round) throws IOException {
    ShippingProcess first = process(round);
    Spool spool = first.spool();
    List<String> lines = ShippingProcess.lines("orphaned", ORPHANED);
    ShippingProcess.write(spool, lines.subList(0, 4));
    first.turns(3);
    ShippingProcess.write(spool, lines.subList(4, ORPHANED));
    disk.affecting(path -> path.endsWith("app.log")).limitSpace(60);
    first.turns(1);
    disk.heal();
    first.die();
  }

  /** Writes and ships; whatever fails in the shipper is met again by the next turn. */
  private ShippingProcess second(Path round, boolean inShortWrites, Consumer<FaultyDisk> fault)
      throws IOException {
    leaveOrphan(round);
    ShippingProcess second = process(round);
    Spool own = second.spool();
    List<String> lines = ShippingProcess.lines("own", OWN);
    ShippingProcess.write(own, lines.subList(0, OWN / 2));
    // The writer's own calls are the spool's to test.
    disk.affecting(path -> !path.startsWith(own.path()) || !ShippingProcess.isSegment(path));
    fault.accept(inShortWrites ? disk.limitWrites(SHORT_BYTES) : disk);
    second.turns(2);
    ShippingProcess.write(own, lines.subList(OWN / 2, OWN));
    second.turns(4);
    second.retire(own);
    return second;
  }

  @ParameterizedTest
  @ValueSource(booleans = {false, true})
  void everyRecordArrivesOnceWhicheverCallFailsAndTheShipperGoesOn(boolean inShortWrites)
      throws IOException {
    boolean hit = true;
    for (int n = 1; hit; n += STEP) {
      int nth = n;
      Path round = directory.resolve("round" + n);
      ShippingProcess second =
          second(round, inShortWrites, faulty -> faulty.failOnce(null, nth, new IOException("no")));
      boolean finished = second.stop();
      hit = !disk.hasFaultsAhead();
      disk.heal();

      assertThat(second.records()).as("call %d", n).isEqualTo(expected());
      assertThat(finished).as("call %d", n).isTrue();
      assertThat(second.account.committed).as("committed, call %d", n).isEqualTo(OWN);
      assertThat(second.account.lost).as("lost, call %d", n).isZero();
      assertThat(second.account.warnings).as("call %d", n).noneMatch(w -> w.contains("duplicated"));
      assertSections(round, "call " + n);
    }
  }

  /** Of the files that were rolled: the last one may lack a footer that failed. */
  private static void assertSections(Path round, String call) throws IOException {
    for (int i = 0; Files.exists(round.resolve("log/app.log." + i)); i++) {
      List<String> lines = Files.readAllLines(round.resolve("log/app.log." + i));
      assertThat(lines).as("%s, file %d", call, i).startsWith("<").endsWith(">");
    }
  }

  @ParameterizedTest
  @ValueSource(booleans = {false, true})
  void everyRecordArrivesOnceWhereverTheProcessDies(boolean inShortWrites) throws IOException {
    boolean hit = true;
    for (int n = 1; hit; n += STEP) {
      int nth = n;
      Path round = directory.resolve("round" + n);
      ShippingProcess second =
          second(round, inShortWrites, faulty -> faulty.failFrom(null, nth, IOException::new));
      second.stop();
      hit = !disk.hasFaultsAhead();
      disk.heal();
      second.die();

      ShippingProcess third = process(round).recover();

      assertThat(third.records()).as("call %d", n).isEqualTo(expected());
      assertThat(third.account.warnings).as("call %d", n).noneMatch(w -> w.contains("duplicated"));
      assertThat(second.account.committed).as("committed, call %d", n).isLessThanOrEqualTo(OWN);
    }
  }

  @Test
  void everyRecordArrivesOnceWhenItsRecoveryDiesTooWhereverThatIs() throws IOException {
    boolean hit = true;
    for (int n = 1; hit; n += STEP) {
      Path round = directory.resolve("round" + n);
      ShippingProcess second =
          second(round, false, faulty -> faulty.failFrom(FaultyDisk.Op.WRITE, 9, IOException::new));
      second.stop();
      disk.heal();
      second.die();

      ShippingProcess third = process(round);
      Spool empty = third.spool();
      disk.limitWrites(SHORT_BYTES).failFrom(null, n, IOException::new);
      third.turns(3);
      third.retire(empty);
      third.stop();
      hit = !disk.hasFaultsAhead();
      disk.heal();
      third.die();

      ShippingProcess fourth = process(round).recover();

      assertThat(fourth.records()).as("call %d", n).isEqualTo(expected());
      assertThat(fourth.account.warnings).as("call %d", n).noneMatch(w -> w.contains("duplicated"));
    }
  }
}
