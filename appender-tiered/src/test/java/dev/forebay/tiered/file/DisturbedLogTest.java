package dev.forebay.tiered.file;

import static dev.forebay.tiered.file.ShippingProcess.EVERY_HOUR;
import static dev.forebay.tiered.file.ShippingProcess.EVERY_SECOND;
import static org.assertj.core.api.Assertions.assertThat;

import dev.forebay.tiered.disk.Scratch;
import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** A log that others move, truncate, remove or write to. */
@Tag("once")
class DisturbedLogTest extends ShippingRig {

  /** Ships one more record, and commits it. */
  private void shipAndSettle(String record) throws IOException {
    write(record);
    process.turns(4);
    commit();
    assertThat(process.account.failures).isEmpty();
  }

  private void truncate() throws IOException {
    Files.write(logFile(), new byte[0], StandardOpenOption.TRUNCATE_EXISTING);
  }

  private void writeAsOthers() throws IOException {
    Files.writeString(logFile(), "theirs\n", StandardOpenOption.APPEND);
  }

  /** Copied by others or not: what was written is not written again. */
  @Test
  void aTruncatedLogDoesNotGetAgainWhatWasInIt() throws IOException {
    start(EVERY_HOUR, "a");
    truncate();
    shipAndSettle("b");

    assertThat(process.log.records()).containsExactly("b");
    assertThat(process.account.committed).isEqualTo(2);
    assertThat(process.account.warnings).singleElement().asString().contains("by others");
  }

  @Test
  void aRemovedLogGetsItsUncommittedRecordsAgain() throws IOException {
    start(EVERY_HOUR, "a");
    Files.delete(logFile());
    shipAndSettle("b");

    assertThat(process.log.records()).containsExactly("a", "b");
    assertThat(process.account.committed).isEqualTo(2);
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

  @Test
  void aLineOfOthersBehindHalfALineOfADeadProcessDoublesThatOneOnly() throws IOException {
    start(EVERY_HOUR, "a", "beta");
    process.die();
    try (FileChannel end = FileChannel.open(logFile(), StandardOpenOption.WRITE)) {
      end.truncate(end.size() - "ta\n".length());
    }
    writeAsOthers();
    start(EVERY_HOUR);
    shipAndSettle("c");

    assertThat(process.log.records()).containsExactly("a", "betheirs", "beta", "c");
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

  /** Nothing says that what follows in it is ours. */
  @Test
  void anotherFileThatReplacesTheLogGetsItsUnsettledRecordsAgain() throws IOException {
    start(EVERY_HOUR, "a", "b");
    Path other = Files.writeString(directory.resolve("log/other"), "theirs\n");
    Files.move(other, logFile(), StandardCopyOption.REPLACE_EXISTING);
    shipAndSettle("c");

    assertThat(process.log.records()).containsExactly("theirs", "a", "b", "c");
    assertThat(process.account.warnings).anyMatch(w -> w.contains("is gone"));
  }

  /** The spool is removed while half a record of it ends the log. */
  @Test
  void halfARecordThatOthersWroteBehindIsNotCutOff() throws IOException {
    start(EVERY_HOUR);
    ShippingProcess.write(spool, lines("own", 4));
    log().limitSpace(40);
    process.turns(1);
    disk.heal();
    process.retire(spool);
    Scratch.delete(spool.path());
    writeAsOthers();
    process.retire(process.spool());
    process.turns(6);

    assertThat(process.account.lost).isPositive();
    assertThat(Files.readString(logFile())).contains("theirs\n");
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

    process.pass(120_000 * MS);
    writeAsOthers();
    process.turns(3);
    assertThat(process.account.warnings).hasSize(2);
    assertThat(process.log.records()).hasSize(19);
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

  @Test
  void aCopyThatReplacesTheLogIsKnownByHalfALine() throws IOException {
    start(EVERY_HOUR);
    log().limitSpace(4);
    write("half a line");
    process.turns(1);
    disk.heal();
    ShippingProcess next = recoverFromACopy();

    assertThat(next.account.warnings).isEmpty();
    assertThat(next.log.records()).containsExactly("half a line");
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
}
