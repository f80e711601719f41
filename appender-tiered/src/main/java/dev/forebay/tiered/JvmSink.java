package dev.forebay.tiered;

import ch.qos.logback.classic.spi.ILoggingEvent;
import dev.forebay.agent.AgentThread;
import dev.forebay.agent.NanoClock;
import dev.forebay.agent.ParkPolicy;
import dev.forebay.agent.Patience;
import dev.forebay.observe.DropReason;
import dev.forebay.observe.Ledger;
import dev.forebay.pipeline.EventSink;
import dev.forebay.tiered.jvm.JvmAccount;
import dev.forebay.tiered.jvm.JvmSource;
import dev.forebay.tiered.ship.Shipper;
import java.nio.file.Path;

/**
 * Has the JVM's files looked at in each turn of the flusher, which gets no events here; the shipper
 * reads them. For the flusher's thread, unless a comment says otherwise.
 */
final class JvmSink implements EventSink {

  /** After a pause this long without lines, the next ones are shipped at once. */
  private static final long QUIET_NS = 100_000_000;

  /** The least time the shipper gets to commit and close when the appender stops. */
  private static final long MIN_STOP_NS = 100_000_000;

  private final JvmSource source;
  private final JvmPlace place;
  private final JvmAccount read;
  private final Shipper shipper;
  private final AgentThread shipperThread;
  private final ShippingMetrics account;
  private final Ledger ledger;
  private final NanoClock clock;

  /** Causes a turn. Set before the threads start. */
  private Runnable wake = () -> {};

  private long lastLinesNs;

  /** Set once, by the shutdown hook: the shipper follows each turn; read by flush too. */
  private volatile boolean ending;

  /** Set at the end of stop(): no turn follows. */
  private volatile boolean ended;

  private JvmSink(
      JvmSource source,
      JvmPlace place,
      Shipper shipper,
      AgentThread shipperThread,
      ShippingMetrics account,
      StartContext start) {
    this.source = source;
    this.place = place;
    this.read = place.jvm().account();
    this.shipper = shipper;
    this.shipperThread = shipperThread;
    this.account = account;
    this.ledger = start.ledger();
    this.clock = start.clock();
    ledger.addIntake(read);
  }

  static JvmSink of(
      StartContext start,
      JvmPlace place,
      Shipper shipper,
      AgentThread shipperThread,
      ShippingMetrics account) {
    TieredAppender appender = start.appender();
    String file = String.valueOf(appender.rawFileProperty());
    String owner =
        "appender [%s] of context [%s] with <file> %s"
            .formatted(appender.getName(), appender.loggerContext().getName(), file);
    Path log = Path.of(file).toAbsolutePath().normalize();
    JvmSource source = new JvmSource(place.jvm(), log, place, owner, start.voice());
    return new JvmSink(source, place, shipper, shipperThread, account, start);
  }

  void connect(Runnable wakeFlusher) {
    wake = wakeFlusher;
  }

  @Override
  public String name() {
    return "the JVM's log";
  }

  @Override
  public DropReason failureReason() {
    return DropReason.SPOOL_FULL;
  }

  @Override
  public void beginTurn(boolean eventsWait) {
    long nowNs = clock.nanoTime();
    int lines = source.turn(nowNs);
    place.tell();
    if (lines == 0) {
      return;
    }
    if (ending) {
      shipperThread.wake();
    } else if (nowNs - lastLinesNs > QUIET_NS || source.restNs() == 0) {
      shipperThread.wakeIfParked();
    } else {
      shipperThread.wakeIfAsleep();
    }
    lastLinesNs = nowNs;
  }

  @Override
  public ParkPolicy ownPark() {
    return (workDone, nowNs) -> source.restNs();
  }

  @Override
  public boolean isReady() {
    return true; // nothing waits in the ring
  }

  /** No event comes: the appender has no log calls. */
  @Override
  public void accept(ILoggingEvent event) {}

  /** Needs no line: where some are missing, a line of ours says so. */
  @Override
  public boolean acceptReport(ILoggingEvent report) {
    ledger.deliver(1);
    return true;
  }

  @Override
  public void endOfBatch() {}

  /** Any thread. */
  @Override
  public boolean flush(long timeoutNs) {
    long startNs = clock.nanoTime();
    long number = source.ask();
    boolean isRead =
        Patience.await(
            () -> {
              wake.run();
              return source.isAnswered(number) || ended;
            },
            timeoutNs,
            clock);
    long target = read.accepted();
    return isRead
        && Patience.await(
            () -> {
              shipper.requestCommit();
              shipperThread.wake();
              return account.handled() >= target || ended || isHopeless();
            },
            Math.max(0, timeoutNs - (clock.nanoTime() - startNs)),
            clock)
        && account.handled() >= target;
  }

  /** A log that fails is not waited for while the JVM is ending: a later start can ship. */
  private boolean isHopeless() {
    return ending && account.logHealth().isFailing();
  }

  @Override
  public void prepareForShutdown() {
    ending = true;
    shipper.requestCommit();
    shipperThread.wake();
  }

  @Override
  public void close() {
    source.close();
  }

  @Override
  public void stop(long timeoutNs) {
    shipperThread.requestStop();
    if (!shipperThread.join(Math.max(MIN_STOP_NS, timeoutNs))) {
      shipper.timeOut();
      shipperThread.wake();
      shipperThread.join(MIN_STOP_NS);
    }
    ended = true;
  }
}
