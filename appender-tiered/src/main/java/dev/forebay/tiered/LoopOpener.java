package dev.forebay.tiered;

import dev.forebay.tiered.flight.FlightSettings;
import dev.forebay.tiered.spool.Loop;
import dev.forebay.tiered.spool.SpoolBudget;
import dev.forebay.tiered.spool.SpoolBudgets;
import dev.forebay.tiered.spool.SpoolDirectory;
import java.io.IOException;
import org.jspecify.annotations.Nullable;

/** Opens the loop of a flight recorder beside the spool. For the flusher's thread. */
final class LoopOpener {

  private static final long RETRY_NS = 10_000_000_000L;

  private final StartContext start;
  private final FlightSettings flight;
  private final SpoolPlace place;
  private boolean warnedFault;
  private boolean hasFailed;
  private long failedNs;
  private boolean warnedSize;

  LoopOpener(StartContext start, FlightSettings flight, SpoolPlace place) {
    this.start = start;
    this.flight = flight;
    this.place = place;
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
              start.disk(), directory.path().resolveSibling(""), start.clock()::nanoTime);
      Loop loop =
          directory.createLoop(
              budget.loop(flight.sizeBytes(), start.settings().segmentBytes()),
              flight.keepNs(),
              start.ledger()::expire,
              start.wallClockMs(),
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
              .formatted(start.settings().spoolDirectory(), fault));
    }
  }

  private void warn(String text) {
    start.voice().warn(text, null);
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
