package dev.forebay.tiered.file;

import static org.assertj.core.api.Assertions.assertThat;

import dev.forebay.tiered.disk.FaultyDisk;
import dev.forebay.tiered.disk.FaultyDisk.Op;
import dev.forebay.tiered.disk.Scratch;
import dev.forebay.tiered.spool.Spool;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** How many of the own records are decided: forced to the disk, or lost. */
@Tag("once")
class WatermarkTest {

  @TempDir Path directory;

  private final FaultyDisk disk = ShippingProcess.watched();
  private ShippingProcess process;

  @BeforeEach
  void startProcess() throws IOException {
    process = ShippingProcess.in(directory, disk, ShippingProcess.EVERY_SECOND);
  }

  private FaultyDisk log() {
    return disk.affecting(path -> path.endsWith("app.log"));
  }

  /** A spool of which two records are in the log, and not forced. */
  private Spool copied() throws IOException {
    Spool spool = process.spool();
    process.shipper.doWork();
    ShippingProcess.write(spool, List.of("a", "b"));
    process.shipper.doWork();
    return spool;
  }

  private void remove(Spool spool) throws IOException {
    Scratch.delete(directory.resolve("shm"));
    process.retire(spool);
  }

  @Test
  void movesOnlyWithTheForce() throws IOException {
    copied();
    assertThat(process.log.records()).containsExactly("a", "b");
    assertThat(process.account.reached).isZero();

    log().failOnce(Op.FORCE, 1, new IOException("no"));
    process.turns(3);
    assertThat(process.account.failures).hasSize(1);
    assertThat(process.account.reached).isZero();

    process.turns(6);
    assertThat(process.account.reached).isEqualTo(2);
    process.die();
  }

  @Test
  void countsOnOverSpoolsAndOverRecordsThatAreLost() throws IOException {
    Spool first = process.spool();
    process.turns(2);
    log().failFrom(Op.FORCE, 1, () -> new IOException("no"));
    ShippingProcess.write(first, List.of("a", "b"));
    first.writer().append(new byte[] {'c', '\n'}, 0, 2, 2);
    process.retire(first);
    process.spoolOf(List.of("d"));
    process.turns(3);
    assertThat(process.account.lost).isEqualTo(1);
    assertThat(process.account.reached).isZero();

    disk.heal();
    process.turns(12);
    assertThat(process.account.reached).isEqualTo(4);
    assertThat(process.log.records()).containsExactly("a", "b", "d");
    process.die();
  }

  @Test
  void knowsNothingOfRecordsOfOthers() throws IOException {
    process.spoolOf(List.of("a", "b"));
    process.die();
    startProcess();
    process.spoolOf(List.of("c"));
    process.turns(6);

    assertThat(process.account.recovered).isEqualTo(2);
    assertThat(process.account.reached).isEqualTo(1);
    process.die();
  }

  /** What is open then can still be read, and progress be saved. */
  @Test
  void recordsThatAreInTheLogAreNotLostBecauseTheSpoolsDirectoryIsGone() throws IOException {
    Spool spool = process.spoolOf(List.of("a"));
    process.turns(3); // it is committed, and there is nothing to do
    ShippingProcess.write(spool, List.of("b"));
    Scratch.delete(process.base);

    process.turns(4);
    process.retire(spool);
    process.turns(2);
    process.stop();
    assertThat(process.records()).containsExactly("a", "b");
    assertThat(process.account.committed).isEqualTo(2);
    assertThat(process.account.lost).isZero();
    assertThat(process.account.failures).isEmpty();
  }

  @Test
  void recordsOfARemovedSpoolThatAreInTheLogAreForcedBeforeTheyCount() throws IOException {
    Spool removed = copied();
    int forces = process.log.forces;
    remove(removed);
    log().before(Op.FORCE, 1, () -> assertThat(process.account.reached).isZero());
    process.turns(6);

    assertThat(process.account.committed).isEqualTo(2);
    assertThat(process.account.reached).isEqualTo(2);
    assertThat(process.log.forces).isGreaterThan(forces);
    process.die();
  }

  @Test
  void recordsOfARemovedSpoolThatCannotBeForcedAreLost() throws IOException {
    Spool removed = copied();
    remove(removed);
    log().failFrom(Op.FORCE, 1, () -> new IOException("no"));
    process.turns(8);

    assertThat(process.account.committed).isZero();
    assertThat(process.account.lost).isEqualTo(2);
    process.die();
  }

  @Test
  void recordsOfASpoolThatIsRemovedWhileTheAppenderStopsAreForcedBeforeTheyCount()
      throws IOException {
    Spool removed = copied();
    remove(removed);
    log().failFrom(Op.FORCE, 1, () -> new IOException("no"));
    process.shipper.onClose();

    assertThat(process.account.committed).isZero();
    assertThat(process.account.lost).isEqualTo(2);
    assertThat(process.account.failures).singleElement().asString().contains("no");
  }

  /** The log could not be opened, so that nothing of it was ever begun. */
  @Test
  void recordsOfASpoolThatIsRemovedBeforeItIsBegunAreLostWhenTheAppenderStops() throws IOException {
    Spool removed = process.spoolOf(List.of("a", "b"));
    log().failFrom(Op.OPEN, 1, () -> new IOException("no"));
    process.turns(1);
    remove(removed);
    process.shipper.onClose();

    assertThat(process.account.lost).isEqualTo(2);
    assertThat(process.account.reached).isEqualTo(2);
  }

  @Test
  void recordsOfASpoolThatCannotBeLookedAtWhenTheAppenderStopsAreLeftAndAFailureIsReported()
      throws IOException {
    Spool left = process.spoolOf(List.of("a", "b"));
    log().failFrom(Op.OPEN, 1, () -> new IOException("no"));
    process.turns(1);
    process.retire(left);
    disk.heal();
    disk.affecting(path -> path.equals(left.path()))
        .failFrom(Op.STAT, 1, () -> new IOException("not seen"));
    process.shipper.onClose();

    assertThat(process.account.lost).isZero();
    assertThat(process.account.failures).last().asString().contains("not seen");
    disk.heal();
    assertThat(ShippingProcess.in(directory, disk, ShippingProcess.EVERY_SECOND).recover())
        .satisfies(next -> assertThat(next.log.records()).containsExactly("a", "b"));
  }

  @Test
  void recordsOfASpoolInTheHeapThatCannotBeForcedAtTheStopAreLost() throws IOException {
    Spool heap = process.heapSpool();
    ShippingProcess.write(heap, List.of("before"));
    process.turns(3);
    ShippingProcess.write(heap, List.of("a", "b"));
    process.shipper.doWork();
    assertThat(process.log.records()).containsExactly("before", "a", "b");
    log().failFrom(Op.FORCE, 1, () -> new IOException("no"));
    process.retire(heap);
    process.shipper.onClose();

    assertThat(process.account.committed).isEqualTo(1);
    assertThat(process.account.lost).isEqualTo(2);
    assertThat(process.account.failures).isNotEmpty();
    assertThat(process.account.warnings).as("none was left in the heap").isEmpty();
  }
}
