package dev.forebay.tiered.file;

import static org.assertj.core.api.Assertions.assertThat;

import dev.forebay.tiered.disk.FaultyDisk;
import dev.forebay.tiered.disk.FaultyDisk.Op;
import dev.forebay.tiered.spool.Spool;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Somebody else renames the log while lines in it are not forced yet. */
@Tag("once")
class MovedLogTest {

  @TempDir Path directory;

  private final FaultyDisk disk = ShippingProcess.watched();
  private ShippingProcess process;
  private Spool spool;

  @BeforeEach
  void appendWithoutForce() throws IOException {
    process = process();
    spool = process.spool();
    process.shipper.doWork();
    ShippingProcess.write(spool, List.of("a", "b"));
    process.shipper.doWork();
    assertThat(process.account.reached).isZero();
  }

  private ShippingProcess process() throws IOException {
    return ShippingProcess.in(directory, disk, ShippingProcess.EVERY_SECOND);
  }

  private Path move() throws IOException {
    Path moved = directory.resolve("log/app.log.0");
    return Files.move(directory.resolve("log/app.log"), moved);
  }

  /** The log by the name it was opened with. */
  private FaultyDisk log() {
    return disk.affecting(path -> path.endsWith("app.log"));
  }

  /** The log by the name others gave it. */
  private FaultyDisk moved() {
    return disk.affecting(path -> path.endsWith("app.log.0"));
  }

  @Test
  void linesInTheMovedFileAreForcedThereBeforeTheyCount() throws IOException {
    Path moved = move();
    log().before(Op.FORCE, 1, () -> assertThat(process.account.reached).isZero());
    ShippingProcess.write(spool, List.of("c"));
    process.turns(6);

    assertThat(disk.hasFaultsAhead()).as("never forced").isFalse();
    assertThat(process.account.reached).isEqualTo(3);
    assertThat(Files.readAllLines(moved)).containsExactly("<", "a", "b");
    assertThat(process.log.records()).containsExactly("a", "b", "c");
    process.die();
  }

  @Test
  void linesOfADeadProcessInTheMovedFileAreForcedThereBeforeTheyCount() throws IOException {
    Path moved = move();
    process.die();
    ShippingProcess next = process();
    moved().before(Op.FORCE, 1, () -> assertThat(next.account.recovered).isZero());
    next.spool();
    next.turns(6);

    assertThat(disk.hasFaultsAhead()).as("never forced").isFalse();
    assertThat(next.account.recovered).isEqualTo(2);
    assertThat(Files.readAllLines(moved)).containsExactly("<", "a", "b");
    assertThat(next.log.records()).containsExactly("a", "b");
    next.die();
  }

  @Test
  void linesOfADeadProcessThatCannotBeForcedInTheMovedFileAreWrittenAgain() throws IOException {
    Path moved = move();
    process.die();
    ShippingProcess next = process();
    moved().failOnce(Op.FORCE, 1, new IOException("no"));
    next.spool();
    next.turns(6);

    assertThat(next.account.failures).hasSize(1);
    assertThat(Files.readAllLines(moved)).containsExactly("<");
    assertThat(next.log.records()).containsExactly("a", "b");
    next.die();
  }

  @Test
  void linesThatCouldNotBeForcedAreCutFromTheMovedFileAndWrittenAgain() throws IOException {
    log().failOnce(Op.FORCE, 1, new IOException("no"));
    process.pass(1000 * ShippingProcess.MS);
    process.shipper.doWork();
    assertThat(process.account.failures).hasSize(1);
    Path moved = move();
    moved().before(Op.FORCE, 1, () -> assertThat(moved).hasContent("<"));
    process.turns(6);

    assertThat(disk.hasFaultsAhead()).as("cut, but not for good").isFalse();
    assertThat(Files.readAllLines(moved)).containsExactly("<");
    assertThat(process.log.records()).containsExactly("a", "b");
    assertThat(process.account.reached).isEqualTo(2);
    process.die();
  }

  @Test
  void linesThatCannotBeForcedInTheMovedFileAreWrittenAgain() throws IOException {
    Path moved = move();
    log().failOnce(Op.FORCE, 1, new IOException("no"));
    process.turns(6);

    assertThat(process.account.failures).hasSize(1);
    assertThat(Files.readAllLines(moved)).containsExactly("<");
    assertThat(process.log.records()).containsExactly("a", "b");
    assertThat(process.account.reached).isEqualTo(2);
    process.die();
  }

  @Test
  void halfALineIsCutFromTheMovedFileAndWrittenWholeIntoTheNewOne() throws IOException {
    log().limitSpace(3);
    ShippingProcess.write(spool, List.of("c", "long line"));
    process.shipper.doWork();
    disk.heal();
    Path moved = move();
    process.turns(6);

    assertThat(Files.readString(moved)).isEqualTo("<\na\nb\nc\n");
    assertThat(process.log.records()).containsExactly("a", "b", "c", "long line");
    assertThat(process.account.committed).isEqualTo(4);
    process.die();
  }

  /** Others wrote to the file after our lines, when it had its other name. */
  @Test
  void linesOfADeadProcessBeforeThoseOfOthersInTheMovedFileAreForcedThereBeforeTheyCount()
      throws IOException {
    Path moved = move();
    process.die();
    Files.writeString(moved, "theirs\n", StandardOpenOption.APPEND);
    ShippingProcess next = process();
    moved().before(Op.FORCE, 1, () -> assertThat(next.account.recovered).isZero());
    next.spool();
    next.turns(6);

    assertThat(disk.hasFaultsAhead()).as("never forced").isFalse();
    assertThat(next.account.recovered).isEqualTo(2);
    assertThat(next.log.records()).containsExactly("a", "b", "theirs");
    next.die();
  }
}
