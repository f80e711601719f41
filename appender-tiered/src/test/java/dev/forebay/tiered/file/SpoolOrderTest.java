package dev.forebay.tiered.file;

import static org.assertj.core.api.Assertions.assertThat;

import dev.forebay.tiered.disk.FaultyDisk;
import dev.forebay.tiered.disk.FaultyDisk.Op;
import dev.forebay.tiered.spool.Spool;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Which spool is shipped when, and what becomes of the others meanwhile. */
@Tag("once")
class SpoolOrderTest {

  @TempDir Path directory;

  private final FaultyDisk disk = ShippingProcess.unforced();

  private ShippingProcess process() throws IOException {
    return ShippingProcess.in(directory, disk, ShippingProcess.EVERY_SECOND);
  }

  private static List<String> two(List<String> first, List<String> second) {
    List<String> both = new ArrayList<>(first);
    both.addAll(second);
    return both;
  }

  /** It only spooled, and ends politely while we go on shipping. */
  @Test
  void whatASecondAppenderLeavesIsTakenUpAtTheNextLook() throws IOException {
    ShippingProcess first = process();
    ShippingProcess second = process();
    Spool ofFirst = first.spool();
    first.turns(1);
    Spool ofSecond = second.spoolOf(List.of("second"));
    second.turns(2);
    second.retire(ofSecond);
    second.stop();
    ShippingProcess.write(ofFirst, List.of("first"));
    first.turns(1);
    assertThat(first.log.records()).containsExactly("first");

    first.pass(10_000 * ShippingProcess.MS);
    first.turns(3);

    assertThat(first.log.records()).containsExactly("first", "second");
    first.die();
  }

  /** It ends before the look that would have found what the other left. */
  @Test
  void whatASecondAppenderLeavesIsTakenUpAtTheStopAtTheLatest() throws IOException {
    ShippingProcess first = process();
    ShippingProcess second = process();
    Spool ofFirst = first.spoolOf(List.of("first"));
    first.turns(1);
    Spool ofSecond = second.spoolOf(List.of("second"));
    second.turns(2);
    second.retire(ofSecond);
    assertThat(second.stop()).as("waits for nobody").isTrue();
    first.retire(ofFirst);

    assertThat(first.stop()).isTrue();
    assertThat(first.log.records()).containsExactly("first", "second");
    assertThat(first.account.recovered).isEqualTo(1);
  }

  @Test
  void aSecondShipperWaitsAndTakesOverInOrder() throws IOException {
    ShippingProcess first = process();
    ShippingProcess second = process();
    Spool ofFirst = first.spool();
    Spool ofSecond = second.spool();
    first.turns(1);
    ShippingProcess.write(ofSecond, List.of("second"));
    second.turns(5);
    assertThat(second.account.warnings).hasSize(1);
    assertThat(LogUnderTest.isOpen(second.log)).isFalse();

    ShippingProcess.write(ofFirst, List.of("first"));
    first.die();
    second.turns(8);

    assertThat(second.log.records()).containsExactly("first", "second");
    assertThat(second.account.recovered).isEqualTo(1);
    assertThat(second.account.committed).isEqualTo(1);
    second.die();
  }

  /**
   * The newer of two orphans stands, uncommitted and torn, at the end of the log, because its
   * process had died while we were shipping ours: it goes on before the older one.
   */
  @Test
  void theOrphanWhoseRecordsEndTheLogGoesFirst() throws IOException {
    ShippingProcess first = process();
    ShippingProcess second = process();
    Spool ofFirst = first.spool();
    Spool ofSecond = second.spool();
    ShippingProcess.write(ofFirst, ShippingProcess.lines("first", 3));
    ShippingProcess.write(ofSecond, ShippingProcess.lines("second", 6));
    first.turns(3);
    second.die();
    first.pass(20_000 * ShippingProcess.MS);
    ShippingProcess.write(ofFirst, List.of("left"));
    disk.affecting(path -> path.endsWith("app.log")).limitSpace(70);
    first.turns(2);
    disk.heal();
    first.die();

    ShippingProcess third = process().recover();

    assertThat(third.log.records())
        .isEqualTo(
            two(
                two(ShippingProcess.lines("first", 3), ShippingProcess.lines("second", 6)),
                List.of("left")));
    assertThat(third.account.warnings).isEmpty();
  }

