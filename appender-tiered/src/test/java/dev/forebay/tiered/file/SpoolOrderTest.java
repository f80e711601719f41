package dev.forebay.tiered.file;

import static org.assertj.core.api.Assertions.assertThat;

import dev.forebay.agent.Agent;
import dev.forebay.tiered.disk.FaultyDisk;
import dev.forebay.tiered.disk.FaultyDisk.Op;
import dev.forebay.tiered.spool.Spool;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Which spool is shipped when, what becomes of the others meanwhile, and how orphans are found. */
@Tag("once")
class SpoolOrderTest extends ShippingRig {

  private FaultyDisk listing(Spool beside) {
    Path home = beside.path().getParent();
    return disk.affecting(path -> path.equals(home));
  }

  private void orphan(List<String> lines) throws IOException {
    ShippingProcess dead = process();
    dead.spoolOf(lines);
    dead.die();
  }

  /** It only spooled, and we end before the look that would have found what it left. */
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
  void aShippedSpoolIsRenamedBeforeAnythingElseIsShipped() throws IOException {
    ShippingProcess first = process();
    Spool shipped = first.spoolOf(List.of("a"));
    first.turns(3);
    first.retire(shipped);
    first.spoolOf(List.of("b"));
    disk.affecting(path -> path.equals(shipped.path())).failFrom(Op.MOVE, 1, IOException::new);
    first.turns(6);
    assertThat(first.log.records()).containsExactly("a");
    assertThat(first.account.failures)
        .isNotEmpty()
        .allSatisfy(
            failure ->
                assertThat(failure)
                    .hasMessage("cannot remove the spool %s, which is shipped", shipped.path()));
    disk.heal();
    first.turns(6);

    assertThat(shipped.path()).doesNotExist();
    assertThat(first.log.records()).containsExactly("a", "b");
    first.die();
    assertThat(process().recover().log.records()).containsExactly("a", "b");
  }

  /** A power cut may take a name that was not forced. */
  @Test
  void theNameOfAShippedSpoolIsForcedBeforeAnythingElseIsShipped() throws IOException {
    ShippingProcess process = process();
    Spool shipped = process.spoolOf(List.of("a"));
    process.turns(3);
    disk.failOnce(Op.FORCE_DIRECTORY, 1, no());
    process.retire(shipped);
    process.spoolOf(List.of("b"));
    process.turns(1);
    assertThat(shipped.path()).doesNotExist();
    assertThat(process.account.failures).hasSize(1);
    assertThat(process.log.records()).containsExactly("a");
    process.turns(3);

    assertThat(process.log.records()).containsExactly("a", "b");
  }

  /** What is noted when we turn to an orphan, or of our own spool, needs no more memory then. */
  @ParameterizedTest
  @ValueSource(booleans = {true, false})
  void aSpoolThatFillsTheMemoryIsShipped(boolean isOrphan) throws IOException {
    ShippingProcess process = process();
    if (isOrphan) {
      process.spoolOf(List.of("first"));
      process.turns(3);
      orphan(lines("second", 9));
      process.pass(20_000 * MS);
    } else {
      Spool own = process.spool();
      log().failOnce(Op.OPEN, 1, no());
      process.turns(1);
      process.account.failures.clear();
      ShippingProcess.write(own, List.of("first"));
    }
    disk.affecting(path -> path.startsWith(directory.resolve("shm"))).limitSpace(0);
    process.turns(6);

    assertThat(process.account.failures).isEmpty();
    assertThat(process.log.records())
        .isEqualTo(all(List.of("first"), isOrphan ? lines("second", 9) : List.of()));
  }

