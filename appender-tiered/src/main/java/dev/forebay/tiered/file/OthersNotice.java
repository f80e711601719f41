package dev.forebay.tiered.file;

import dev.forebay.agent.NanoClock;
import java.util.function.Consumer;

/**
 * Warns that others change the log: the first time, and again after a minute without a change. For
 * the shipper's thread.
 */
final class OthersNotice {

  private static final long AGAIN_NS = 60_000_000_000L;

  private final LogFile log;
  private final Consumer<String> warnings;
  private final NanoClock clock;

  private boolean disturbed;
  private long lastNs;

  OthersNotice(LogFile log, Consumer<String> warnings, NanoClock clock) {
    this.log = log;
    this.warnings = warnings;
    this.clock = clock;
  }

  /** Others changed the log just now. */
  void changed(String what) {
    long nowNs = clock.nanoTime();
    if (!disturbed || nowNs - lastNs >= AGAIN_NS) {
      warnings.accept(log.name() + " " + what);
    }
    disturbed = true;
    lastNs = nowNs;
  }
}
