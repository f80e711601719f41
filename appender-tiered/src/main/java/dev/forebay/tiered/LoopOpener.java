package dev.forebay.tiered;

import dev.forebay.agent.NanoClock;
import dev.forebay.observe.Ledger;
import dev.forebay.tiered.disk.Disk;
import dev.forebay.tiered.flight.FlightSettings;
import dev.forebay.tiered.spool.Loop;
import dev.forebay.tiered.spool.SpoolDirectory;
import dev.forebay.tiered.spool.SpoolLimits;
import java.io.IOException;
import java.util.function.Consumer;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/** Opens the loop of a flight recorder beside the spool. For the flusher's thread. */
final class LoopOpener {

  private static final long RETRY_NS = 10_000_000_000L;

  private final Disk disk;
  private final TieredSettings settings;
  private final FlightSettings flight;
  private final SpoolPlace place;
  private final SpoolBudgets budgets;
  private final Ledger ledger;
  private final NanoClock clock;
  private final LongSupplier wallClockMs;
  private final Consumer<String> warnings;
  private boolean warnedFault;
  private boolean hasFailed;
  private long failedNs;
  private boolean warnedSize;

  LoopOpener(
      Disk disk,
      TieredSettings settings,
      FlightSettings flight,
      SpoolPlace place,
      SpoolBudgets budgets,
      Ledger ledger,
      NanoClock clock,
      LongSupplier wallClockMs,
      Consumer<String> warnings) {
    this.disk = disk;
    this.settings = settings;
    this.flight = flight;
    this.place = place;
    this.budgets = budgets;
    this.ledger = ledger;
    this.clock = clock;
    this.wallClockMs = wallClockMs;
    this.warnings = warnings;
  }

  /** A new loop; null while there is no spool, or only one in the heap. */
  @Nullable Loop open(long nowNs) {
    SpoolDirectory directory = place.directoryOnDisk();
    if (directory == null) {
      if (place.isInHeap()) {
        warn("the spool is in the heap");
      }
      return null;
    }
    if (hasFailed && nowNs - failedNs < RETRY_NS) {
      return null;
    }
    try {
      SpoolBudget budget = budgets.at(disk, directory.path().resolveSibling(""), clock);
      Loop loop =
          directory.createLoop(
              new SpoolLimits(budget.loop(flight.sizeBytes()), settings.segmentBytes()),
              flight.keepNs(),
              ledger::expire,
              wallClockMs,
              nowNs,
              flight.dumpAtCrash());
      warnedFault = false;
      hasFailed = false;
      warnOfSize(budget.limitBytes());
      return loop;
    } catch (IOException e) {
      hasFailed = true;
      failedNs = nowNs;
      warn(String.valueOf(e.getMessage()));
      return null;
    }
  }

  private void warn(String fault) {
    if (!warnedFault) {
      warnedFault = true;
      warnings.accept(
          "<flightRecorder> cannot record in <spoolDirectory> %s: %s; events below its <level> are dropped until it can; retrying every 10 s"
              .formatted(settings.spoolDirectory(), fault));
    }
  }

  private void warnOfSize(long budgetBytes) {
    if (!warnedSize && flight.sizeBytes() > budgetBytes) {
      warnedSize = true;
      warnings.accept(
          "<size> of <flightRecorder> is %d bytes, but it and the spools share %d bytes: it records at most that and less while spools need room; write a smaller <size> or provide more memory"
              .formatted(flight.sizeBytes(), budgetBytes));
    }
  }
}
