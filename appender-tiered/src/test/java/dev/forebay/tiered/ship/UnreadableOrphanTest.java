package dev.forebay.tiered.ship;

import static java.util.Comparator.naturalOrder;
import static org.assertj.core.api.Assertions.assertThat;

import dev.forebay.tiered.disk.FaultyDisk;
import dev.forebay.tiered.disk.FaultyDisk.Op;
import dev.forebay.tiered.spool.Spool;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class UnreadableOrphanTest {

  @TempDir Path directory;

  private final FaultyDisk disk = new FaultyDisk(new UnforcedDisk());

  private ShippingProcess process() throws IOException {
    return ShippingProcess.in(directory, disk, ShippingProcess.EVERY_SECOND);
  }

  /** The {@code nth} read of a segment of the spool and all later ones fail. */
  private void failReads(Spool spool, int nth) {
    disk.affecting(path -> path.startsWith(spool.path()) && path.toString().endsWith(".seg"))
        .failFrom(Op.READ, nth, () -> new IOException("EIO"));
  }

  @Test
  void anOrphanThatCannotBeReadIsKeptForTheNextStartAndHoldsUpNothing() throws IOException {
    ShippingProcess first = process();
    Spool unreadable = first.spoolOf(List.of("a", "b"));
    first.turns(2);
    first.turns(2);
    ShippingProcess.write(unreadable, List.of("c"));
    first.die();

    ShippingProcess second = process();
    Spool own = second.spoolOf(List.of("own"));
    failReads(unreadable, 2); // behind the look at its version
    second.turns(30);
    second.retire(own);
    assertThat(second.stop()).isTrue();
    disk.heal();

    assertThat(second.log.records()).containsExactly("a", "b", "own");
    assertThat(second.account.settled).isEqualTo(1);
    assertThat(second.account.warnings)
        .singleElement()
        .asString()
        .contains(unreadable.path().toString(), "EIO");
    assertThat(second.account.unreadable)
        .hasSize(5)
        .allMatch(text -> text.contains("cannot read the spool " + unreadable.path()));
    assertThat(second.account.failures).as("of the log").hasSize(5);

    ShippingProcess third = process().recover();
    assertThat(third.log.records()).containsExactly("a", "b", "own", "c");
    assertThat(unreadable.path()).doesNotExist();
  }

  @Test
  void anUnreadableOrphanWhoseRecordsEndTheLogLosesNothingAndIsSaidToDouble() throws IOException {
    ShippingProcess first = process();
    Spool unreadable = first.spoolOf(List.of("a", "b"));
    first.shipper.doWork();
    first.die();

    ShippingProcess second = process();
    second.spoolOf(List.of("own"));
    failReads(unreadable, 2);
    second.turns(30);
    second.die();
    disk.heal();

    assertThat(second.log.records()).containsExactly("a", "b", "own");
    assertThat(second.account.warnings).hasSize(2).anyMatch(w -> w.contains("will be doubled"));

    ShippingProcess third = process().recover();
    assertThat(third.log.records()).containsExactly("a", "b", "own", "a", "b");
  }

  @Test
  void aMarkThatCannotBeReadMakesItsSpoolUnreadableAndHoldsUpNothing() throws IOException {
    ShippingProcess first = process();
    Spool marked = first.spoolOf(List.of("a"));
    first.die();
    Path mark = Files.write(marked.path().resolve("shipped"), new byte[1024]);

    ShippingProcess second = process();
    Spool own = second.spoolOf(List.of("own"));
    disk.affecting(path -> path.equals(mark)).failFrom(Op.READ, 1, () -> new IOException("EIO"));
    second.turns(30);
    second.retire(own);
    assertThat(second.stop()).isTrue();
    disk.heal();

    assertThat(second.log.records()).containsExactly("own");
    assertThat(second.account.warnings).singleElement().asString().contains("cannot be read");
    assertThat(marked.path()).exists();
  }

  @Test
  void aMarkThatCannotBeReadIsNoReasonToPassOverTheSpoolTheCheckpointNames() throws IOException {
    ShippingProcess first = process();
    Spool named = first.spoolOf(List.of("a"));
    first.turns(4);
    first.log.wantRoll();
    disk.affecting(path -> path.endsWith("app.log")).failFrom(Op.MOVE, 1, IOException::new);
    first.turns(1); // the checkpoint says that no records follow
    disk.heal();
    first.die();
    Path mark = Files.write(named.path().resolve("shipped"), new byte[1024]);

    ShippingProcess second = process();
    second.retire(second.spool());
    disk.affecting(path -> path.equals(mark)).failFrom(Op.READ, 1, () -> new IOException("EIO"));
    second.turns(5);
    disk.heal();
    second.stop();

    assertThat(second.log.records()).containsExactly("a");
    assertThat(second.account.warnings).isEmpty();
    assertThat(named.path()).doesNotExist();
  }

  @Test
  void anOrphanWhoseMarkCannotBeWrittenEitherIsSetAsideAndSaidToDouble() throws IOException {
    ShippingProcess first = process();
    Spool unreadable = first.spoolOf(List.of("a"));
    first.turns(4);
    ShippingProcess.write(unreadable, List.of("b"));
    first.die();

    ShippingProcess second = process();
    Spool own = second.spoolOf(List.of("own"));
    disk.affecting(path -> path.startsWith(unreadable.path()))
        .failFrom(Op.READ, 2, () -> new IOException("EIO"))
        .failFrom(Op.WRITE, 1, () -> new IOException("EIO"));
    second.turns(30);
    second.retire(own);
    assertThat(second.stop()).isTrue();
    disk.heal();

    assertThat(second.log.records()).containsExactly("a", "own");
    assertThat(second.account.warnings).hasSize(2).anyMatch(w -> w.contains("will be doubled"));
  }

  @Test
  void aRecordLeftHalfByAnOrphanSetAsideTearsNoOtherLine() throws IOException {
    ShippingProcess first = process();
    Spool unreadable = first.spoolOf(List.of("first", "second line of the orphan"));
    first.die();

    ShippingProcess second = process();
    Spool own = second.spoolOf(List.of("own"));
    disk.affecting(path -> path.endsWith("app.log")).limitSpace(15);
    second.turns(1);
    disk.heal();
    assertThat(second.log.lines()).containsExactly("<", "first", "second ");
    failReads(unreadable, 1);
    second.turns(30);
    second.retire(own);
    assertThat(second.stop()).isTrue();
    disk.heal();

    assertThat(second.log.lines()).containsExactly("<", "first", "own", ">");
    assertThat(second.account.warnings).hasSize(2).anyMatch(w -> w.contains("will be doubled"));
    ShippingProcess third = process().recover();
    assertThat(third.log.records())
        .containsExactly("first", "own", "first", "second line of the orphan");
  }

  @Test
  void theFooterIsWrittenAlsoWhenTheOnlySpoolWasSetAside() throws IOException {
    ShippingProcess first = process();
    Spool unreadable = first.spoolOf(ShippingProcess.lines("orphaned", 60));
    first.die();
    Path last = last(unreadable.path());

    ShippingProcess second = process();
    second.docket.addDirectory(second.open(second.base));
    disk.affecting(path -> path.equals(last)).failFrom(Op.READ, 1, () -> new IOException("EIO"));
    second.turns(30);
    second.stop();
    disk.heal();

    assertThat(second.account.warnings).singleElement().asString().contains("cannot be read");
    assertThat(second.log.lines()).containsExactly("<", ">");
  }

  private static Path last(Path spool) throws IOException {
    try (Stream<Path> entries = Files.list(spool)) {
      return entries.filter(path -> path.toString().endsWith(".seg")).max(naturalOrder()).get();
    }
  }
}
