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

  private static final FsyncPolicy EVERY_SECOND = FsyncPolicy.every(1000 * ShippingProcess.MS);

  @TempDir Path directory;

  private final FaultyDisk disk = new FaultyDisk(new UnforcedDisk());

  private ShippingProcess process() throws IOException {
    FileLog log = new FileLog(disk, Files.createDirectories(directory.resolve("log")), 1 << 20);
    return new ShippingProcess(
        disk, Files.createDirectories(directory.resolve("shm")), log, EVERY_SECOND);
  }

  @Test
  void anOrphanThatCannotBeReadIsKeptForTheNextStartAndHoldsUpNothing() throws IOException {
    ShippingProcess first = process();
    Spool unreadable = first.spool();
    ShippingProcess.write(unreadable, List.of("a", "b"));
    first.turns(2);
    first.turns(2);
    ShippingProcess.write(unreadable, List.of("c"));
    first.die();

    ShippingProcess second = process();
    Spool own = second.spool();
    ShippingProcess.write(own, List.of("own"));
    disk.affecting(path -> path.startsWith(unreadable.path()) && path.toString().endsWith(".seg"))
        .failFrom(Op.READ, 2, () -> new IOException("EIO")); // behind the look at its version
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

    ShippingProcess third = process();
    third.retire(third.spool());
    third.turns(6);
    third.stop();
    assertThat(third.log.records()).containsExactly("a", "b", "own", "c");
    assertThat(unreadable.path()).doesNotExist();
  }

  @Test
  void anUnreadableOrphanWhoseRecordsEndTheLogLosesNothingAndIsSaidToDouble() throws IOException {
    ShippingProcess first = process();
    Spool unreadable = first.spool();
    ShippingProcess.write(unreadable, List.of("a", "b"));
    first.shipper.doWork();
    first.die();

    ShippingProcess second = process();
    Spool own = second.spool();
    ShippingProcess.write(own, List.of("own"));
    disk.affecting(path -> path.startsWith(unreadable.path()) && path.toString().endsWith(".seg"))
        .failFrom(Op.READ, 2, () -> new IOException("EIO"));
    second.turns(30);
    second.die();
    disk.heal();

    assertThat(second.log.records()).containsExactly("a", "b", "own");
    assertThat(second.account.warnings).hasSize(2).anyMatch(w -> w.contains("will be doubled"));

    ShippingProcess third = process();
    third.retire(third.spool());
    third.turns(6);
    third.stop();
    assertThat(third.log.records()).containsExactly("a", "b", "own", "a", "b");
  }

  @Test
  void aMarkThatCannotBeReadMakesItsSpoolUnreadableAndHoldsUpNothing() throws IOException {
    ShippingProcess first = process();
    Spool marked = first.spool();
    ShippingProcess.write(marked, List.of("a"));
    first.die();
    Path mark = Files.write(marked.path().resolve("shipped"), new byte[1024]);

    ShippingProcess second = process();
    Spool own = second.spool();
    ShippingProcess.write(own, List.of("own"));
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
    Spool named = first.spool();
    ShippingProcess.write(named, List.of("a"));
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
    Spool unreadable = first.spool();
    ShippingProcess.write(unreadable, List.of("a"));
    first.turns(4);
    ShippingProcess.write(unreadable, List.of("b"));
    first.die();

    ShippingProcess second = process();
    Spool own = second.spool();
    ShippingProcess.write(own, List.of("own"));
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
    Spool unreadable = first.spool();
    ShippingProcess.write(unreadable, List.of("first", "second line of the orphan"));
    first.die();

    ShippingProcess second = process();
    Spool own = second.spool();
    ShippingProcess.write(own, List.of("own"));
    disk.affecting(path -> path.endsWith("app.log")).limitSpace(15);
    second.turns(1);
    disk.heal();
    assertThat(second.log.lines()).containsExactly("<", "first", "second ");
    disk.affecting(path -> path.startsWith(unreadable.path()) && path.toString().endsWith(".seg"))
        .failFrom(Op.READ, 1, () -> new IOException("EIO"));
    second.turns(30);
    second.retire(own);
    assertThat(second.stop()).isTrue();
    disk.heal();

    assertThat(second.log.lines()).containsExactly("<", "first", "own", ">");
    assertThat(second.account.warnings).hasSize(2).anyMatch(w -> w.contains("will be doubled"));
    ShippingProcess third = process();
    third.retire(third.spool());
    third.turns(6);
    third.stop();
    assertThat(third.log.records())
        .containsExactly("first", "own", "first", "second line of the orphan");
  }

  @Test
  void theFooterIsWrittenAlsoWhenTheOnlySpoolWasSetAside() throws IOException {
    ShippingProcess first = process();
    Spool unreadable = first.spool();
    ShippingProcess.write(unreadable, ShippingProcess.lines("orphaned", 60));
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
