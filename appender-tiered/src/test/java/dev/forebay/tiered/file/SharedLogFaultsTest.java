package dev.forebay.tiered.file;

import static org.assertj.core.api.Assertions.assertThat;

import dev.forebay.host.FileTree;
import dev.forebay.tiered.disk.FaultyDisk;
import dev.forebay.tiered.ship.ShipAccess;
import dev.forebay.tiered.spool.Spool;
import dev.forebay.tiered.spool.SpoolDirectory;
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
 * Two appenders of one process with one log, after a kill of two others: each time another call to
 * the file system fails, or the process dies there.
 */
@Tag("once")
class SharedLogFaultsTest {

  private static final int LINES = 6;
  private static final long ROLL_BYTES = 250;

  @TempDir Path directory;

  private final FaultyDisk disk = ShippingProcess.watched();
  private final List<Spool> spools = new ArrayList<>();

  private ShippingProcess appender(Path round) throws IOException {
    Path base = Files.createDirectories(round.resolve("shm"));
    FileLog log = new FileLog(disk, Files.createDirectories(round.resolve("log")), ROLL_BYTES);
    ShippingProcess appender = new ShippingProcess(disk, base, log, ShippingProcess.EVERY_SECOND);
    ShipAccess.share(appender.queue, appender.shipper);
    return appender;
  }

  private void run(List<ShippingProcess> both, String name, Consumer<FaultyDisk> fault)
      throws IOException {
    spools.clear();
    for (int one = 0; one < 2; one++) {
      spools.add(both.get(one).spool());
      write(name, one, 0, LINES / 2);
    }
    fault.accept(disk.affecting(path -> !ShippingProcess.isSegment(path)));
    for (int turn = 0; turn < 8; turn++) {
      if (turn == 3) {
        write(name, 0, LINES / 2, LINES);
        write(name, 1, LINES / 2, LINES);
      }
      both.get(0).turns(1);
      both.get(1).turns(1);
    }
    both.get(0).retire(spools.get(0));
    both.get(1).retire(spools.get(1));
  }

  private void write(String name, int one, int from, int to) throws IOException {
    ShippingProcess.write(
        spools.get(one), ShippingProcess.lines(name + one, LINES).subList(from, to));
  }

  /** Each writes so many lines into its first spool. */
  private void spool(List<ShippingProcess> both, int lines) throws IOException {
    for (int one = 0; one < 2; one++) {
      spools.add(both.get(one).spool());
      write("a", one, 0, lines);
    }
  }

  private List<ShippingProcess> start(Path round) throws IOException {
    return List.of(appender(round), appender(round));
  }

  private static void die(List<ShippingProcess> both) {
    both.forEach(ShippingProcess::die);
  }

  private static void requireOnce(ShippingProcess any, String as, String... names) {
    List<String> records = any.records();
    int count = 0;
    for (String name : names) {
      for (int one = 0; one < 2; one++) {
        String prefix = name + one + " ";
        assertThat(records.stream().filter(line -> line.startsWith(prefix)))
            .as("%s, %s", as, prefix)
            .containsExactlyElementsOf(ShippingProcess.lines(name + one, LINES));
        count += LINES;
      }
    }
    assertThat(records).as(as).hasSize(count);
  }

  /** A stop that its disk did not let end in time left records, which come before all new ones. */
  @Test
  void aSuccessorOfOneThatCouldNotEndShipsWhatThatLeavesFirst() throws IOException {
    ShippingProcess first = appender(directory);
    spools.add(first.spool());
    write("a", 0, 0, LINES / 2);
    first.turns(3);
    write("a", 0, LINES / 2, LINES);
    first.retire(spools.get(0));
    first.shipper.timeOut(); // its thread still waits for the disk
    ShippingProcess second = appender(directory);
    spools.add(second.spool());
    write("a", 1, 0, LINES);
    second.turns(3);
    assertThat(first.records()).hasSize(LINES / 2);

    assertThat(first.stop()).isTrue();
    second.turns(6);
    requireOnce(second, "after the first one's end", "a");
    List<String> ofFirst = ShippingProcess.lines("a0", LINES);
    assertThat(second.records().subList(0, LINES)).isEqualTo(ofFirst);
    assertThat(second.stop()).isTrue();
  }

  /** A third position would push out one of theirs. */
  @Test
  void anOrphanFoundWhileBothRunWaitsForOneOfThem() throws IOException {
    List<ShippingProcess> both = start(directory);
    spool(both, LINES);
    turns(both, 6);
    ShippingProcess other =
        ShippingProcess.in(directory, "shm", disk, ShippingProcess.EVERY_SECOND);
    other.spoolOf(ShippingProcess.lines("other", 1));
    other.die();
    turns(both, 40);
    requireOnce(both.get(0), "while both run", "a");
    die(both);

    assertThat(appender(directory).recover().records())
        .hasSize(2 * LINES + 1)
        .containsAll(ShippingProcess.lines("other", 1));
  }

  /** Else the first one lacks its lock where it overflows too, and gives up all. */
  @Test
  void theFirstShipsAlsoFromWhereTheSecondOverflowsTo() throws IOException {
    List<ShippingProcess> both = start(directory);
    spool(both, LINES);
    turns(both, 2);
    overflow(both, 1);
    assertThat(both.get(0).sleepNs()).as("nobody wakes it for that").isZero();
    turns(both, 6);
    write("b", 1, 0, LINES);
    turns(both, 6);
    overflow(both, 0);
    write("b", 0, 0, LINES);
    turns(both, 6);

    requireOnce(both.get(0), "while both run", "a", "b");
    assertThat(both.get(0).account.committed).isEqualTo(2 * LINES);
    assertThat(both.get(1).account.committed).isEqualTo(2 * LINES);
    assertThat(both.get(1).log.forces).isZero();
    both.forEach(one -> assertThat(one.account.warnings).isEmpty());
    both.forEach(one -> assertThat(one.stop()).isTrue());
  }

