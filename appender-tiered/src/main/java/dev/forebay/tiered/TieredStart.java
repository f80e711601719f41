package dev.forebay.tiered;

import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.encoder.Encoder;
import dev.forebay.agent.AdaptivePark;
import dev.forebay.agent.Agent;
import dev.forebay.agent.AgentThread;
import dev.forebay.agent.NanoClock;
import dev.forebay.agent.ParkPolicy;
import dev.forebay.observe.FailureListener;
import dev.forebay.observe.Ledger;
import dev.forebay.pipeline.AppendGate;
import dev.forebay.pipeline.ControlEndpoint;
import dev.forebay.pipeline.EventSink;
import dev.forebay.pipeline.Pipeline;
import dev.forebay.pipeline.PipelineContext;
import dev.forebay.redact.EventRedactor;
import dev.forebay.redact.Redactor;
import dev.forebay.tiered.encode.RedactedLines;
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
import dev.forebay.tiered.ship.Follower;
import dev.forebay.tiered.ship.LateDestination;
import dev.forebay.tiered.ship.LogLocator;
import dev.forebay.tiered.ship.Shipper;
import dev.forebay.tiered.ship.Siblings;
import dev.forebay.tiered.ship.Slots;
import dev.forebay.tiered.ship.SpoolQueue;
import dev.forebay.tiered.ship.StrayShipper;
import dev.forebay.tiered.ship.Target;
import dev.forebay.tiered.spool.OwnSpool;
import dev.forebay.tiered.spool.SegmentFeed;
import dev.forebay.tiered.spool.SpoolBudgets;
import dev.forebay.tiered.spool.SpoolDirectory;
import dev.forebay.tiered.spool.SpoolLease;
import java.io.File;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.function.BiFunction;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * One start of an appender: its constructor puts the parts together, which do not know it. It is
 * itself what some of them call back, since each lambda would be one more class to make before the
 * first line.
 */
