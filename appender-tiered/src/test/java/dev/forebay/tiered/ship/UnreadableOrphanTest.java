package dev.forebay.tiered.ship;

import static org.assertj.core.api.Assertions.assertThat;

import dev.forebay.tiered.disk.FaultyDisk;
import dev.forebay.tiered.disk.FaultyDisk.Op;
import dev.forebay.tiered.spool.Spool;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
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
}
