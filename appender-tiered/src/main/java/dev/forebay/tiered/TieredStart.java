package dev.forebay.tiered;

import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.encoder.Encoder;
import dev.forebay.agent.AdaptivePark;
import dev.forebay.agent.Agent;
import dev.forebay.agent.AgentThread;
import dev.forebay.agent.NanoClock;
import dev.forebay.agent.ParkPolicy;
import dev.forebay.agent.Voice;
import dev.forebay.observe.Ledger;
import dev.forebay.pipeline.ControlEndpoint;
import dev.forebay.pipeline.EventSink;
import dev.forebay.pipeline.Pipeline;
import dev.forebay.pipeline.PipelineContext;
import dev.forebay.pipeline.PipelineSettings;
import dev.forebay.tiered.disk.Disk;
import dev.forebay.tiered.file.FileDestination;
import dev.forebay.tiered.file.FilesBeside;
import dev.forebay.tiered.file.LogSettings;
import dev.forebay.tiered.file.RollingLog;
import dev.forebay.tiered.flight.Flight;
import dev.forebay.tiered.flight.FlightDumper;
import dev.forebay.tiered.flight.FlightRecorder;
import dev.forebay.tiered.jvm.JvmReading;
import dev.forebay.tiered.overflow.Overflow;
import dev.forebay.tiered.overflow.OverflowSettings;
import dev.forebay.tiered.ship.Destination;
import dev.forebay.tiered.ship.LogLocator;
import dev.forebay.tiered.ship.Shipper;
import dev.forebay.tiered.ship.Siblings;
import dev.forebay.tiered.ship.Slots;
import dev.forebay.tiered.ship.SpoolQueue;
import dev.forebay.tiered.ship.SpoolQueue.Rescue;
import dev.forebay.tiered.ship.StrayShipper;
import dev.forebay.tiered.ship.Target;
import dev.forebay.tiered.spool.OwnSpool;
import dev.forebay.tiered.spool.SpoolBudgets;
import dev.forebay.tiered.spool.SpoolDirectory;
import java.io.File;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.time.InstantSource;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import java.util.function.Consumer;
import java.util.function.LongSupplier;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * One start of an appender: what its parts share, and how they are put together. For the thread
 * that starts the appender. It is itself what the parts call back, since each lambda would be one
 * more class to make before the first line.
 */
