package dev.forebay.tiered;

import dev.forebay.observe.Ledger;
import dev.forebay.tiered.flight.FlightContext;
import dev.forebay.tiered.flight.FlightSettings;
import dev.forebay.tiered.spool.Loop;
import dev.forebay.tiered.spool.SpoolBudget;
import dev.forebay.tiered.spool.SpoolDirectory;
import java.io.IOException;
import org.jspecify.annotations.Nullable;

/** Opens the loop of a flight recorder beside the spool. For the flusher's thread. */
final class LoopOpener {

  private static final long RETRY_NS = 10_000_000_000L;

  private final FlightContext context;
  private final TieredSettings settings;
  private final FlightSettings flight;
  private final SpoolPlace place;
  private final Ledger ledger;
  private boolean warnedFault;
  private boolean hasFailed;
  private long failedNs;
  private boolean warnedSize;

  LoopOpener(
      FlightContext context,
      TieredSettings settings,
      FlightSettings flight,
      SpoolPlace place,
      Ledger ledger) {
    this.context = context;
    this.settings = settings;
    this.flight = flight;
    this.place = place;
    this.ledger = ledger;
  }

  /** A new loop; null while there is no spool, or only one in the heap. */
  @Nullable Loop open(long nowNs) {
    SpoolDirectory directory = place.directoryOnDisk();
    if (directory == null) {
      if (place.isInHeap()) {
        warnOfFault("the spool is in the heap");
      }
      return null;
    }
    if (hasFailed && nowNs - failedNs < RETRY_NS) {
      return null;
    }
    try {
      SpoolBudget budget =
          SpoolBudgets.OF_PROCESS.at(
              context.disk(), directory.path().resolveSibling(""), context.clock());
      Loop loop =
          directory.createLoop(
              budget.loop(flight.sizeBytes(), settings.segmentBytes()),
              flight.keepNs(),
              ledger::expire,
              context.wallClockMs(),
              nowNs,
              flight.dumpAtCrash());
      warnedFault = false;
      hasFailed = false;
      warnOfSize(budget.limitBytes());
      return loop;
    } catch (IOException e) {
      hasFailed = true;
      failedNs = nowNs;
      warnOfFault(String.valueOf(e.getMessage()));
      return null;
    }
  }

  private void warnOfFault(String fault) {
    if (!warnedFault) {
      warnedFault = true;
      warn(
          "<flightRecorder> cannot record in <spoolDirectory> %s: %s; events below its <level> are dropped until it can; retrying every 10 s"
              .formatted(settings.spoolDirectory(), fault));
    }
  }

  private void warn(String text) {
    context.voice().warn(text, null);
  }

  private void warnOfSize(long budgetBytes) {
    if (!warnedSize && flight.sizeBytes() > budgetBytes) {
      warnedSize = true;
      warn(
          "<size> of <flightRecorder> is %d bytes, but it and the spools share %d bytes: it records at most that and less while spools need room; write a smaller <size> or provide more memory"
              .formatted(flight.sizeBytes(), budgetBytes));
    }
  }
}