  private void overflow(List<ShippingProcess> both, int one) throws IOException {
    both.get(one).retire(spools.get(one));
    Path beyond = Files.createDirectories(directory.resolve("beyond"));
    SpoolDirectory there = both.get(one).open(beyond);
    both.get(one).queue.addOverflow(there);
    Spool next = there.createSpool(ShippingProcess.LIMITS);
    both.get(one).queue.add(there, next);
    spools.set(one, next);
  }

  /** It looks for orphans while the checkpoint names a spool of the guest's. */
  @Test
  void theFirstDoesNotTakeTheSecondOnesSpoolForOneItCouldNotTakeOver() throws IOException {
    List<ShippingProcess> both = start(directory);
    spools.add(both.get(0).spool());
    spools.add(both.get(1).spool());
    write("a", 0, 0, 1);
    turns(both, 2);
    write("a", 1, 0, 1);
    turns(both, 20); // a look each 10 s
    write("a", 0, 1, LINES);
    turns(both, 2);

    assertThat(both.get(0).records()).hasSize(1 + LINES);
    both.forEach(one -> assertThat(one.stop()).isTrue());
  }

  /** As one that is alone does: from what is open, with no second look at what is not there. */
  @Test
  void bothShipOnFromADirectoryThatWasDeleted() throws IOException {
    List<ShippingProcess> both = start(directory);
    spool(both, 1);
    turns(both, 4);
    write("a", 0, 1, 2);
    write("a", 1, 1, 2);
    both.get(0).turns(1);
    FileTree.delete(directory.resolve("shm"));
    both.get(1).turns(1);
    turns(both, 6);

    assertThat(both.get(0).records()).hasSize(4);
    for (ShippingProcess one : both) {
      assertThat(one.account.failures).isEmpty();
      assertThat(one.account.warnings).isEmpty();
      assertThat(one.account.lost).isZero();
    }
    assertThat(both.get(1).log.forces).isZero();
  }

  @Test
  void bothSayThatTheLogCannotBeOpened() throws IOException {
    List<ShippingProcess> both = start(directory);
    spool(both, LINES);
    disk.affecting(path -> path.endsWith("app.log")).failFrom(null, 1, () -> new IOException("no"));
    turns(both, 4);
    both.forEach(one -> assertThat(one.account.failures).isNotEmpty());
    disk.heal();
    turns(both, 6);
    requireOnce(both.get(0), "while both run", "a");
    both.forEach(one -> assertThat(one.stop()).isTrue());
  }

  /** Whoever has nothing to ship takes no turn from the other one. */
  @Test
  void aCommitThatIsRequestedIsDoneThoughTheOtherOneLooksAsOften() throws IOException {
    List<ShippingProcess> both = start(directory);
    spools.add(both.get(0).spool());
    spools.add(both.get(1).spool());
    for (int one = 0; one < 2; one++) {
      write("a", one, 0, 1);
      turns(both, 2);
    }
    write("a", 0, 1, 2);
    turns(both, 1);
    both.get(0).shipper.requestCommit();
    turns(both, 1);

    assertThat(both.get(0).account.committed).isEqualTo(2);
    both.forEach(one -> assertThat(one.stop()).isTrue());
  }

  private static void turns(List<ShippingProcess> both, int count) {
    for (int turn = 0; turn < count; turn++) {
      both.forEach(one -> one.turns(1));
    }
  }

  @ParameterizedTest
  @ValueSource(booleans = {false, true})
  void eachRecordArrivesOnceWhicheverCallFailsAndWhicheverStopsFirst(boolean isFirst)
      throws IOException {
    boolean hit = true;
    for (int n = 1; hit; n++) {
      int nth = n;
      Path round = directory.resolve("round" + n);
      List<ShippingProcess> both = start(round);
      run(both, "a", faulty -> faulty.failOnce(null, nth, new IOException("no")));
      boolean finished = both.get(isFirst ? 0 : 1).stop();
      finished &= both.get(isFirst ? 1 : 0).stop();
      hit = !disk.hasFaultsAhead();
      disk.heal();

      String as = "call " + n;
      assertThat(finished).as(as).isTrue();
      requireOnce(both.get(0), as, "a");
      for (ShippingProcess one : both) {
        assertThat(one.account.committed).as(as).isEqualTo(LINES);
        assertThat(one.account.lost).as(as).isZero();
        assertThat(one.account.warnings).as(as).noneMatch(w -> w.contains("duplicated"));
      }
    }
  }

  @Test
  void eachRecordArrivesOnceWhereverTheProcessDiesAndTheNextOne() throws IOException {
    boolean hit = true;
    for (int n = 1; hit; n += 3) {
      int nth = n;
      Path round = directory.resolve("round" + n);
      List<ShippingProcess> first = start(round);
      run(first, "a", faulty -> faulty.failFrom(null, nth, IOException::new));
      first.forEach(ShippingProcess::stop);
      hit = !disk.hasFaultsAhead();
      disk.heal();
      die(first);
      List<ShippingProcess> second = start(round);
      run(second, "b", faulty -> faulty.failFrom(null, 2 * nth, IOException::new));
      second.forEach(ShippingProcess::stop);
      disk.heal();
      die(second);

      ShippingProcess last = appender(round).recover();

      requireOnce(last, "call " + n, "a", "b");
      assertThat(last.account.warnings).as("call %d", n).noneMatch(w -> w.contains("duplicated"));
    }
  }
}
