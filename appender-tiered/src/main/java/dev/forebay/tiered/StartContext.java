package dev.forebay.tiered;

import dev.forebay.agent.NanoClock;
import dev.forebay.observe.Ledger;
import dev.forebay.pipeline.AppendGate;
import dev.forebay.pipeline.PipelineSettings;
import dev.forebay.tiered.disk.Disk;
import dev.forebay.tiered.spool.Voice;
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
    Voice voice) {}
