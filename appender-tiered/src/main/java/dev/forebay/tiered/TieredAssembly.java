package dev.forebay.tiered;

import ch.qos.logback.classic.LoggerContext;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.encoder.Encoder;
import dev.forebay.agent.AdaptivePark;
import dev.forebay.agent.Agent;
import dev.forebay.agent.AgentThread;
import dev.forebay.agent.NanoClock;
import dev.forebay.observe.ControlMXBean;
import dev.forebay.observe.FailureNotifier;
import dev.forebay.pipeline.EventSink;
import dev.forebay.pipeline.JmxRegistration;
import dev.forebay.pipeline.Outpost;
import dev.forebay.pipeline.Pipeline;
import dev.forebay.pipeline.PipelineContext;
import dev.forebay.pipeline.PipelineSettings;
import dev.forebay.pipeline.ThreadNames;
import dev.forebay.tiered.control.ControlPost;
import dev.forebay.tiered.disk.Disk;
import dev.forebay.tiered.file.FileDestination;
import dev.forebay.tiered.file.FilesBeside;
import dev.forebay.tiered.file.LogSettings;
import dev.forebay.tiered.file.RollingLog;
import dev.forebay.tiered.flight.Flight;
import dev.forebay.tiered.flight.FlightSettings;
import dev.forebay.tiered.jvm.JvmRescue;
import dev.forebay.tiered.ship.Shipper;
import dev.forebay.tiered.ship.SpoolQueue;
import dev.forebay.tiered.ship.StrayNotices;
import dev.forebay.tiered.ship.StrayShipper;
import dev.forebay.tiered.spool.OwnSpool;
import dev.forebay.tiered.spool.SpoolBudgets;
import dev.forebay.tiered.spool.Voice;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.util.List;
import java.util.function.Consumer;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** Assembles the stages of one start. Used by the thread that starts the appender. */
final class TieredAssembly implements Consumer<Throwable> {

  /** About a megabyte. Each turn evicts cache lines that callers use. */
  private static final int RECORDS_PER_TURN = 8192;

  private static final long SHIPPER_IDLE_PARK_NS = 1_000_000_000;

  private final StartContext start;
  private final TieredAppender appender;
  private final PipelineSettings ring;
  private final TieredSettings settings;
  private final NanoClock clock;
  private final Disk disk;
  private final Voice voice;
  private final ShippingMetrics account;
  private @Nullable Flight flight;

  TieredAssembly(StartContext start) {
    this.start = start;
    this.appender = start.appender();
    this.ring = start.ring();
    this.settings = start.settings();
    this.clock = start.clock();
    this.disk = start.disk();
    this.voice = start.voice();
    this.account = new ShippingMetrics(start);
  }

  /** The account of this start's events after the ring. */
  ShippingMetrics account() {
    return account;
  }

  Pipeline assemble() {
    Encoder<ILoggingEvent> encoder = appender.getEncoder();
    LogLocator locator = new LogLocator(disk, settings.logName());
    RollingLog log = log(encoder);
    SpoolQueue queue =
        new SpoolQueue(
            new FileDestination(log, settings.logName(), settings.fsync().forces(), clock),
            directory -> JvmRescue.run(directory),
            account,
            start.wallClockMs(),
            StrayNotices.OF_PROCESS);
    Shipper shipper =
        new Shipper(
            queue, settings.fsync(), account, clock, start.wallClockMs(), locator, strays(locator));
    ThreadNames names = new ThreadNames(ring.threadNameFormat(), ring.appender());
    FlightAssembly recording = flightAssembly(locator);
    flight = recording == null ? null : recording.flight();
    AgentThread shipperThread =
        shipperThread(
            recording == null ? shipper : new TwoAgents(shipper, recording.dumper()),
            names.of("shipper"));
    Pipeline pipeline;
    if (settings.jvm() == null) {
      SpoolOpener opener = new SpoolOpener(start, locator, SpoolBudgets.OF_PROCESS);
      SpoolPlace place =
          new SpoolPlace(opener, queue, account, shipperThread::wake, shipperThread::wakeIfAsleep);
      SpoolSink spoolSink = sink(encoder, place, shipper, shipperThread);
      EventSink sink = recording == null ? spoolSink : recording.sink(spoolSink, encoder);
      pipeline = pipeline(sink, place, log, shipperThread, names);
      if (recording != null) {
        recording.connect(place, shipperThread::wake, pipeline::wakeFlusher);
      }
    } else {
      JvmPlace place = new JvmPlace(start, locator, queue, account, shipperThread::wake);
      JvmSink sink = JvmSink.of(start, place, shipper, shipperThread, account);
      pipeline = pipeline(sink, place, log, shipperThread, names);
      sink.connect(pipeline::wakeFlusher);
    }
    watchOutputs(pipeline.failures());
    locator.whenLocated(pipeline::wakeFlusher);
    shipperThread.start();
    return pipeline;
  }

