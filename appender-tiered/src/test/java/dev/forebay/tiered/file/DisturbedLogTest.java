package dev.forebay.tiered.file;

import static dev.forebay.tiered.file.ShippingProcess.EVERY_HOUR;
import static dev.forebay.tiered.file.ShippingProcess.EVERY_SECOND;
import static org.assertj.core.api.Assertions.assertThat;

import dev.forebay.tiered.disk.FaultyDisk;
import dev.forebay.tiered.disk.FaultyDisk.Op;
import dev.forebay.tiered.disk.Scratch;
import dev.forebay.tiered.ship.FsyncPolicy;
import dev.forebay.tiered.spool.Spool;
import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A log that others move, truncate, remove or write to. */
@Tag("once")
class DisturbedLogTest {

  @TempDir Path directory;

  private final FaultyDisk disk = ShippingProcess.unforced();
  private ShippingProcess process;
  private Spool spool;

  /** A process with its log open. */
  private void start(FsyncPolicy fsync) throws IOException {
    process = ShippingProcess.in(directory, disk, fsync);
    spool = process.spool();
    process.turns(2);
  }

  /** A process with these records in its log. */
  private void startWith(FsyncPolicy fsync, String... records) throws IOException {
    start(fsync);
    write(records);
    process.shipper.doWork();
  }

  private void write(String... records) throws IOException {
    ShippingProcess.write(spool, List.of(records));
  }

  /** Ships one more record, and commits it. */
  private void shipAndSettle(String record) throws IOException {
    write(record);
    process.turns(4);
    process.shipper.requestCommit();
    process.turns(1);
    assertThat(process.account.failures).isEmpty();
  }

  private Path log() {
    return directory.resolve("log/app.log");
  }

  /** As a rotation by others does it, to a place where the next start can find it. */
  private void move() throws IOException {
    Files.move(log(), directory.resolve("log/app.log.0"));
  }

  private void truncate() throws IOException {
    Files.write(log(), new byte[0], StandardOpenOption.TRUNCATE_EXISTING);
  }

  private void writeAsOthers() throws IOException {
    Files.writeString(log(), "theirs\n", StandardOpenOption.APPEND);
  }

  @Test
  void aRotatedLogIsContinuedInANewFileWithoutDoubling() throws IOException {
    startWith(EVERY_SECOND, "a", "b");
    move();
    write("c");
    process.turns(4);

    assertThat(process.log.records()).containsExactly("a", "b", "c");
    assertThat(Files.readAllLines(log())).containsExactly("<", "c");
    assertThat(process.account.committed).isEqualTo(3);
    assertThat(process.account.failures).isEmpty();
    process.die();
  }

  @Test
  void aTruncatedOrRemovedLogGetsItsUncommittedRecordsAgainAndAWarning() throws IOException {
    start(EVERY_SECOND);
    write("a");
    process.turns(2);
    write("b");
    process.shipper.requestCommit();
    process.turns(1);
    write("c");
    truncate();
    process.turns(5);
    assertThat(process.log.records()).containsExactly("c");
    assertThat(process.account.warnings).anyMatch(w -> w.contains("changed by others"));

    Files.delete(log());
    write("d");
    process.turns(5);
    assertThat(process.log.records()).containsExactly("d");
    assertThat(process.account.committed).isEqualTo(4);
    process.die();
  }

  /** Copied by others or not: what was written is not written again. */
  @Test
  void aTruncatedLogDoesNotGetAgainWhatWasInIt() throws IOException {
    startWith(EVERY_HOUR, "a");
    truncate();
    shipAndSettle("b");

    assertThat(process.log.records()).containsExactly("b");
    assertThat(process.account.committed).isEqualTo(2);
    assertThat(process.account.warnings).singleElement().asString().contains("by others");
    process.die();
  }

