package dev.forebay.tiered.file;

import static org.assertj.core.api.Assertions.assertThat;

import dev.forebay.agent.Agent;
import dev.forebay.tiered.disk.FaultyDisk;
import dev.forebay.tiered.disk.FaultyDisk.Op;
import dev.forebay.tiered.spool.Spool;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The look for spools of dead processes fails, or finds one that cannot be taken over yet. */
@Tag("once")
class OrphanLookTest {

  private static final long TEN_SECONDS_NS = 10_000 * ShippingProcess.MS;

  @TempDir Path directory;

  private final FaultyDisk disk = ShippingProcess.unforced();

  private ShippingProcess process() throws IOException {
    return ShippingProcess.in(directory, disk, ShippingProcess.EVERY_SECOND);
  }

  private void leaveOrphan() throws IOException {
    ShippingProcess dead = process();
    dead.spoolOf(List.of("dead"));
    dead.die();
  }

  private FaultyDisk listing(Spool beside) {
    Path home = beside.path().getParent();
    return disk.affecting(path -> path.equals(home));
  }

  @Test
  void nothingIsBegunBeforeALookSucceeds() throws IOException {
    leaveOrphan();
    ShippingProcess process = process();
    Spool own = process.spoolOf(List.of("own"));
    listing(own)
        .failOnce(Op.LIST, 1, new IOException("no"))
        .failOnce(Op.LIST, 2, new IOException("no"));
    process.turns(2);
    assertThat(process.log.records()).isEmpty();
    assertThat(process.account.warnings)
        .hasSize(2)
        .allMatch(w -> w.startsWith("Cannot look for earlier spools in " + own.path().getParent()));

    process.turns(4);
    assertThat(process.log.records()).containsExactly("dead", "own");
    process.die();
  }

  @Test
  void looksThatFailAgainAndAgainDoNotHoldUpTheOwnSpoolForGood() throws IOException {
    leaveOrphan();
    ShippingProcess process = process();
    listing(process.spoolOf(List.of("own"))).failFrom(Op.LIST, 1, () -> new IOException("no"));
    process.turns(12);
    assertThat(process.log.records()).containsExactly("own");

    disk.heal();
    process.pass(TEN_SECONDS_NS);
    process.turns(3);
    assertThat(process.log.records()).containsExactly("own", "dead");
    process.die();
  }

  @Test
  void aLookThatFailsInOneDirectoryCountsThoughItSucceedsInAnother() throws IOException {
    leaveOrphan();
    ShippingProcess process = process();
    listing(process.spoolOf(List.of("own"))).failOnce(Op.LIST, 1, new IOException("no"));
    process.queue.addDirectory(
        ShippingProcess.in(directory, "tmp", disk, ShippingProcess.EVERY_SECOND)
            .open(directory.resolve("tmp")));
    process.turns(1);
    assertThat(process.log.records()).isEmpty();

    process.turns(4);
    assertThat(process.log.records()).containsExactly("dead", "own");
    process.die();
  }

  /** Its records end the log, and the checkpoint does not say how many of them do. */
  @Test
  void nothingIsBegunBeforeTheSpoolThatTheCheckpointNamesIsTakenOver() throws IOException {
    ShippingProcess dead = ShippingProcess.in(directory, disk, ShippingProcess.EVERY_HOUR);
    Spool orphan = dead.spool();
    dead.turns(2);
    ShippingProcess.write(orphan, List.of("a", "b"));
    dead.turns(1);
    assertThat(dead.account.committed).isZero();
    dead.die();

    ShippingProcess process = process();
    process.spoolOf(List.of("own"));
    disk.affecting(path -> path.startsWith(orphan.path()))
        .failOnce(Op.OPEN, 1, new IOException("no"))
        .failOnce(Op.OPEN, 2, new IOException("no"));
    process.turns(2);
    assertThat(process.log.records()).containsExactly("a", "b");
    assertThat(process.account.warnings).singleElement().asString().contains("cannot take over");
    process.turns(5);

    assertThat(process.log.records()).containsExactly("a", "b", "own");
    assertThat(process.account.warnings).hasSize(1);
    process.die();
  }

  /** It begins to wait for the other's lock, which comes free before it is to look again. */
  @Test
  void whoWaitsForAnotherLooksOnceMoreAtTheStop() throws IOException {
    ShippingProcess first = process();
    first.spoolOf(List.of("first"));
    first.turns(1);
    ShippingProcess second = process();
    Spool own = second.spoolOf(List.of("second"));
    second.shipper.doWork();
    first.die();
    second.retire(own);

    assertThat(second.stop()).isTrue();
    assertThat(second.log.records()).containsExactly("first", "second");
  }

  @Test
  void whatIsFoundInASpoolIsReportedAtOnce() throws IOException {
    ShippingProcess process = process();
    Spool own = process.spool();
    process.turns(2);
    ShippingProcess.write(own, ShippingProcess.lines("own", 30));
    Path first = own.path().resolve("0000000000000000.seg");
    Files.delete(first);
    Files.createDirectory(first);
    process.turns(2);

    assertThat(process.account.warnings).anyMatch(w -> w.startsWith("cannot read "));
    process.die();
  }

  /** Its checkpoint has its room before the spool takes all there is. */
  @Test
  void aSpoolThatFillsTheMemoryBeforeTheFirstCommitIsShipped() throws IOException {
    ShippingProcess process = process();
    Spool own = process.spool();
    disk.affecting(path -> path.endsWith("app.log")).failOnce(Op.OPEN, 1, new IOException("no"));
    process.turns(1);
    ShippingProcess.write(own, List.of("a", "b"));
    disk.affecting(path -> path.startsWith(directory.resolve("shm"))).limitSpace(0);
    process.turns(4);

    assertThat(process.account.failures).hasSize(1);
    assertThat(process.account.committed).isEqualTo(2);
    process.die();
  }

  /** As many as a crash loop leaves; the agent's thread parks after any other turn. */
  @Test
  void manyAreShippedWithoutAPauseBeforeOurOwn() throws IOException {
    List<String> expected = leave(40);
    expected.add("own");
    ShippingProcess process = process();
    process.spoolOf(List.of("own"));

    int turns = 0;
    while (process.log.records().size() < expected.size() && turns++ < 50) {
      if (process.shipper.doWork() != Agent.MORE) {
        break;
      }
    }
    assertThat(process.log.records()).isEqualTo(expected);
    process.die();
  }

  @Test
  void aStopShipsAllOfThem() throws IOException {
    leave(40);
    ShippingProcess process = process();
    Spool own = process.spool();
    process.retire(own);
    int calls = 0;
    while (!process.shipper.finish()) {
      assertThat(calls++).isLessThan(100);
    }
    assertThat(process.log.records()).hasSize(40);
    process.die();
  }

  private List<String> leave(int count) throws IOException {
    List<String> lines = new ArrayList<>();
    for (int i = 0; i < count; i++) {
      Spool spool = process().open(directory.resolve("shm")).createSpool(ShippingProcess.LIMITS);
      ShippingProcess.write(spool, List.of("dead " + i));
      spool.close();
      lines.add("dead " + i);
    }
    return lines;
  }
}