  @Test
  void nothingIsBegunBeforeALookForOrphansSucceeds() throws IOException {
    orphan(List.of("dead"));
    ShippingProcess process = process();
    Spool own = process.spoolOf(List.of("own"));
    listing(own).failOnce(Op.LIST, 1, no()).failOnce(Op.LIST, 2, no());
    process.turns(2);
    assertThat(process.log.records()).isEmpty();
    assertThat(process.account.warnings)
        .hasSize(2)
        .allMatch(w -> w.startsWith("Cannot look for earlier spools in " + own.path().getParent()));
    process.turns(4);

    assertThat(process.log.records()).containsExactly("dead", "own");
  }

  @Test
  void looksThatFailAgainAndAgainDoNotHoldUpTheOwnSpoolForGood() throws IOException {
    orphan(List.of("dead"));
    ShippingProcess process = process();
    listing(process.spoolOf(List.of("own"))).failFrom(Op.LIST, 1, ShippingRig::no);
    process.turns(12);
    assertThat(process.log.records()).containsExactly("own");
    disk.heal();
    process.pass(10_000 * MS);
    process.turns(3);

    assertThat(process.log.records()).containsExactly("own", "dead");
  }

  /** Its records end the log, and the checkpoint does not say how many of them do. */
  @Test
  void nothingIsBegunBeforeTheSpoolThatTheCheckpointNamesIsTakenOver() throws IOException {
    start(ShippingProcess.EVERY_HOUR, "a", "b");
    process.die();
    ShippingProcess next = process();
    next.spoolOf(List.of("own"));
    disk.affecting(path -> path.startsWith(spool.path()))
        .failOnce(Op.OPEN, 1, no())
        .failOnce(Op.OPEN, 2, no());
    next.turns(2);
    assertThat(next.log.records()).containsExactly("a", "b");
    assertThat(next.account.warnings).singleElement().asString().contains("cannot take over");
    next.turns(5);

    assertThat(next.log.records()).containsExactly("a", "b", "own");
    assertThat(next.account.warnings).hasSize(1);
  }

  /** As many as a crash loop leaves. */
  private List<String> leave40() throws IOException {
    List<String> lines = new ArrayList<>();
    for (int i = 0; i < 40; i++) {
      Spool left = process().open(directory.resolve("shm")).createSpool(ShippingProcess.LIMITS);
      ShippingProcess.write(left, List.of("dead " + i));
      left.close();
      lines.add("dead " + i);
    }
    return lines;
  }

  /** The agent's thread parks after any other turn. */
  @Test
  void manyOrphansAreShippedWithoutAPauseBeforeOurOwnSpool() throws IOException {
    List<String> expected = all(leave40(), List.of("own"));
    ShippingProcess process = process();
    process.spoolOf(List.of("own"));
    int turns = 0;
    while (process.log.records().size() < expected.size() && turns++ < 50) {
      if (process.shipper.doWork() != Agent.MORE) {
        break;
      }
    }

    assertThat(process.log.records()).isEqualTo(expected);
  }

  /** Two others died while we shipped; we die while the second of their spools is shipped. */
  @Test
  void aSpoolThatIsLeftForThoseOfTheDeadGoesOnWhereItWasAlsoAfterACrash() throws IOException {
    ShippingProcess first = process();
    first.spoolOf(lines("first", 3));
    first.turns(3);
    orphan(lines("second", 1));
    orphan(lines("third", 4));
    first.pass(20_000 * MS);
    log().limitSpace(40);
    first.turns(3);
    disk.heal();
    assertThat(first.log.records()).hasSizeBetween(5, 7);
    first.die();

    ShippingProcess fourth = process().recover();
    assertThat(fourth.log.records())
        .isEqualTo(all(lines("first", 3), lines("second", 1), lines("third", 4)));
    assertThat(fourth.account.warnings).isEmpty();
  }

  @Test
  void aStopShipsAllOrphans() throws IOException {
    List<String> expected = leave40();
    ShippingProcess process = process();
    process.retire(process.spool());
    int calls = 0;
    while (!process.shipper.finish()) {
      assertThat(calls++).isLessThan(100);
    }

    assertThat(process.log.records()).isEqualTo(expected);
  }
}
