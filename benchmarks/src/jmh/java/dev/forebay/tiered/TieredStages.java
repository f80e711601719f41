package dev.forebay.tiered;

import ch.qos.logback.classic.LoggerContext;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.encoder.Encoder;
import dev.forebay.ConfigFindings;
import dev.forebay.PipelineOptions;
import dev.forebay.agent.AgentThread;
import dev.forebay.agent.NanoClock;
import dev.forebay.benchmarks.BoundedLog;
import dev.forebay.benchmarks.ScratchDirectories;
import dev.forebay.observe.Ledger;
import dev.forebay.pipeline.EventSink;
import dev.forebay.tiered.disk.Disk;
import dev.forebay.tiered.disk.NioDisk;
import dev.forebay.tiered.file.FileDestination;
import dev.forebay.tiered.file.LogSettings;
import dev.forebay.tiered.file.RollingLog;
import dev.forebay.tiered.identity.LogIdentity;
import dev.forebay.tiered.ship.FsyncPolicy;
import dev.forebay.tiered.ship.LogLocator;
import dev.forebay.tiered.ship.Shipper;
import dev.forebay.tiered.ship.SpoolQueue;
import dev.forebay.tiered.spool.SpoolBudgets;
import dev.forebay.tiered.spool.SpoolDirectory;
import java.io.Closeable;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.function.LongSupplier;

/**
 * What stands behind the ring of a {@code TieredAppender}, put together as the appender does, but
 * without threads: the benchmark's one thread is flusher and shipper in turn, so that it can
 * measure each.
 */
public final class TieredStages implements Closeable {

  private static final int SEGMENT_BYTES = 4 << 20;
  private static final long SPOOL_BYTES = 256L << 20;
  private static final long DEADLINE_NS = Duration.ofSeconds(60).toNanos();

  private final ScratchDirectories scratch;
  private final SpoolQueue queue;
  private final Shipper shipper;
  private final SpoolSink sink;
  private final ShippingMetrics account;
  private final List<String> warnings = new ArrayList<>();

  /**
   * @param scratch where spool and log are
   * @param fsync when the log is forced
   * @param ledger the account of the events
   */
  public TieredStages(
      ScratchDirectories scratch, Encoder<ILoggingEvent> encoder, boolean fsync, Ledger ledger) {
    this.scratch = scratch;
    FsyncPolicy policy =
        fsync ? FsyncPolicy.every(Duration.ofSeconds(1).toNanos()) : FsyncPolicy.NEVER;
    NanoClock clock = NanoClock.SYSTEM;
    Disk disk = NioDisk.current();
    TieredSettings settings =
        new TieredSettings(
            scratch.logFile(),
            null,
            false,
            scratch.spool(),
            SPOOL_BYTES,
            SEGMENT_BYTES,
            policy,
            CallerEncoding.NEVER,
            null,
            false,
            null,
            null,
            null,
            null);
    StartContext context =
        new StartContext(
            new PipelineOptions().validate("stages", new ConfigFindings()),
            settings,
            ledger,
            new LoggerContext(),
            disk,
            clock,
            InstantSource.system(),
            warnings::add,
            null);
    LogLocator locator = new LogLocator(disk, scratch.logFile(), null);
    account = new ShippingMetrics(context, locator);
    FileDestination file = new FileDestination(log(disk), policy.forces(), clock);
    queue = new SpoolQueue(file, (there, lease) -> null, account, context);
    shipper = new Shipper(queue, policy, clock);
    AgentThread neverStarted =
        new AgentThread(
            shipper,
            (workDone, nowNs) -> 1,
            "shipper",
            clock,
            e -> warnings.add(e.toString()),
            null);
    locator.run();
    SpoolOpener opener = new SpoolOpener(context, locator, account, new SpoolBudgets());
    SpoolPlace place = new SpoolPlace(opener, queue, account, neverStarted, null);
    ShippingThread shipping = new ShippingThread(account, shipper, neverStarted);
    sink = new SpoolSink(context, account, encoder, null, place, shipping, null);
  }

  private RollingLog log(Disk disk) {
    LoggerContext context = new LoggerContext();
    TieredAppender parent = new TieredAppender();
    parent.setContext(context);
    parent.setFile(scratch.logFile().toString());
    BoundedLog<ILoggingEvent> bounds = BoundedLog.of(parent, context, scratch.logFile());
    return new RollingLog(
        new LogSettings(
            disk,
            scratch.logFile().toString(),
            true,
            bounds.rolling(),
            bounds.triggering(),
            ByteBuffer.allocate(0),
            ByteBuffer.allocate(0),
            ByteBuffer.wrap(new byte[] {'\n'}),
            null,
            warnings::add,
            account));
  }

  /** For the flusher. */
  public EventSink sink() {
    return sink;
  }

  /** Ships until so many records of this start are in the log, committed and forgotten. */
  public void shipOwn(long records) {
    ship(records, account::handled);
  }

  /** Finds the spools of processes that are gone and ships so many records of them. */
  public void shipOrphans(long records) throws IOException {
    queue.addDirectory(
        SpoolDirectory.open(
            NioDisk.current(),
            scratch.spool(),
            LogIdentity.of(NioDisk.current(), scratch.logFile())));
    ship(records, account::recovered);
  }

  /** Throws, which makes a run void, when another number was recovered. */
  public void requireRecovered(long records) {
    if (account.recovered() != records) {
      throw new IllegalStateException(
          "recovered %d of %d records: run void".formatted(account.recovered(), records));
    }
  }

  private void ship(long records, LongSupplier done) {
    long startNs = System.nanoTime();
    while (done.getAsLong() < records) {
      if (shipper.doWork() == 0) {
        shipper.requestCommit();
      }
      if (System.nanoTime() - startNs > DEADLINE_NS) {
        throw new IllegalStateException(
            "shipped %d of %d records: run void; %s"
                .formatted(done.getAsLong(), records, warnings));
      }
    }
  }

  /** Ships what is left, and closes everything in the order of a stop. */
  @Override
  public void close() {
    sink.close();
    boolean done = false;
    long startNs = System.nanoTime();
    while (!done && System.nanoTime() - startNs < DEADLINE_NS) {
      done = shipper.finish();
    }
    shipper.onClose();
    if (!warnings.isEmpty()) {
      throw new IllegalStateException("warned: run void; " + warnings);
    }
  }
}
