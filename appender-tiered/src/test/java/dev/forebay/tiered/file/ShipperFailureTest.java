package dev.forebay.tiered.file;

import static org.assertj.core.api.Assertions.assertThat;

import dev.forebay.tiered.disk.FaultyDisk.Op;
import java.io.IOException;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** When the shipper tries again, and what it leaves when its time to stop in is over. */
@Tag("once")
class ShipperFailureTest extends ShippingRig {

  @BeforeEach
  void start() throws IOException {
    start(ShippingProcess.EVERY_HOUR);
  }

  private void turnsWithoutTime(int count) {
    for (int i = 0; i < count; i++) {
      process.shipper.doWork();
    }
  }

  @Test
  void aFailureIsNotTriedAgainAtOnceButSoonAfterASuccess() throws IOException {
    write("a");
    log().failFrom(Op.WRITE, 1, ShippingRig::no);
    turnsWithoutTime(5);
    assertThat(process.account.failures).hasSize(1);
    process.pass(20 * MS);
    turnsWithoutTime(5);
    assertThat(process.account.failures).hasSize(2);
    process.turns(20);
    disk.heal();
    process.turns(4);
    assertThat(process.log.records()).containsExactly("a");

    log().failOnce(Op.WRITE, 1, no());
    write("b");
    process.shipper.doWork();
    process.pass(20 * MS);
    process.shipper.doWork();
    assertThat(process.log.records()).containsExactly("a", "b");
  }

  /**
   * Nothing shows which lines are in it, and whether the last one is torn: an empty one follows.
   */
  @Test
  void aLogWhoseEndStaysUnreadableIsContinuedAfterIt() throws IOException {
    write("a");
    process.turns(2);
    process.die();
    log().failFrom(Op.READ, 1, () -> new IOException("Input/output error"));
    process = process();
    process.spoolOf(List.of("b"));
    process.turns(20);

    assertThat(process.account.failures).hasSize(4).allMatch(e -> e.getMessage().contains("read"));
    assertThat(process.account.warnings)
        .singleElement()
        .asString()
        .contains("cannot be read: java.io.IOException: Input/output error; up to 1 lines");
    assertThat(process.account.recovered).isEqualTo(1);
    assertThat(process.account.committed).isEqualTo(1);
    assertThat(process.log.records()).containsExactly("a", "", "a", "b");
  }

  /** As where a file may only be appended to: no line is missing, and none doubled. */
  @Test
  void aTornLineThatCannotBeCutOffStaysBeforeTheWholeOne() throws IOException {
    write("one", "two");
    log().limitSpace(4 + 2);
    process.turns(1);
    process.die();
    disk.heal();
    log().failFrom(Op.TRUNCATE, 1, () -> new IOException("only appending"));
    process = process();
    process.spool();
    process.turns(20);

    assertThat(process.log.records()).containsExactly("one", "tw", "two");
    assertThat(process.account.recovered).isEqualTo(2);
    assertThat(process.account.warnings)
        .singleElement()
        .asString()
        .contains("cannot be cut back", "only appending");
  }

  @Test
  void halfALineIsCutOffWhenTheTimeIsOver() throws IOException {
    List<String> lines = lines("own", 3);
    ShippingProcess.write(spool, lines);
    log().limitSpace(12);
    process.turns(1);
    disk.heal();
    process.retire(spool);
    process.shipper.timeOut();
    assertThat(process.shipper.finish()).isTrue();
    process.shipper.onClose();
    assertThat(process.log.records()).isEqualTo(lines.subList(0, 1));

    ShippingProcess next = process().recover();
    assertThat(next.log.records()).isEqualTo(lines);
    assertThat(next.account.warnings).isEmpty();
  }

  @Test
  void aSpoolThatIsShippedIsRemovedThoughNoTimeIsLeft() throws IOException {
    write("a");
    commit();
    process.retire(spool);
    process.shipper.onClose();

    assertThat(spool.path().getParent()).doesNotExist();
  }

  @Test
  void aFooterThatCannotBeWrittenIsReported() throws IOException {
    process.retire(spool);
    log().failFrom(Op.WRITE, 1, () -> new IOException("no footer"));
    assertThat(process.stop()).isTrue();

    assertThat(process.account.failures).singleElement().asString().contains("no footer");
    assertThat(LogUnderTest.isOpen(process.log)).isFalse();
  }
}
