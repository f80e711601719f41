package dev.forebay.tiered;

import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.LoggerContext;
import dev.forebay.agent.Once;
import dev.forebay.observe.Levels;
import dev.forebay.tiered.flight.Flight;
import dev.forebay.tiered.flight.FlightSettings;
import dev.forebay.tiered.identity.LogIdentity;
import dev.forebay.tiered.spool.Loop;
import dev.forebay.tiered.spool.Spool;
import dev.forebay.tiered.spool.SpoolBudget;
import dev.forebay.tiered.spool.SpoolBudgets;
import dev.forebay.tiered.spool.SpoolDirectory;
import java.io.IOException;
import org.jspecify.annotations.Nullable;

/** The flight recorder of one start: opens its loops beside the spools, on the flusher's thread. */
final class FlightAssembly implements Flight.Host {

  private static final long RETRY_NS = 10_000_000_000L;

  private final TieredStart start;
  private final FlightSettings recorded;
  final Flight flight;

  // Flusher's thread only.
  private final Once once;
  private long nextTryNs;

  FlightAssembly(TieredStart start, FlightSettings recorded) {
    this.start = start;
    this.recorded = recorded;
    this.once = new Once(start.context.voice());
    this.nextTryNs = start.context.clock().nanoTime();
    this.flight =
        new Flight(
            recorded,
            start.context.settings().logName(),
            start.context.disk(),
            start.context.settings().fsync().forces(),
            this,
            start.context.voice(),
            start.context.clock(),
            start);
  }

  @Override
  public @Nullable SpoolDirectory directory() {
    LogIdentity log = start.locator.known();
    try {
      return log == null
          ? null
          : SpoolDirectory.openExisting(
              start.context.disk(), start.context.settings().spoolDirectory(), log);
    } catch (IOException e) {
      return null; // then the spool cannot be there either, and its opening is reported
    }
  }

  @Override
  public void wakeShipper() {
    start.wakeShipper();
  }

  @Override
  public void wakeFlusher() {
    start.wakeFlusher();
  }

  @Override
  public void onFirstEvent() {
    LoggerContext context = start.context.loggers();
    boolean isMore = recorded.logFrom() == 0 || !context.getTurboFilterList().isEmpty();
    for (Logger logger : context.getLoggerList()) {
      isMore |= Levels.indexOf(logger.getEffectiveLevel()) < recorded.logFrom();
    }
    if (!isMore) {
      start
          .context
          .voice()
          .warn(
              "<flightRecorder> records nothing more than the log, since no logger is below its <level> %s: lower the level of your own packages, for example <logger name=\"com.example\" level=\"TRACE\"/>"
                  .formatted(Levels.of(recorded.logFrom()).name()));
    }
  }

  /** Opens no loop while there is no spool, or only one in the heap. */
  @Override
  public @Nullable Loop open(long nowNs) {
    Spool spool = (Spool) start.spool();
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
              start.context.disk(), directory.path().resolveSibling(""), start.context.clock());
      Loop loop;
      synchronized (budget.creation) {
        loop =
            directory.createLoop(
                budget.share(recorded.sizeBytes(), start.context.settings().segmentBytes()),
                recorded.keepNs(),
                start.context.ledger()::expire,
                start,
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
            .formatted(start.context.settings().spoolDirectory(), fault));
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