  @Test
  void aLogThatWasMovedOutOfSightIsNotWrittenAgain() throws IOException {
    startWith(EVERY_HOUR, "a");
    Path elsewhere = Files.createDirectory(directory.resolve("elsewhere")).resolve("old");
    Files.move(log(), elsewhere);
    shipAndSettle("b");

    assertThat(Files.readAllLines(elsewhere)).containsExactly("<", "a");
    assertThat(process.log.records()).containsExactly("b");
    assertThat(process.account.committed).isEqualTo(2);
    process.die();
  }

  @Test
  void aMovedLogIsForcedBeforeItIsLeft() throws IOException {
    startWith(EVERY_HOUR, "a");
    List<String> keysForced = process.log.keysForced;
    String key = process.log.position().fileKey();
    keysForced.clear();
    move();
    process.turns(2);

    assertThat(process.log.position().fileKey()).isNotEqualTo(key);
    assertThat(keysForced).startsWith(key);
    process.die();
  }

  @Test
  void whatADeadProcessWroteToALogThatWasThenMovedIsForced() throws IOException {
    startWith(EVERY_HOUR, "a");
    process.die();
    move();
    disk.affecting(path -> path.endsWith("app.log.0"));
    int forces = disk.calls(Op.FORCE);
    start(EVERY_HOUR);
    process.turns(2);

    assertThat(process.log.records()).containsExactly("a");
    assertThat(process.account.recovered).isEqualTo(1);
    assertThat(disk.calls(Op.FORCE)).isEqualTo(forces + 1);
    process.die();
  }

  @Test
  void aRemovedLogGetsItsUncommittedRecordsAgain() throws IOException {
    startWith(EVERY_HOUR, "a");
    Files.delete(log());
    shipAndSettle("b");

    assertThat(process.log.records()).containsExactly("a", "b");
    assertThat(process.account.committed).isEqualTo(2);
    process.die();
  }

  @Test
  void linesOfOthersAmongUncommittedOnesDoubleNothing() throws IOException {
    startWith(EVERY_HOUR, "a");
    writeAsOthers();
    write("b");
    process.turns(3);

    assertThat(process.log.records()).containsExactly("a", "theirs", "b");
    process.die();
  }

  @Test
  void linesOfOthersBehindADeadProcessDoubleNothing() throws IOException {
    startWith(EVERY_HOUR, "a", "b");
    process.die();
    writeAsOthers();
    start(EVERY_HOUR);
    shipAndSettle("c");

    assertThat(process.log.records()).containsExactly("a", "b", "theirs", "c");
    assertThat(process.account.recovered).isEqualTo(2);
    process.die();
  }

  @Test
  void aLineOfOthersBehindHalfALineOfADeadProcessDoublesThatOneOnly() throws IOException {
    startWith(EVERY_HOUR, "a", "beta");
    process.die();
    try (FileChannel end = FileChannel.open(log(), StandardOpenOption.WRITE)) {
      end.truncate(end.size() - "ta\n".length());
    }
    writeAsOthers();
    start(EVERY_HOUR);
    shipAndSettle("c");

    assertThat(process.log.records()).containsExactly("a", "betheirs", "beta", "c");
    process.die();
  }

  /** As an editor saves it. */
  @Test
  void aCopyThatReplacesTheLogDoublesNothing() throws IOException {
    startWith(EVERY_HOUR, "a", "b");
    Path copy = Files.copy(log(), directory.resolve("log/copy"));
    write("c");
    process.shipper.doWork();
    Files.move(copy, log(), StandardCopyOption.REPLACE_EXISTING);
    shipAndSettle("d");

    assertThat(process.log.records()).containsExactly("a", "b", "c", "d");
    assertThat(process.account.committed).isEqualTo(4);
    process.die();
  }

