package dev.forebay.tiered;

import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.LoggerContext;
import dev.forebay.agent.Once;
import dev.forebay.observe.Levels;
import dev.forebay.tiered.flight.Flight;
import dev.forebay.tiered.flight.FlightSettings;
import dev.forebay.tiered.identity.LogIdentity;
import dev.forebay.tiered.ship.LogLocator;
import dev.forebay.tiered.spool.Loop;
import dev.forebay.tiered.spool.Spool;
import dev.forebay.tiered.spool.SpoolBudget;
import dev.forebay.tiered.spool.SpoolBudgets;
import dev.forebay.tiered.spool.SpoolDirectory;
import java.io.IOException;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** What a flight recorder has of its appender: opens its loops beside the spools. */
final class FlightHost implements Flight.Host {

  private static final long RETRY_NS = 10_000_000_000L;

  private final StartContext context;
  private final FlightSettings recorded;
  private final LogLocator locator;
  private final Runnable shipper;
  private final Runnable flusher;

  // Flusher's thread only.
  private final Once once;
  private long nextTryNs;

  private FlightHost(
      StartContext context,
      FlightSettings recorded,
      LogLocator locator,
      Runnable shipper,
      Runnable flusher) {
    this.context = context;
    this.recorded = recorded;
    this.locator = locator;
    this.shipper = shipper;
    this.flusher = flusher;
    this.once = new Once(context.voice());
    this.nextTryNs = context.clock().nanoTime();
  }

  /**
   * The recorder of a start that has one.
   *
   * @param shipper causes a turn of the shipper's thread; any thread
   * @param flusher causes one of the flusher's
   */
  static Flight flight(
      StartContext context, LogLocator locator, Runnable shipper, Runnable flusher) {
    FlightSettings recorded = Objects.requireNonNull(context.settings().flight());
    return new Flight(
        recorded,
        context.settings().logName(),
        context.disk(),
        context.settings().fsync().forces(),
        new FlightHost(context, recorded, locator, shipper, flusher),
        context.voice(),
        context.clock(),
        context);
  }

  @Override
  public @Nullable SpoolDirectory directory() {
    LogIdentity log = locator.known();
    try {
      return log == null
          ? null
          : SpoolDirectory.openExisting(context.disk(), context.settings().spoolDirectory(), log);
    } catch (IOException e) {
      return null; // then the spool cannot be there either, and its opening is reported
    }
  }

  @Override
  public void wakeShipper() {
    shipper.run();
  }

  @Override
  public void wakeFlusher() {
    flusher.run();
  }

  @Override
  public void onFirstEvent() {
    LoggerContext loggers = context.loggers();
    boolean isMore = recorded.logFrom() == 0 || !loggers.getTurboFilterList().isEmpty();
    for (Logger logger : loggers.getLoggerList()) {
      isMore |= Levels.indexOf(logger.getEffectiveLevel()) < recorded.logFrom();
    }
    if (!isMore) {
      context
          .voice()
          .warn(
              "<flightRecorder> records nothing more than the log, since no logger is below its <level> %s: lower the level of your own packages, for example <logger name=\"com.example\" level=\"TRACE\"/>"
                  .formatted(Levels.of(recorded.logFrom()).name()));
    }
  }

  /** Opens no loop while there is no spool, or only one in the heap. */
  @Override
  public @Nullable Loop open(@Nullable Spool spool, long nowNs) {
    if (spool != null && spool.isInHeap() && once.isOver("place")) { // in each turn
      warnOfFault("the spool is in the heap");
    }
    if (spool == null || spool.isInHeap() || nowNs - nextTryNs < 0) {
      return null;
    }
    SpoolDirectory directory = spool.directory();
    try {
      SpoolBudget budget =
          SpoolBudgets.OF_PROCESS.loopsAt(
              context.disk(), directory.path().resolveSibling(""), context.clock());
      Loop loop;
      synchronized (budget.creation) {
        loop =
            directory.createLoop(
                budget.share(recorded.sizeBytes(), context.settings().segmentBytes()),
                recorded.keepNs(),
                context.ledger()::expire,
                context,
                nowNs,
                recorded.dumpAtCrash());
      }
      once.over("place");
      warnOfSize(budget.limitBytes());
      return loop;
    } catch (IOException e) {
      nextTryNs = nowNs + RETRY_NS;
      warnOfFault(String.valueOf(e.getMessage()));
      return null;
    }
  }

  private void warnOfFault(String fault) {
    once.warn(
        "place",
        "<flightRecorder> cannot record in <spoolDirectory> %s: %s; events below its <level> are dropped until it can; retrying every 10 s"
            .formatted(context.settings().spoolDirectory(), fault));
  }

  private void warnOfSize(long budgetBytes) {
    if (recorded.sizeBytes() > budgetBytes) {
      once.warn(
          "size",
          "<size> of <flightRecorder> is %d bytes, but all recorders share %d bytes; write a smaller <size> or provide more memory"
              .formatted(recorded.sizeBytes(), budgetBytes));
    }
  }
}
