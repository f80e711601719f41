package dev.forebay.tiered.file;

import static java.nio.charset.StandardCharsets.US_ASCII;

import ch.qos.logback.classic.LoggerContext;
import ch.qos.logback.core.FileAppender;
import ch.qos.logback.core.rolling.SizeAndTimeBasedRollingPolicy;
import ch.qos.logback.core.util.FileSize;
import dev.forebay.tiered.disk.NioDisk;
import dev.forebay.tiered.ship.FsyncPolicy;
import dev.forebay.tiered.ship.Shipper;
import dev.forebay.tiered.ship.ShippingListener;
import dev.forebay.tiered.ship.SpoolQueue;
import dev.forebay.tiered.spool.LogIdentity;
import dev.forebay.tiered.spool.Spool;
import dev.forebay.tiered.spool.SpoolDirectory;
import dev.forebay.tiered.spool.SpoolLimits;
import java.nio.ByteBuffer;
import java.nio.file.Path;

/**
 * Ships records to a log that is rolled by size and time, and prints: whether this runs on the
 * module path, the records committed, and the shipper's turns.
 */
final class ModulePathMain {

  static final int RECORDS = 20_000;

  private ModulePathMain() {}

  /** Takes a directory for log and spool. */
  @SuppressWarnings("SystemOut") // read by the test
  public static void main(String[] args) throws Exception {
    Path directory = Path.of(args[0]);
    String file = directory.resolve("app.log").toString();
    NioDisk disk = new NioDisk();
    LoggerContext context = new LoggerContext();
    SizeAndTimeBasedRollingPolicy<byte[]> policy = new SizeAndTimeBasedRollingPolicy<>();
    FileAppender<byte[]> parent = new FileAppender<>();
    parent.setFile(file);
    policy.setContext(context);
    policy.setParent(parent);
    policy.setFileNamePattern(directory + "/app.%d.%i.log");
    policy.setMaxFileSize(FileSize.valueOf("500 KB"));
    ByteBuffer nothing = ByteBuffer.allocate(0);
    RollingLog log =
        new RollingLog(
            new LogSettings(
                disk,
                file,
                true,
                policy,
                policy,
                nothing,
                nothing,
                true,
                text -> {},
                new ShippingListener() {}));
    Account account = new Account();
    SpoolQueue queue =
        new SpoolQueue(
            new FileDestination(log, false, System::nanoTime), there -> {}, account, () -> 0);
    Shipper shipper = new Shipper(queue, FsyncPolicy.NEVER, System::nanoTime);
    SpoolDirectory spools =
        SpoolDirectory.open(disk, directory, LogIdentity.of(disk, Path.of(file)));
    Spool spool = spools.createSpool(new SpoolLimits(16 << 20, 1 << 20));
    queue.add(spools, spool);
    for (int i = 0; i < RECORDS; i++) {
      byte[] line = "record %08d %s%n".formatted(i, "x".repeat(80)).getBytes(US_ASCII);
      spool.writer().append(line, 0, line.length, 2);
    }
    spool.writer().flush();
    shipper.requestCommit();
    int turns = 0;
    while (account.committed < RECORDS && turns < RECORDS) {
      shipper.requestCommit();
      shipper.doWork();
      turns++;
    }
    queue.retire(spools, spool);
    shipper.finish();
    shipper.onClose();
    if (!account.failures.isEmpty()) {
      throw new IllegalStateException(account.failures.get(0));
    }
    System.out.println(
        "module %b committed %d turns %d"
            .formatted(RollingLog.class.getModule().isNamed(), account.committed, turns));
  }
}