final class TieredStart
    implements Consumer<Throwable>, LongSupplier, Rescue, Runnable, Supplier<ControlEndpoint> {

  /** About a megabyte. Each turn evicts cache lines that callers use. */
  private static final int RECORDS_PER_TURN = 8192;

  private static final long SHIPPER_IDLE_PARK_NS = 1_000_000_000;

  private static final long OPENING_NS = 1_000_000_000;

  final TieredAppender appender;
  final StartContext context;

  /** The account of this start's events after the ring. */
  final ShippingMetrics account;

  final LogLocator locator;

  /** Null for a log of files. */
  private final @Nullable Slots slots;

  // Made by assemble(), before a thread starts.
  @Nullable Flight flight;
  @Nullable Overflow overflow;
  private @Nullable SpoolQueue queue;
  private @Nullable RollingLog log;
  private @Nullable AgentThread shipperThread;
  private @Nullable Supplier<? extends @Nullable OwnSpool> place;
  private @Nullable Pipeline pipeline;

  TieredStart(
      TieredAppender appender,
      PipelineSettings ring,
      TieredSettings settings,
      Ledger ledger,
      Disk disk,
      NanoClock clock,
      Voice voice) {
    this.appender = appender;
    this.context =
        new StartContext(
            ring,
            settings,
            ledger,
            appender.loggerContext(),
            disk,
            clock,
            InstantSource.system(),
            voice);
    this.slots = settings.target() == null ? null : slots(settings.target());
    this.locator = new LogLocator(context.disk(), settings.logName(), slots);
    this.account = new ShippingMetrics(context, locator);
  }

  Pipeline assemble() {
    TieredSettings settings = context.settings();
    NanoClock clock = context.clock();
    Ledger ledger = context.ledger();
    Encoder<ILoggingEvent> encoder = appender.getEncoder();
    locator.whenLocated(this);
    byte[] lineEnd = LogbackParts.lineEnd(encoder);
    SpoolQueue spoolQueue = new SpoolQueue(destination(encoder, lineEnd), this, account, this);
    queue = spoolQueue;
    StrayShipper strays = strays(spoolQueue, lineEnd);
    Shipper shipper = new Shipper(spoolQueue, settings.fsync(), clock, locator, strays);
    flight = settings.flight() == null ? null : new FlightAssembly(this, settings.flight()).flight;
    Agent agent = flight == null ? shipper : new FlightDumper(flight, shipper);
    AdaptivePark park =
        new AdaptivePark(RECORDS_PER_TURN, settings.fsync().lookEveryNs(), SHIPPER_IDLE_PARK_NS);
    AgentThread thread =
        new AgentThread(agent, park, context.ring().threadName("shipper"), clock, this, ledger);
    ShippingThread shipping = new ShippingThread(account, shipper, thread);
    shipperThread = thread;
    EventSink sink;
    ParkPolicy parkOfSink = null;
    if (settings.jvm() == null) {
      SpoolOpener opener = new SpoolOpener(context, locator, account, SpoolBudgets.OF_PROCESS);
      overflow = overflow(spoolQueue, strays);
      SpoolPlace spools = new SpoolPlace(opener, spoolQueue, account, thread, overflow);
      FlightRecorder recorder =
          flight == null ? null : new FlightRecorder(flight, ledger, context.ring().ringCapacity());
      place = spools;
      DestinationOptions beyond = appender.tieredOptions.destination;
      sink = new SpoolSink(context, account, encoder, beyond, spools, shipping, recorder);
    } else {
      JvmSink ofJvm = jvmSink(spoolQueue, shipping);
      place = ofJvm.source;
      sink = ofJvm;
      parkOfSink = ofJvm.park();
    }
    Pipeline made =
        new Pipeline(
            context.ring(),
            sink,
            ledger,
            appender.pipelineOptions().listeners(),
            this,
            new PipelineContext(context.loggers(), clock, this, context.voice()),
            parkOfSink);
    pipeline = made;
    made.failures().watch(account.log);
    made.failures().watch(account.spool);
    made.failures().watch(account.reading);
    thread.start();
    if (overflow != null) {
      overflow.begin();
    }
    return made;
  }

  private JvmSink jvmSink(SpoolQueue spoolQueue, ShippingThread shipping) {
    String file = appender.rawFileProperty();
    return new JvmSink(context, account, locator, spoolQueue, shipping, file, this::wakeFlusher);
  }

  @Nullable Overflow overflow(SpoolQueue spoolQueue, StrayShipper strays) {
    OverflowSettings beyond = context.settings().overflow();
    return beyond == null
        ? null
        : new Overflow(
            context.disk(),
            context.clock(),
            context.voice(),
            context.ledger(),
            context.ring().threadName("overflow"),
            beyond,
            places(),
            locator,
            spoolQueue,
            strays);
  }

  /** Waits at most a second for the first opening of the log, which may be over. */
  static void awaitOpening(@Nullable TieredStart start) {
    if (start != null) {
      start.account.awaitOpening(OPENING_NS);
    }
  }

  private Destination destination(Encoder<ILoggingEvent> encoder, byte[] lineEnd) {
    Target target = context.settings().target();
    if (target == null) {
      log = log(encoder, lineEnd);
      return new FileDestination(log, context.settings().fsync().forces(), context.clock());
    }
    return target.destination(
        bytesOf(encoder.headerBytes()), bytesOf(encoder.footerBytes()), lineEnd, account);
  }

  /** Distinguishes programs, and appenders of one, by values that do not change at a restart. */
  private Slots slots(Target target) {
    String command = System.getProperty("sun.java.command", "").split(" ", 2)[0];
    String file = command.substring(command.lastIndexOf(File.separatorChar) + 1);
    String program = file.replaceFirst("-\\d[^-]*(-SNAPSHOT)?\\.jar$", ".jar"); // each has one
    String title =
        "%s of [%s] of %s in %s"
            .formatted(
                target.name(), context.ring().appender(), program, Path.of("").toAbsolutePath());
    String name = String.valueOf(context.loggers().getName());
    return new Slots(
        context.disk(),
        context.settings().spoolDirectory(),
        title,
        title + " " + name,
        target.needsAttributes(),
        context.settings().keepsLeft());
  }

  private RollingLog log(Encoder<ILoggingEvent> encoder, byte[] lineEnd) {
    return new RollingLog(
        new LogSettings(
            context.disk(),
            appender.rawFileProperty(),
            appender.isAppend(),
            appender.rolls ? appender.rollingPolicy : null,
            appender.rolls ? appender.triggeringPolicy : null,
            ByteBuffer.wrap(bytesOf(encoder.headerBytes())),
            ByteBuffer.wrap(bytesOf(encoder.footerBytes())),
            ByteBuffer.wrap(lineEnd),
            context.settings().filePermissions(),
            context.voice(),
            account));
  }

  private static byte[] bytesOf(byte @Nullable [] bytes) {
    return bytes == null ? new byte[0] : bytes.clone();
  }

  StrayShipper strays(SpoolQueue ours, byte[] lineEnd) {
    Target target = context.settings().target();
    StrayShipper.Targets targets =
        target == null
            ? new FilesBeside(
                context.disk(),
                context.settings().logName(),
                locator,
                context.settings().filePermissions(),
                ByteBuffer.wrap(lineEnd),
                context.voice(),
                context.clock())
            : new Siblings(
                seen -> target.destination(bytesOf(null), bytesOf(null), lineEnd, seen),
                locator,
                account,
                context.settings().keepsLeft());
    return new StrayShipper(context.disk(), places(), targets, ours, context.clock());
  }

  /** Where spools may be; the default place has perhaps been used earlier. */
  private List<Path> places() {
    Path wanted = context.settings().spoolDirectory();
    Path usual = Path.of(context.disk().spoolPlace());
    return wanted.equals(usual) ? List.of(wanted) : List.of(wanted, usual);
  }

  /** The shipper's thread has met an Error. */
  @Override
  public void accept(Throwable t) {
    context.voice().warn("The shipper failed", t);
  }

  /** The wall clock: milliseconds since the epoch. Any thread. */
  @Override
  public long getAsLong() {
    return context.wall().millis();
  }

  /** Completes what dead JVMs have left. The shipper's thread. */
  @Override
  public void run(SpoolDirectory directory) throws IOException {
    JvmReading.rescue(directory);
  }

  /**
   * The log is located, for which the flusher waits: now it is known which older spools are to be
   * shipped first. The shipper's thread.
   */
  @Override
  public void run() {
    wakeFlusher();
    if (slots != null && !slots.left.isEmpty()) {
      Path first = slots.left.get(0);
      context
          .voice()
          .warn(
              "lines that %d earlier runs left for %s stay in the spool: <left>ship</left> writes them there, and forebay recover --to FILE %s into a file"
                  .formatted(slots.left.size(), context.settings().logName(), first));
    }
    if (slots == null) {
      for (Path place : places()) {
        addExisting(place, false);
      }
    } else if (slots.claimed() != null) { // elsewhere another process may live in our slot
      Objects.requireNonNull(queue).addDirectory(slots.claimed());
    }
    OverflowSettings beyond = context.settings().overflow();
    if (overflow != null && beyond != null) {
      addExisting(beyond.directory(), true);
      overflow.wake();
    }
  }

  private void addExisting(Path place, boolean isOverflow) {
    try {
      SpoolDirectory there = SpoolDirectory.openExisting(context.disk(), place, locator.get());
      SpoolQueue ships = Objects.requireNonNull(queue);
      if (there != null && !isOverflow) {
        ships.addDirectory(there);
      } else if (there != null && !there.isEmpty()) {
        Objects.requireNonNull(overflow).requireElsewhere(there);
        ships.addOverflow(there);
      }
    } catch (IOException e) {
      // We cannot have spooled to a directory that we cannot open.
    }
  }

  /** Made by the reporter's thread, some time after the start. */
  @Override
  public ControlEndpoint get() {
    return TieredControl.endpoint(this);
  }

  /** Causes a turn of the flusher. Any thread. */
  void wakeFlusher() {
    Objects.requireNonNull(pipeline).wakeFlusher();
  }

  /** Causes a turn of the shipper. Any thread. */
  void wakeShipper() {
    Objects.requireNonNull(shipperThread).wake();
  }

  /** The spool in use; null while there is none. Any thread. */
  @Nullable OwnSpool spool() {
    return Objects.requireNonNull(place).get();
  }

  /** As {@link RollingLog#requestRoll}, soon. Any thread. */
  CompletableFuture<String> requestRoll() {
    if (log == null) {
      return CompletableFuture.completedFuture(context.settings().logName() + " has no files");
    }
    CompletableFuture<String> answer = log.requestRoll();
    wakeShipper();
    return answer;
  }
}
