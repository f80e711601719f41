package dev.forebay.tiered.inspect;

import dev.forebay.agent.NanoClock;
import dev.forebay.tiered.disk.Disk;
import dev.forebay.tiered.disk.NioDisk;
import dev.forebay.tiered.file.FileDestination;
import dev.forebay.tiered.ship.FsyncPolicy;
import dev.forebay.tiered.ship.Shipper;
import dev.forebay.tiered.ship.ShippingListener;
import dev.forebay.tiered.ship.SpoolQueue;
import dev.forebay.tiered.spool.LogIdentity;
import dev.forebay.tiered.spool.Spool;
import dev.forebay.tiered.spool.SpoolDirectory;
import dev.forebay.tiered.spool.SpoolLimits;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;

/** A process that dies after it appended two lines to its log, before it commits them. */
final class KilledShipper {

  private static final long HOUR_NS = 3_600_000_000_000L;

  private KilledShipper() {}

  /** Base directory and log are the arguments. */
  public static void main(String[] args) throws IOException {
    Disk disk = new NioDisk();
    Path log = Path.of(args[1]);
    SpoolDirectory directory =
        SpoolDirectory.open(disk, Path.of(args[0]), LogIdentity.of(disk, log));
    Spool spool = directory.createSpool(new SpoolLimits(1 << 20, 1 << 16));
    FileDestination file = FileDestination.plain(disk, log, text -> {}, NanoClock.SYSTEM);
    SpoolQueue queue = new SpoolQueue(file, there -> {}, new Strict(), () -> 0);
    Shipper shipper = new Shipper(queue, FsyncPolicy.every(HOUR_NS), NanoClock.SYSTEM);
    queue.add(directory, spool);
    for (String line : new String[] {"one\n", "two\n"}) {
      byte[] bytes = line.getBytes(StandardCharsets.UTF_8);
      spool.writer().append(bytes, 0, bytes.length, 2);
    }
    spool.writer().flush();
    while (spool.source().nextSequence() < 2) {
      shipper.doWork();
    }
    Runtime.getRuntime().halt(0);
  }

  private static final class Strict implements ShippingListener {
    @Override
    public void recovered(long records) {}

    @Override
    public void warn(String text) {
      throw new IllegalStateException(text);
    }

    @Override
    public void unreadable(Exception cause) {
      throw new IllegalStateException(cause);
    }

    @Override
    public void failed(Exception cause) {
      throw new IllegalStateException(cause);
    }

    @Override
    public void worked() {}
  }
}