  /** Two others died while we shipped; we die while the second of their spools is shipped. */
  @Test
  void aSpoolThatIsLeftForThoseOfTheDeadGoesOnWhereItWasAlsoAfterACrash() throws IOException {
    ShippingProcess first = process();
    first.spoolOf(ShippingProcess.lines("first", 3));
    first.turns(3);
    ShippingProcess second = process();
    second.spoolOf(ShippingProcess.lines("second", 1));
    second.die();
    ShippingProcess third = process();
    third.spoolOf(ShippingProcess.lines("third", 4));
    third.die();
    first.pass(20_000 * ShippingProcess.MS);
    disk.affecting(path -> path.endsWith("app.log")).limitSpace(40);
    first.turns(3);
    disk.heal();
    assertThat(first.log.records()).hasSizeBetween(5, 7);
    first.die();

    ShippingProcess fourth = process().recover();

    assertThat(fourth.log.records())
        .isEqualTo(
            two(
                two(ShippingProcess.lines("first", 3), ShippingProcess.lines("second", 1)),
                ShippingProcess.lines("third", 4)));
    assertThat(fourth.account.warnings).isEmpty();
  }

  @Test
  void aShippedSpoolIsRenamedBeforeAnythingElseIsShipped() throws IOException {
    ShippingProcess first = process();
    Spool spool = first.spoolOf(List.of("a"));
    first.turns(3);
    first.retire(spool);
    first.spoolOf(List.of("b"));
    disk.affecting(path -> path.equals(spool.path())).failFrom(Op.MOVE, 1, IOException::new);
    first.turns(6);
    assertThat(first.log.records()).containsExactly("a");
    assertThat(first.account.failures)
        .isNotEmpty()
        .allSatisfy(
            failure ->
                assertThat(failure)
                    .hasMessage("cannot remove the spool %s, which is shipped", spool.path()));
    disk.heal();
    first.turns(6);

    assertThat(spool.path()).doesNotExist();
    assertThat(first.log.records()).containsExactly("a", "b");
    first.die();
    assertThat(process().recover().log.records()).containsExactly("a", "b");
  }

  /** A power cut may take a name that was not forced. */
  @Test
  void theNameOfAShippedSpoolIsForcedBeforeAnythingElseIsShipped() throws IOException {
    ShippingProcess process = process();
    Spool spool = process.spoolOf(List.of("a"));
    process.turns(3);
    disk.failOnce(Op.FORCE_DIRECTORY, 1, new IOException("no"));
    process.retire(spool);
    process.spoolOf(List.of("b"));
    process.turns(1);
    assertThat(spool.path()).doesNotExist();
    assertThat(process.account.failures).hasSize(1);
    assertThat(process.log.records()).containsExactly("a");

    process.turns(3);
    assertThat(process.log.records()).containsExactly("a", "b");
    process.die();
  }

  /** The other died and left the memory full; what is noted when we turn to it needs no more. */
  @Test
  void anOrphanThatFillsTheMemoryIsShipped() throws IOException {
    ShippingProcess first = process();
    ShippingProcess second = process();
    first.spoolOf(List.of("first"));
    first.turns(3);
    second.spoolOf(ShippingProcess.lines("second", 9));
    second.die();
    disk.affecting(path -> path.startsWith(directory.resolve("shm"))).limitSpace(0);
    first.pass(20_000 * ShippingProcess.MS);
    first.turns(6);

    assertThat(first.account.failures).isEmpty();
    assertThat(first.log.records())
        .isEqualTo(two(List.of("first"), ShippingProcess.lines("second", 9)));
    first.die();
  }

  @Test
  void whatIsNotShippedAtTheStopIsHandedOver() throws IOException {
    ShippingProcess first = process();
    Spool spool = first.spoolOf(ShippingProcess.lines("own", 4));
    disk.affecting(path -> path.endsWith("app.log")).limitSpace(30);
    first.turns(2);
    first.retire(spool);
    assertThat(first.stop()).isFalse();
    disk.heal();

    ShippingProcess second = process();
    second.spool();
    second.turns(4);
    assertThat(second.log.records()).isEqualTo(ShippingProcess.lines("own", 4));
    assertThat(second.account.recovered + first.account.committed).isEqualTo(4);
    second.die();
  }
}
