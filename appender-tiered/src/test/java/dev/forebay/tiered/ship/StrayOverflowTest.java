package dev.forebay.tiered.ship;

import static org.assertj.core.api.Assertions.assertThat;

import dev.forebay.tiered.disk.Disk;
import dev.forebay.tiered.disk.NioDisk;
import dev.forebay.tiered.file.Account;
import dev.forebay.tiered.file.FileDestination;
import dev.forebay.tiered.file.FilesBeside;
import dev.forebay.tiered.file.LogSettings;
import dev.forebay.tiered.file.RollingLog;
import dev.forebay.tiered.file.ShippingProcess;
import dev.forebay.tiered.identity.LogIdentity;
import dev.forebay.tiered.overflow.MovableSpool;
import dev.forebay.tiered.spool.Spool;
import dev.forebay.tiered.spool.SpoolDirectory;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What dead processes left beside the log of a living one, in two places. */
@Tag("once")
class StrayOverflowTest {

  private static final ByteBuffer LINE_END = ByteBuffer.wrap(new byte[] {10});

  private static final int SPOOLS = 4;

  private final Disk disk = new NioDisk();
  private final Account account = new Account();
  @TempDir Path root;
  private final List<String> expected = new ArrayList<>();
  private long nowNs = 1;

  private Path place(String name) throws IOException {
    return Files.createDirectories(root.toRealPath().resolve(name));
  }

  private SpoolDirectory directory(String name) throws IOException {
    Path log = place("log").resolve("app-1.log");
    return SpoolDirectory.open(disk, place(name), LogIdentity.of(disk, log));
  }

  /** A process was killed while the older half of its spools was moved. */
  private void leave() throws IOException {
    SpoolDirectory home = directory("shm");
    home.countFrom(1_000_000);
    List<Spool> spools = new ArrayList<>();
    for (int i = 0; i < SPOOLS; i++) {
      Spool one =
          i == 0 ? home.createSpool(ShippingProcess.LIMITS) : home.createNext(spools.get(i - 1));
      List<String> lines = ShippingProcess.lines("spool " + i, 3);
      ShippingProcess.write(one, lines);
      one.endWriting();
      expected.addAll(lines);
      spools.add(one);
    }
    for (int i = 0; i < SPOOLS; i++) {
      MovableSpool one = new MovableSpool(spools.get(i));
      if (i < SPOOLS / 2) {
        assertThat(one.moveTo(directory("over"), () -> true)).isTrue();
      }
      one.close();
    }
  }

  private StrayShipper shipper() throws IOException {
    Path own = place("log").resolve("app-2.log");
    return new StrayShipper(
        disk,
        List.of(place("shm")),
        new FilesBeside(
            disk, own, () -> LogIdentity.of(disk, own), null, LINE_END, account, () -> nowNs),
        new SpoolQueue(
            new FileDestination(
                new RollingLog(LogSettings.plain(disk, own.toString(), null, LINE_END, account)),
                true,
                () -> nowNs),
            there -> {},
            account,
            () -> 0),
        () -> nowNs);
  }

  @Test
  void whatOverflowedOfALogWithANameForEachRunIsShippedFirst() throws Exception {
    leave();
    StrayShipper shipper = shipper();
    shipper.lookInto(place("over"));
    for (int i = 0; i < 60; i++) {
      nowNs += 1_000_000_000;
      shipper.doWork(true);
    }
    shipper.close();

    assertThat(Files.readAllLines(place("log").resolve("app-1.log"))).isEqualTo(expected);
    assertThat(account.warnings).isEmpty();
    assertThat(place("shm")).isEmptyDirectory();
    assertThat(place("over")).isEmptyDirectory();
  }
}
