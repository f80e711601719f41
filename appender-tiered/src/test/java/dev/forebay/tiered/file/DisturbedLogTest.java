package dev.forebay.tiered.file;

import static dev.forebay.tiered.file.ShippingProcess.EVERY_HOUR;
import static dev.forebay.tiered.file.ShippingProcess.EVERY_SECOND;
import static org.assertj.core.api.Assertions.assertThat;

import dev.forebay.tiered.disk.FaultyDisk;
import dev.forebay.tiered.disk.FaultyDisk.Op;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** A log that others move, truncate, remove or write to. */
@Tag("once")
class DisturbedLogTest extends ShippingRig {

  DisturbedLogTest() {
    super(ShippingProcess.watched());
  }

  private void shipAndSettle(String record) throws IOException {
    write(record);
    process.turns(4);
    commit();
    assertThat(process.account.failures).isEmpty();
  }

  private void writeAsOthers() {
    try {
      Files.writeString(logFile(), "theirs\n", StandardOpenOption.APPEND);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  @Test
  void linesOfOthersBehindADeadProcessDoubleNothing() throws IOException {
    start(EVERY_HOUR, "a", "b");
    process.die();
    writeAsOthers();
    start(EVERY_HOUR);
    shipAndSettle("c");

    assertThat(process.log.records()).containsExactly("a", "b", "theirs", "c");
    assertThat(process.account.recovered).isEqualTo(2);
  }

  /** As an editor saves it. */
  @Test
  void aCopyThatReplacesTheLogDoublesNothing() throws IOException {
    start(EVERY_HOUR, "a", "b");
    Path copy = Files.copy(logFile(), directory.resolve("log/copy"));
    write("c");
    process.shipper.doWork();
    Files.move(copy, logFile(), StandardCopyOption.REPLACE_EXISTING);
    shipAndSettle("d");

    assertThat(process.log.records()).containsExactly("a", "b", "c", "d");
    assertThat(process.account.committed).isEqualTo(4);
  }

  /** While nobody ships. */
  private ShippingProcess recoverFromACopy() throws IOException {
    process.die();
    Path copy = Files.copy(logFile(), directory.resolve("log/copy"));
    Files.move(copy, logFile(), StandardCopyOption.REPLACE_EXISTING);
    return process().recover();
  }

  @Test
  void aCopyThatReplacesTheLogIsKnownByTheLinesThatAreCommitted() throws IOException {
    start(EVERY_SECOND, "a", "b");
    commit();
    ShippingProcess next = recoverFromACopy();

    assertThat(next.account.warnings).isEmpty();
    assertThat(next.log.records()).containsExactly("a", "b");
  }

  /** After an unclean stop: only what the spool still holds can be written again. */
  @ParameterizedTest
  @ValueSource(booleans = {true, false})
  void aLogThatIsGoneIsSaidToBeWrittenAgainOnlyAsFarAsItIs(boolean isCommitted) throws IOException {
    start(EVERY_HOUR, "a", "b");
    if (isCommitted) {
      commit();
    }
    process.die();
    ShippingProcess next = process();
    try (FileChannel open = FileChannel.open(logFile())) { // the next file gets another inode
      Files.delete(logFile());
      next.recover();
      assertThat(open.size()).isPositive();
    }

    assertThat(next.account.warnings)
        .singleElement()
        .asString()
        .contains("is gone")
        .contains(
            isCommitted
                ? "not written again"
                : "up to 2 of its lines are still in the spool and are written again");
    assertThat(next.log.records()).isEqualTo(isCommitted ? List.of() : List.of("a", "b"));
  }

  /** The bytes before the checkpoint tell, or that there are fewer of them. */
  @ParameterizedTest
  @CsvSource({
    "theirs, the bytes before offset 6 have changed",
    "the, 'it has 3 bytes, the checkpoint says at least 6'"
  })
  void aLogThatOthersOverwroteWhileNobodyShippedIsSaidToBeChanged(String theirs, String how)
      throws IOException {
    start(EVERY_SECOND, "a", "b");
    commit();
    assertThat(process.account.committed).isEqualTo(2);
    process.die();
    Files.writeString(logFile(), theirs, StandardOpenOption.TRUNCATE_EXISTING);
    ShippingProcess next = process().recover();

    assertThat(next.account.warnings).singleElement().asString().contains(how);
  }

  private Path move() throws IOException {
    Path moved = directory.resolve("log/app.log.0");
    return Files.move(logFile(), moved);
  }

  private FaultyDisk moved() {
    return disk.affecting(path -> path.endsWith("app.log.0"));
  }

  @Test
  void linesInTheMovedFileAreForcedThereBeforeTheyCount() throws IOException {
    start(EVERY_SECOND, "a", "b");
    Path moved = move();
    log().before(Op.FORCE, 1, () -> assertThat(process.account.reached).isZero());
    write("c");
    process.turns(6);

    assertThat(disk.hasFaultsAhead()).as("never forced").isFalse();
    assertThat(process.account.reached).isEqualTo(3);
    assertThat(Files.readAllLines(moved)).containsExactly("<", "a", "b");
    assertThat(process.log.records()).containsExactly("a", "b", "c");
  }

  /** Others may have written to the file after our lines, when it had its other name. */
  @ParameterizedTest
  @ValueSource(strings = {"", "theirs\n"})
  void linesOfADeadProcessInTheMovedFileAreForcedThereBeforeTheyCount(String theirs)
      throws IOException {
    start(EVERY_SECOND, "a", "b");
    Path moved = move();
    process.die();
    Files.writeString(moved, theirs, StandardOpenOption.APPEND);
    ShippingProcess next = process();
    moved().before(Op.FORCE, 1, () -> assertThat(next.account.recovered).isZero());
    next.spool();
    next.turns(6);

    assertThat(disk.hasFaultsAhead()).as("never forced").isFalse();
    assertThat(next.account.recovered).isEqualTo(2);
    assertThat(Files.readString(moved)).isEqualTo("<\na\nb\n" + theirs);
    assertThat(next.log.records()).startsWith("a", "b").hasSize(theirs.isEmpty() ? 2 : 3);
  }

  @Test
  void linesThatCouldNotBeForcedAreCutFromTheMovedFileAndWrittenAgain() throws IOException {
    start(EVERY_SECOND, "a", "b");
    log().failOnce(Op.FORCE, 1, no());
    process.pass(1000 * MS);
    process.shipper.doWork();
    assertThat(process.account.failures).hasSize(1);
    Path moved = move();
    moved().before(Op.FORCE, 1, () -> assertThat(moved).hasContent("<"));
    process.turns(6);

    assertThat(disk.hasFaultsAhead()).as("cut, but not for good").isFalse();
    assertThat(Files.readAllLines(moved)).containsExactly("<");
    assertThat(process.log.records()).containsExactly("a", "b");
    assertThat(process.account.reached).isEqualTo(2);
  }

  @Test
  void halfALineIsCutFromTheMovedFileAndWrittenWholeIntoTheNewOne() throws IOException {
    start(EVERY_SECOND, "a", "b");
    log().limitSpace(3);
    write("c", "long line");
    process.shipper.doWork();
    disk.heal();
    Path moved = move();
    process.turns(6);

    assertThat(Files.readString(moved)).isEqualTo("<\na\nb\nc\n");
    assertThat(process.log.records()).containsExactly("a", "b", "c", "long line");
    assertThat(process.account.committed).isEqualTo(4);
  }

  private static List<String> ours(ShippingProcess of) {
    return of.log.records().stream().filter(line -> !line.equals("theirs")).toList();
  }

  private List<String> shipTen() throws IOException {
    List<String> all = new ArrayList<>();
    for (int i = 0; i < 10; i++) {
      List<String> lines = lines("own" + i, 20);
      ShippingProcess.write(spool, lines);
      all.addAll(lines);
      process.turns(1);
    }
    return all;
  }

  /** Before we look at the log, or between the look and the write. */
  @ParameterizedTest
  @ValueSource(booleans = {true, false})
  void othersWhoAppendAllTheTimeHoldUpNothingAndCostNoReopening(boolean isBefore)
      throws IOException {
    start(EVERY_SECOND);
    if (isBefore) {
      process.log.beforeLook = this::writeAsOthers;
    } else {
      process.log.afterLook = this::writeAsOthers;
    }
    int opened = log().calls(Op.OPEN);
    List<String> written = shipTen();
    assertThat(disk.calls(Op.OPEN)).isLessThanOrEqualTo(opened + (isBefore ? 0 : 1));
    process.turns(1);

    assertThat(ours(process)).isEqualTo(written);
    assertThat(process.account.committed).isEqualTo(200);
    assertThat(process.account.failures).isEmpty();
    assertThat(process.account.warnings).singleElement().asString().contains("by others");
  }

  /** What was written at a look is committed there: only the batch that followed it is in doubt. */
  @Test
  void othersWhoAppendAllTheTimeDoubleTheLastBatchAtMostAfterAKill() throws IOException {
    start(EVERY_HOUR);
    process.log.afterLook = this::writeAsOthers;
    List<String> written = shipTen();
    process.log.afterLook = () -> {};
    process.die();

    ShippingProcess next = process().recover();

    List<String> ours = ours(next);
    assertThat(ours.subList(0, 200)).isEqualTo(written);
    assertThat(written.subList(180, 200)).containsAll(ours.subList(200, ours.size()));
    assertThat(ours.size()).isLessThanOrEqualTo(220);
    assertThat(next.account.warnings).singleElement().asString().contains("may be duplicated");
  }

  /** A line of theirs stands before our last batch, so that this ends behind where it should. */
  @Test
  void othersWhoAppendLeaveNoDoubtAboutWhatIsCommitted() throws IOException {
    start(EVERY_SECOND);
    ShippingProcess.write(spool, lines("own", 20));
    process.log.afterLook =
        () -> {
          writeAsOthers();
          process.log.afterLook = () -> {};
        };
    process.shipper.requestCommit();
    process.turns(1);
    assertThat(process.account.committed).isEqualTo(20);
    process.die();

    ShippingProcess next = process().recover();

    assertThat(ours(next)).isEqualTo(lines("own", 20));
    assertThat(next.account.warnings).isEmpty();
  }
}
