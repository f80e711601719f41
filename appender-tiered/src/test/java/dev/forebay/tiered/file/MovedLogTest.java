package dev.forebay.tiered.file;

import static org.assertj.core.api.Assertions.assertThat;

import dev.forebay.tiered.disk.FaultyDisk;
import dev.forebay.tiered.disk.FaultyDisk.Op;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Somebody else renames the log while lines in it are not forced yet. */
@Tag("once")
class MovedLogTest extends ShippingRig {

  MovedLogTest() {
    super(ShippingProcess.watched());
  }

  @BeforeEach
  void appendWithoutForce() throws IOException {
    start(ShippingProcess.EVERY_SECOND, "a", "b");
    assertThat(process.account.reached).isZero();
  }

  private Path move() throws IOException {
    Path moved = directory.resolve("log/app.log.0");
    return Files.move(logFile(), moved);
  }

  /** The log by the name others gave it. */
  private FaultyDisk moved() {
    return disk.affecting(path -> path.endsWith("app.log.0"));
  }

  @Test
  void linesInTheMovedFileAreForcedThereBeforeTheyCount() throws IOException {
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
  void linesOfADeadProcessThatCannotBeForcedInTheMovedFileAreWrittenAgain() throws IOException {
    Path moved = move();
    process.die();
    ShippingProcess next = process();
    moved().failOnce(Op.FORCE, 1, no());
    next.spool();
    next.turns(6);

    assertThat(next.account.failures).hasSize(1);
    assertThat(Files.readAllLines(moved)).containsExactly("<");
    assertThat(next.log.records()).containsExactly("a", "b");
  }

  @Test
  void linesThatCouldNotBeForcedAreCutFromTheMovedFileAndWrittenAgain() throws IOException {
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
}