  private Pipeline pipeline(
      EventSink sink,
      Supplier<@Nullable OwnSpool> place,
      RollingLog log,
      AgentThread shipperThread,
      ThreadNames names) {
    return new Pipeline(
        ring,
        sink,
        start.ledger(),
        appender.pipelineOptions().listeners(),
        () -> outpost(place, log, shipperThread),
        context(),
        names);
  }

  private PipelineContext context() {
    return new PipelineContext(appender.loggerContext(), clock, start.wallClockMs(), voice);
  }

  private SpoolSink sink(
      Encoder<ILoggingEvent> encoder,
      SpoolPlace place,
      Shipper shipper,
      AgentThread shipperThread) {
    Boolean configured = settings.callerEncoding();
    boolean callersEncode = TextEncoders.areForCallers(encoder, configured);
    if (settings.durability() != null && !callersEncode && !Boolean.FALSE.equals(configured)) {
      voice.warn(
          "<durability>: each such log call waits for the flusher's thread, since the encoder %s is not one that log calls may call; <callerEncoding>true</callerEncoding> if it bears several threads and does not block, false if it is to stay so"
              .formatted(encoder.getClass().getName()),
          null);
    }
    return new SpoolSink(start, encoder, callersEncode, place, shipper, shipperThread, account);
  }

  private AgentThread shipperThread(Agent agent, String name) {
    return new AgentThread(
        agent,
        new AdaptivePark(RECORDS_PER_TURN, settings.fsync().lookEveryNs(), SHIPPER_IDLE_PARK_NS),
        name,
        clock,
        this,
        false);
  }

  /** The shipper's thread has met an Error. */
  @Override
  public void accept(Throwable t) {
    voice.warn("The shipper failed", t);
  }

  private void watchOutputs(FailureNotifier failures) {
    failures.watch(account.logHealth());
    failures.watch(account.spoolHealth());
    failures.watch(account.readHealth());
  }

  private @Nullable FlightAssembly flightAssembly(LogLocator locator) {
    FlightSettings recorded = settings.flight();
    return recorded == null ? null : new FlightAssembly(start, recorded, locator);
  }

  /** What others see. Made by the reporter's thread, some time after the start. */
  private Outpost outpost(
      Supplier<@Nullable OwnSpool> place, RollingLog log, AgentThread shipperThread) {
    Flight recorder = flight;
    LoggerContext context = appender.loggerContext();
    if (!settings.control()) {
      return new JmxRegistration(
          context, ring.appender(), new TieredBean(start, place, account, recorder), voice);
    }
    ControlMXBean control = TieredControl.of(start, log, shipperThread, place, account, recorder);
    return new ControlPost(
        control,
        new JmxRegistration(context, ring.appender(), control, voice),
        disk.userId(),
        () -> directory(place.get()),
        voice,
        appender.statuses()::info);
  }

  /** Null if there is none that outlives the process. */
  private static @Nullable Path directory(@Nullable OwnSpool spool) {
    return spool == null || spool.isInHeap() ? null : spool.path();
  }

  /** The flight recorder of this start; null if it has none. */
  @Nullable Flight flight() {
    return flight;
  }

  private RollingLog log(Encoder<ILoggingEvent> encoder) {
    return new RollingLog(
        new LogSettings(
            disk,
            appender.rawFileProperty(),
            appender.keepsExistingFile(),
            appender.rollingPolicy(),
            appender.triggeringPolicy(),
            bytesOf(encoder.headerBytes()),
            bytesOf(encoder.footerBytes()),
            TextEncoders.includes(encoder),
            voice,
            account));
  }

  private StrayShipper strays(LogLocator locator) {
    Path wanted = settings.spoolDirectory();
    Path usual = Path.of(TieredOptions.DEFAULT_SPOOL_DIRECTORY);
    return new StrayShipper(
        disk,
        wanted.equals(usual) ? List.of(wanted) : List.of(wanted, usual), // perhaps used earlier
        new FilesBeside(disk, settings.logName(), locator, voice, clock),
        directory -> JvmRescue.run(directory),
        StrayNotices.OF_PROCESS,
        account,
        appender.statuses()::info,
        clock,
        start.wallClockMs());
  }

  private static ByteBuffer bytesOf(byte @Nullable [] bytes) {
    return bytes == null ? ByteBuffer.allocate(0) : ByteBuffer.wrap(bytes.clone());
  }
}
