package dev.forebay.tiered.file;

import static org.assertj.core.api.Assertions.assertThat;

import dev.forebay.tiered.disk.FaultyDisk;
import dev.forebay.tiered.disk.FaultyDisk.Op;
import dev.forebay.tiered.spool.Spool;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** When the shipper tries again, and what it leaves when its time to stop in is over. */
@Tag("once")
class ShipperFailureTest {

  @TempDir Path directory;

  private final FaultyDisk disk = ShippingProcess.unforced();
  private ShippingProcess process;
  private Spool spool;

  @BeforeEach
  void start() throws IOException {
    process = ShippingProcess.in(directory, disk, ShippingProcess.EVERY_HOUR);
    spool = process.spool();
    process.turns(2);
  }

  private FaultyDisk log() {
    return disk.affecting(path -> path.endsWith("app.log"));
  }

  private void turnsWithoutTime(int count) {
    for (int i = 0; i < count; i++) {
      process.shipper.doWork();
    }
  }

  @Test
  void aFailedWriteIsNotTriedAgainAtOnce() throws IOException {
    ShippingProcess.write(spool, List.of("a"));
    log().failFrom(Op.WRITE, 1, () -> new IOException("no"));
    turnsWithoutTime(5);
    assertThat(process.account.failures).hasSize(1);

    process.pass(20 * ShippingProcess.MS);
    turnsWithoutTime(5);
    assertThat(process.account.failures).hasSize(2);
    process.die();
  }

  @Test
  void aFailedReadIsNotTriedAgainAtOnce() throws IOException {
    ShippingProcess.write(spool, List.of("a"));
    disk.affecting(path -> path.toString().endsWith(".seg"))
        .failFrom(Op.READ, 1, () -> new IOException("no"));
    turnsWithoutTime(5);
    assertThat(process.account.unreadable).hasSize(1);

    process.pass(20 * ShippingProcess.MS);
    turnsWithoutTime(5);
    assertThat(process.account.unreadable).hasSize(2);
    process.die();
  }

  /** Then nothing shows which lines since the checkpoint are in it. */
  @Test
  void aLogWhoseEndStaysUnreadableIsContinuedAfterIt() throws IOException {
    ShippingProcess.write(spool, List.of("a"));
    process.turns(2);
    process.die();
    log().failFrom(Op.READ, 1, () -> new IOException("Input/output error"));
    process = ShippingProcess.in(directory, disk, ShippingProcess.EVERY_SECOND);
    spool = process.spoolOf(List.of("b"));
    process.turns(20);

    assertThat(process.account.failures).hasSize(4).allMatch(e -> e.getMessage().contains("read"));
    assertThat(process.account.warnings)
        .singleElement()
        .asString()
        .contains("cannot be read: java.io.IOException: Input/output error; up to 1 lines");
    assertThat(process.account.recovered).isEqualTo(1);
    assertThat(process.account.committed).isEqualTo(1);
    assertThat(process.log.records())
        .filteredOn(line -> !line.isEmpty())
        .containsExactly("a", "a", "b");
    process.die();
  }

  /** As where a file may only be appended to: no line is missing, and none doubled. */
  @Test
  void aTornLineThatCannotBeCutOffStaysBeforeTheWholeOne() throws IOException {
    ShippingProcess.write(spool, List.of("one", "two"));
    log().limitSpace(4 + 2);
    process.turns(1);
    process.die();
    disk.heal();
    log().failFrom(Op.TRUNCATE, 1, () -> new IOException("only appending"));
    process = ShippingProcess.in(directory, disk, ShippingProcess.EVERY_SECOND);
    process.spool();
    process.turns(20);

    assertThat(process.log.records()).containsExactly("one", "tw", "two");
    assertThat(process.account.recovered).isEqualTo(2);
    assertThat(process.account.warnings)
        .singleElement()
        .asString()
        .contains("cannot be cut back", "only appending");
    process.die();
  }

  @Test
  void afterASuccessTheNextFailureIsTriedAgainSoon() throws IOException {
    ShippingProcess.write(spool, List.of("a"));
    log().failFrom(Op.WRITE, 1, () -> new IOException("no"));
    process.turns(20);
    disk.heal();
    process.turns(4);
    assertThat(process.log.records()).containsExactly("a");

    log().failOnce(Op.WRITE, 1, new IOException("no"));
    ShippingProcess.write(spool, List.of("b"));
    process.shipper.doWork();
    process.pass(20 * ShippingProcess.MS);
    process.shipper.doWork();
    assertThat(process.log.records()).containsExactly("a", "b");
    process.die();
  }

  @Test
  void halfALineIsCutOffWhenTheTimeIsOver() throws IOException {
    List<String> lines = ShippingProcess.lines("own", 3);
    ShippingProcess.write(spool, lines);
    log().limitSpace(12);
    process.turns(1);
    disk.heal();
    process.retire(spool);
    process.shipper.timeOut();

    assertThat(process.shipper.finish()).isTrue();
    process.shipper.onClose();
    assertThat(process.log.records()).isEqualTo(lines.subList(0, 1));

    ShippingProcess next = ShippingProcess.in(directory, disk, ShippingProcess.EVERY_HOUR);
    assertThat(next.recover().log.records()).isEqualTo(lines);
    assertThat(next.account.warnings).isEmpty();
  }

  @Test
  void aSpoolThatIsShippedIsRemovedThoughNoTimeIsLeft() throws IOException {
    ShippingProcess.write(spool, List.of("a"));
    process.shipper.requestCommit();
    process.turns(1);
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
