package dev.forebay.tiered;

import dev.forebay.agent.NanoClock;
import dev.forebay.observe.Ledger;
import dev.forebay.pipeline.AppendGate;
import dev.forebay.pipeline.PipelineSettings;
import dev.forebay.tiered.disk.CurrentDisk;
import dev.forebay.tiered.disk.Disk;
import dev.forebay.tiered.spool.Voice;
import java.time.InstantSource;
import java.util.function.LongSupplier;

/**
 * What the parts of one start share.
 *
 * @param ring the settings of the ring
 * @param settings all others
 * @param wallClockMs milliseconds since the epoch
 */
record StartContext(
    TieredAppender appender,
    PipelineSettings ring,
    TieredSettings settings,
    Ledger ledger,
    AppendGate gate,
    Disk disk,
    NanoClock clock,
    LongSupplier wallClockMs,
    Voice voice) {

  /** On the current disk, with the system's clocks. */
  StartContext(
      TieredAppender appender,
      PipelineSettings ring,
      TieredSettings settings,
      Ledger ledger,
      AppendGate gate) {
    this(
        appender,
        ring,
        settings,
        ledger,
        gate,
        CurrentDisk.get(),
        NanoClock.SYSTEM,
        InstantSource.system()::millis,
        new AppenderVoice(appender.statuses()));
  }
}
