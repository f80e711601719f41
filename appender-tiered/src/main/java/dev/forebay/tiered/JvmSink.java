package dev.forebay.tiered;

import ch.qos.logback.classic.spi.ILoggingEvent;
import dev.forebay.agent.ParkPolicy;
import dev.forebay.agent.TimeLimit;
import dev.forebay.observe.DropReason;
import dev.forebay.pipeline.EventSink;
import dev.forebay.tiered.jvm.JvmAccount;
import dev.forebay.tiered.jvm.JvmLines;
import dev.forebay.tiered.jvm.JvmSettings;
import dev.forebay.tiered.jvm.JvmSource;
import dev.forebay.tiered.ship.LogLocator;
import dev.forebay.tiered.ship.SpoolQueue;
import dev.forebay.tiered.spool.OwnSpool;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * Has the JVM's files looked at in each turn of the flusher, which gets no events here; the shipper
 * reads them. For the flusher's thread, unless a comment says otherwise.
 */
final class JvmSink implements EventSink {

  final JvmSource source;

  private final StartContext context;
  private final ShippingMetrics account;
  private final Runnable wakeFlusher;
  private final JvmAccount read;
  private final ShippingThread shipping;

  /**
   * @param file as configured
   * @param wakeFlusher causes a turn of the flusher; any thread
   */
  JvmSink(
      StartContext context,
      ShippingMetrics account,
      LogLocator locator,
      SpoolQueue queue,
      ShippingThread shipping,
      @Nullable String file,
      Runnable wakeFlusher) {
    String owner =
        "appender [%s] of context [%s] with <file> %s"
            .formatted(context.ring().appender(), context.loggers().getName(), file);
    JvmSettings settings = Objects.requireNonNull(context.settings().jvm());
    Apart apart = context.apart();
    if (apart != null) { // another JVM may have others ship the same log
      queue.readLive(new JvmLines());
    }
    this.context = context;
    this.account = account;
    this.wakeFlusher = wakeFlusher;
    this.source =
        new JvmSource(
            settings,
            context.disk(),
            context.settings().spoolDirectory(),
            locator,
            queue,
            context.settings().logName().normalize(),
            apart == null ? null : apart.description().encode(),
            owner,
            context.voice());
    this.read = settings.account();
    this.shipping = shipping;
    context.ledger().addIntake(read);
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
    long nowNs = context.clock().nanoTime();
    OwnSpool before = source.get();
    int lines = source.turn(nowNs);
    OwnSpool now = source.get();
    if (source.isPlaced() && now == null) {
      account.tried();
    }
    if (now != before) {
      shipping.wake();
    }
    if (lines > 0) {
      shipping.follow(nowNs, source.restNs() == 0);
    }
  }

  /** Until the JVM may have written again: it cannot wake the thread. */
  ParkPolicy park() {
    return (workDone, nowNs) -> source.restNs();
  }

  @Override
  public boolean makeReady() {
    return true; // nothing waits in the ring
  }

  /**
   * Only reports come: the appender has no log calls. They need no line: where some are missing, a
   * line of ours says so.
   */
  @Override
  public boolean accept(ILoggingEvent report, byte @Nullable [] encoded) {
    context.ledger().deliver(1);
    return true;
  }

  @Override
  public void endOfBatch() {}

  /** Any thread. */
  @Override
  public boolean flush(TimeLimit limit) {
    long before = source.emptyTurns();
    boolean isRead =
        limit.await(
            () -> {
              wakeFlusher.run();
              // The first may have begun before.
              return source.emptyTurns() > before + 1
                  || shipping.hasEnded()
                  || shipping.endsWithoutLog(); // a JVM that goes on writing leaves no turn empty
            });
    return isRead && shipping.await(read.accepted(), this, limit);
  }

  @Override
  public void prepareForShutdown() {
    shipping.prepareForShutdown();
  }

  @Override
  public void close() {
    source.close();
  }

  @Override
  public void stop(long timeoutNs) {
    shipping.stop(timeoutNs);
  }

  @Override
  public void show(Map<String, Long> shown) {
    account.show(shown, source.get());
    shown.put("lostBytes", read.lostBytes());
  }
}