  /** Nothing says that what follows in it is ours. */
  @Test
  void anotherFileThatReplacesTheLogGetsItsUnsettledRecordsAgain() throws IOException {
    startWith(EVERY_HOUR, "a", "b");
    Path other = Files.writeString(directory.resolve("log/other"), "theirs\n");
    Files.move(other, log(), StandardCopyOption.REPLACE_EXISTING);
    shipAndSettle("c");

    assertThat(process.log.records()).containsExactly("theirs", "a", "b", "c");
    assertThat(process.account.warnings).anyMatch(w -> w.contains("is gone"));
    process.die();
  }

  /** The spool is removed while half a record of it ends the log. */
  @Test
  void halfARecordThatOthersWroteBehindIsNotCutOff() throws IOException {
    start(EVERY_HOUR);
    ShippingProcess.write(spool, ShippingProcess.lines("own", 4));
    disk.affecting(path -> path.endsWith("app.log")).limitSpace(40);
    process.turns(1);
    disk.heal();
    process.retire(spool);
    Scratch.delete(spool.path());
    writeAsOthers();
    process.retire(process.spool());
    process.turns(6);

    assertThat(process.account.lost).isPositive();
    assertThat(Files.readString(log())).contains("theirs\n");
    process.die();
  }

  @Test
  void othersWhoKeepWritingAreToldOfOnce() throws IOException {
    start(EVERY_SECOND);
    for (int i = 0; i < 9; i++) {
      writeAsOthers();
      write("a" + i);
      process.turns(3);
    }
    assertThat(process.account.warnings).hasSize(1);

    process.pass(120_000 * ShippingProcess.MS);
    writeAsOthers();
    process.turns(3);
    assertThat(process.account.warnings).hasSize(2);
    assertThat(process.log.records()).hasSize(19);
    process.die();
  }

  @Test
  void linesOfOthersStayWhole() throws IOException {
    start(EVERY_SECOND);
    write("a");
    process.turns(3);
    writeAsOthers();
    write("b");
    process.turns(3);

    assertThat(process.log.records()).containsExactly("a", "theirs", "b");
    process.die();
  }

  /** Behind an unclean stop: only what the spool still holds can be written again. */
  @Test
  void theLogThatIsGoneIsSaidToBeWrittenAgainOnlyAsFarAsItIs() throws IOException {
    startWith(EVERY_SECOND, "a", "b");
    process.turns(3);
    process.die();
    try (FileChannel open = FileChannel.open(log())) { // so that the next file gets another inode
      Files.delete(log());
      start(EVERY_SECOND);
      assertThat(open.size()).isPositive();
    }
    assertThat(process.account.warnings)
        .singleElement()
        .asString()
        .contains("is gone", "not written again");
    assertThat(process.log.records()).isEmpty();
    process.die();
  }

  @Test
  void theLogThatIsGoneIsSaidToBeWrittenAgainWhereItIs() throws IOException {
    startWith(EVERY_HOUR, "a", "b");
    process.die();
    try (FileChannel open = FileChannel.open(log())) { // so that the next file gets another inode
      Files.delete(log());
      start(EVERY_HOUR);
      assertThat(open.size()).isPositive();
    }
    assertThat(process.account.warnings)
        .singleElement()
        .asString()
        .contains("is gone", "up to 2 of its lines are still in the spool and are written again");
    assertThat(process.log.records()).containsExactly("a", "b");
    process.die();
  }

  /** The same file, as long as it was: the bytes before the checkpoint tell. */
  @Test
  void aLogThatOthersOverwroteWhileNobodyShippedIsSaidToBeChanged() throws IOException {
    startWith(EVERY_SECOND, "a", "b");
    process.shipper.requestCommit();
    process.turns(1);
    assertThat(process.account.committed).isEqualTo(2);
    process.die();
    Files.writeString(log(), "theirs", StandardOpenOption.TRUNCATE_EXISTING);

    ShippingProcess next = ShippingProcess.in(directory, disk, EVERY_SECOND).recover();

    assertThat(next.account.warnings)
        .singleElement()
        .asString()
        .contains("changed by others: the bytes before offset 6 have changed");
  }
}
