package dev.forebay.tiered.file;

import static org.assertj.core.api.Assertions.assertThat;

import dev.forebay.host.FileTree;
import dev.forebay.tiered.disk.FaultyDisk.Op;
import dev.forebay.tiered.disk.HeapDisk;
import dev.forebay.tiered.spool.Spool;
import java.io.IOException;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** How many of the own records are decided: forced to the disk, or lost. */
@Tag("once")
class WatermarkTest extends ShippingRig {

  WatermarkTest() {
    super(ShippingProcess.watched());
  }

  /** A spool of which two records are in the log, and not forced, is removed. */
  private void removeCopied() throws IOException {
    start(ShippingProcess.EVERY_SECOND, "a", "b");
    FileTree.delete(directory.resolve("shm"));
    process.retire(spool);
  }

  @Test
  void countsOnOverSpoolsAndOverRecordsThatAreLost() throws IOException {
    start(ShippingProcess.EVERY_SECOND);
    log().failFrom(Op.FORCE, 1, ShippingRig::no);
    write("a", "b");
    spool.writer().append(new byte[] {'c', '\n'}, 0, 2, 2);
    process.retire(spool);
    process.spoolOf(List.of("d"));
    process.turns(3);
    assertThat(process.account.lost).isEqualTo(1);
    assertThat(process.account.reached).isZero();

    disk.heal();
    process.turns(12);
    assertThat(process.account.reached).isEqualTo(4);
    assertThat(process.log.records()).containsExactly("a", "b", "d");
  }

  /** What is open then can still be read, and progress be saved. */
  @Test
  void recordsThatAreInTheLogAreNotLostBecauseTheSpoolsDirectoryIsGone() throws IOException {
    start(ShippingProcess.EVERY_SECOND, "a");
    process.turnsAwake(3); // it is committed, and there is nothing to do
    write("b");
    FileTree.delete(process.base);

    process.turnsAwake(4);
    process.retire(spool);
    process.turnsAwake(2);
    process.stop();
    assertThat(process.records()).containsExactly("a", "b");
    assertThat(process.account.committed).isEqualTo(2);
    assertThat(process.account.lost).isZero();
    assertThat(process.account.failures).isEmpty();
  }

  @Test
  void recordsOfARemovedSpoolThatAreInTheLogAreForcedBeforeTheyCount() throws IOException {
    removeCopied();
    int forces = process.log.forces;
    log().before(Op.FORCE, 1, () -> assertThat(process.account.reached).isZero());
    process.turns(6);

    assertThat(process.account.committed).isEqualTo(2);
    assertThat(process.account.reached).isEqualTo(2);
    assertThat(process.log.forces).isGreaterThan(forces);
  }

  @ParameterizedTest
  @ValueSource(booleans = {true, false})
  void recordsOfARemovedSpoolThatCannotBeForcedAreLost(boolean isStop) throws IOException {
    removeCopied();
    log().failFrom(Op.FORCE, 1, ShippingRig::no);
    process.turns(isStop ? 0 : 8);
    process.shipper.onClose();

    assertThat(process.account.committed).isZero();
    assertThat(process.account.lost).isEqualTo(2);
    assertThat(process.account.failures).isNotEmpty();
  }

  @Test
  void whatIsInTheHeapWhenTheLogCannotBeWrittenUntilTheEndIsCountedAsLost() throws IOException {
    process = process();
    Spool heap = process.heapSpool();
    ShippingProcess.write(heap, lines("shipped", 5));
    process.turns(3);
    log().failFrom(null, 1, () -> new IOException("No space left on device"));
    ShippingProcess.write(heap, lines("left", 4));
    process.retire(heap);
    process.stop();

    assertThat(process.account.committed).isEqualTo(5);
    assertThat(process.account.lost).isEqualTo(4);
    assertThat(process.account.warnings)
        .singleElement()
        .asString()
        .contains("4 events were spooled in the heap", "they are lost");
    assertThat(process.heapDisk.usableBytes(HeapDisk.ROOT)).isEqualTo(8 << 20);
  }

  @Test
  void whatALateFlusherSpoolsInTheHeapAfterTheStopIsCountedAsLost() throws IOException {
    process = process();
    process.stop();
    Spool heap = process.heapSpool();
    ShippingProcess.write(heap, lines("late", 5));
    process.retire(heap);

    assertThat(process.account.committed).isZero();
    assertThat(process.account.lost).isEqualTo(5);
  }

  @Test
  void recordsOfASpoolInTheHeapThatCannotBeForcedAtTheStopAreLost() throws IOException {
    process = process();
    Spool heap = process.heapSpool();
    ShippingProcess.write(heap, List.of("before"));
    process.turns(3);
    ShippingProcess.write(heap, List.of("a", "b"));
    process.shipper.doWork();
    assertThat(process.log.records()).containsExactly("before", "a", "b");
    log().failFrom(Op.FORCE, 1, ShippingRig::no);
    process.retire(heap);
    process.shipper.onClose();

    assertThat(process.account.committed).isEqualTo(1);
    assertThat(process.account.lost).isEqualTo(2);
    assertThat(process.account.failures).isNotEmpty();
    assertThat(process.account.warnings).as("none was left in the heap").isEmpty();
  }
}