final class TieredStart
    implements BiFunction<SpoolDirectory, SpoolLease, @Nullable SegmentFeed>,
        Consumer<Throwable>,
        Runnable,
        Supplier<ControlEndpoint> {

  /** About a megabyte. Each turn evicts cache lines that callers use. */
  private static final int RECORDS_PER_TURN = 8192;

  private static final long SHIPPER_IDLE_PARK_NS = 1_000_000_000;

  final Pipeline pipeline;

  /** The account of this start's events after the ring. */
  final ShippingMetrics account;

  final @Nullable Flight flight;

  private final StartContext context;
  private final LogbackParts parts;
  private final AppendGate gate;
  private final LogLocator locator;
  private final SpoolQueue queue;
  private final @Nullable Overflow overflow;
  private final AgentThread shipperThread;
  private final Supplier<? extends @Nullable OwnSpool> place;

  /** Null for a log of files. */
  private final @Nullable Slots slots;

  private final Shipper shipper;

  /** Null for a log of no files, and before this process ships. */
  private volatile @Nullable RollingLog log;

  /**
   * @param rolls whether this start rolls the log; not if another appender creates the same
   *     archives
   * @param gate where its events come from
   */
  TieredStart(
      StartContext context,
      LogbackParts parts,
      boolean rolls,
      AppendGate gate,
      List<FailureListener> listeners) {
    this.context = context;
    this.parts = parts;
    this.gate = gate;
    TieredSettings settings = context.settings();
    Target target = settings.target();
    NanoClock clock = context.clock();
    Ledger ledger = context.ledger();
    Encoder<ILoggingEvent> encoder = parts.appender.getEncoder();
    byte[] lineEnd = LogbackParts.lineEnd(encoder, parts.words.foreign());
    Redactor redactor = context.ring().redactor();
    slots = target == null ? null : slots(context, target);
    Apart apart = context.apart();
    locator = new LogLocator(context.disk(), settings.logName(), slots, apart == null);
    locator.whenLocated(this);
    account = new ShippingMetrics(context, locator);
    Destination destination =
        apart == null
            ? destination(rolls, lineEnd)
            : new LateDestination(
                settings.logName().toString(), target == null, () -> destination(rolls, lineEnd));
    queue = new SpoolQueue(destination, this, account, context);
    StrayShipper strays = strays(context, locator, account, queue, lineEnd);
    shipper = new Shipper(queue, settings.fsync(), clock, locator, strays);
    flight =
        settings.flight() == null
            ? null
            : FlightHost.flight(context, locator, this::wakeShipper, this::wakeFlusher);
    Agent one = apart == null ? shipper : new Follower(shipper, clock, apart.patienceNs());
    Agent agent = flight == null ? one : new FlightDumper(flight, shipper);
    AdaptivePark park =
        new AdaptivePark(RECORDS_PER_TURN, settings.fsync().lookEveryNs(), SHIPPER_IDLE_PARK_NS);
    shipperThread =
        new AgentThread(agent, park, context.ring().threadName("shipper"), clock, this, ledger);
    ShippingThread shipping = new ShippingThread(account, shipper, shipperThread);
    EventSink sink;
    ParkPolicy parkOfSink = null;
    if (settings.jvm() == null) {
      SpoolOpener opener = new SpoolOpener(context, locator, account, SpoolBudgets.OF_PROCESS);
      overflow = overflow(context, locator, queue, strays);
      SpoolPlace spools = new SpoolPlace(opener, queue, account, shipperThread, overflow);
      Function<ILoggingEvent, byte[]> attributes = attributes(target, redactor);
      Encoder<ILoggingEvent> lines = redactor == null ? encoder : redacted(encoder, redactor);
      sink = new SpoolSink(context, account, lines, attributes, spools, shipping, recorder(ledger));
      place = spools;
    } else {
      JvmSink ofJvm =
          new JvmSink(context, account, locator, queue, shipping, parts.file(), this::wakeFlusher);
      overflow = null;
      sink = ofJvm;
      place = ofJvm.source;
      parkOfSink = ofJvm.park();
    }
    PipelineContext ofRing =
        new PipelineContext(context.loggers(), clock, context, context.voice());
    pipeline = new Pipeline(context.ring(), sink, ledger, listeners, this, ofRing, parkOfSink);
    pipeline.failures().watch(account.log, account.spool, account.reading);
  }

  private @Nullable FlightRecorder recorder(Ledger ledger) {
    return flight == null
        ? null
        : new FlightRecorder(
            flight, ledger, context.ring().ringCapacity(), context.ring().redactor());
  }

  private Encoder<ILoggingEvent> redacted(Encoder<ILoggingEvent> encoder, Redactor redactor) {
    redactor.reportTo(context.voice()::warn);
    return RedactedLines.of(encoder, redactor);
  }

  /** What makes the attributes of an event; null if the target needs none. */
  static @Nullable Function<ILoggingEvent, byte[]> attributes(
      @Nullable Target target, @Nullable Redactor redactor) {
    if (!(target instanceof DestinationOptions topic)) {
      return null;
    }
    if (redactor == null) {
      return topic::attributes;
    }
    EventRedactor events = new EventRedactor(redactor);
    return event -> topic.attributes(events.wholeUncounted(event));
  }

  /** Frees what is held until nothing is spooled any more. */
  void end() {
    if (slots != null) {
      slots.close();
    }
  }

  private Destination destination(boolean rolls, byte[] lineEnd) {
    Target target = context.settings().target();
    if (target != null) {
      return target.destination(parts.header(), parts.footer(), lineEnd, account);
    }
    RollingLog made = log(rolls, lineEnd);
    log = made;
    return new FileDestination(made, context.settings().fsync().forces(), context.clock());
  }

  /** Whether another process ships what is left here. */
  boolean isShippedByOther() {
    return shipper.isElsewhere();
  }

  /** Starts what is behind the spool, before the pipeline. */
  void startShipper() {
    shipperThread.start();
    if (overflow != null) {
      overflow.begin();
    }
  }

  static @Nullable Overflow overflow(
      StartContext context, LogLocator locator, SpoolQueue queue, StrayShipper strays) {
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
            places(context),
            locator,
            queue,
            strays);
  }

  /** Distinguishes programs, and appenders of one, by values that do not change at a restart. */
  private static Slots slots(StartContext context, Target target) {
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
        context.settings().keepsLeft(),
        context.apart() != null);
  }

  private RollingLog log(boolean rolls, byte[] lineEnd) {
    return new RollingLog(
        new LogSettings(
            context.disk(),
            parts.file(),
            parts.appender.isAppend(),
            rolls ? parts.rollingPolicy : null,
            rolls ? parts.triggeringPolicy : null,
            ByteBuffer.wrap(parts.header()),
            ByteBuffer.wrap(parts.footer()),
            ByteBuffer.wrap(lineEnd),
            context.settings().filePermissions(),
            context.voice(),
            account));
  }

  static StrayShipper strays(
      StartContext context,
      LogLocator locator,
      ShippingMetrics account,
      SpoolQueue ours,
      byte[] lineEnd) {
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
                seen ->
                    target.destination(LogbackParts.NOTHING, LogbackParts.NOTHING, lineEnd, seen),
                locator,
                account,
                context.settings().keepsLeft());
    return new StrayShipper(context.disk(), places(context), targets, ours, context.clock());
  }

  /** Where spools may be; the default place has perhaps been used earlier. */
  private static List<Path> places(StartContext context) {
    Path wanted = context.settings().spoolDirectory();
    Path usual = Path.of(context.disk().spoolPlace());
    return wanted.equals(usual) ? List.of(wanted) : List.of(wanted, usual);
  }

  /** The shipper's thread has met an Error. */
  @Override
  public void accept(Throwable t) {
    context.voice().warn("The shipper failed", t);
  }

  /** Completes what a dead JVM has left. The shipper's thread. */
  @Override
  public @Nullable SegmentFeed apply(SpoolDirectory directory, SpoolLease lease) {
    return JvmReading.rescue(directory, lease);
  }

  /**
   * The log is located, for which the flusher waits: now it is known which older spools are to be
   * shipped first. The shipper's thread.
   */
  @Override
  public void run() {
    if (slots != null && !slots.left.isEmpty()) {
      Path first = slots.left.get(0);
      context
          .voice()
          .warn(
              "lines that %d earlier runs left for %s stay in the spool: <left>ship</left> writes them there, and forebay recover --to FILE %s into a file"
                  .formatted(slots.left.size(), context.settings().logName(), first));
    }
    if (slots == null) {
      for (Path each : places(context)) {
        addExisting(each, false);
      }
    } else if (slots.claimed() != null) { // elsewhere another process may live in our slot
      queue.addDirectory(slots.claimed());
    }
    OverflowSettings beyond = context.settings().overflow();
    if (overflow != null && beyond != null) {
      addExisting(beyond.directory(), true);
      overflow.wake();
    }
    wakeFlusher(); // last: the directory that it creates is none that existed
  }

  private void addExisting(Path base, boolean isOverflow) {
    try {
      SpoolDirectory there = SpoolDirectory.openExisting(context.disk(), base, locator.get());
      if (there != null && !isOverflow) {
        queue.addDirectory(there);
      } else if (there != null && overflow != null && !there.isEmpty()) {
        overflow.requireElsewhere(there);
        queue.addOverflow(there);
      }
    } catch (IOException e) {
      // We cannot have spooled to a directory that we cannot open.
    }
  }

  /** Made by the reporter's thread, some time after the start. */
  @Override
  public ControlEndpoint get() {
    return isSteerable() ? control().endpoint() : view().endpoint();
  }

  boolean isSteerable() {
    return context.settings().control();
  }

  TieredControl control() {
    return new TieredControl(context, gate, place, flight, parts.appender, this::requestRoll);
  }

  TieredView view() {
    return new TieredView(context, gate, place, flight);
  }

  private void wakeFlusher() {
    pipeline.wakeFlusher();
  }

  private void wakeShipper() {
    shipperThread.wake();
  }

  private CompletableFuture<String> requestRoll() {
    RollingLog files = log;
    boolean isElsewhere = isShippedByOther();
    if (files == null || isElsewhere) {
      String fault = isElsewhere ? " is written by another process" : " has no files";
      return CompletableFuture.completedFuture(context.settings().logName() + fault);
    }
    CompletableFuture<String> answer = files.requestRoll();
    wakeShipper();
    return answer;
  }
}
