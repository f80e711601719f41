package dev.forebay.tiered;

import ch.qos.logback.classic.LoggerContext;
import dev.forebay.agent.NanoClock;
import dev.forebay.agent.Voice;
import dev.forebay.observe.Ledger;
import dev.forebay.pipeline.PipelineSettings;
import dev.forebay.tiered.disk.Disk;
import java.time.InstantSource;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/**
 * What the parts of one start share; all of it exists before the first part. Immutable; any thread.
 *
 * @param ring the options of the part before the spool
 * @param settings those of the rest
 * @param ledger the appender's account, which outlives this start
 * @param loggers where the events come from, and lines of our own
 * @param clock for durations
 * @param wall for times in messages
 * @param apart that another process ships; null if this one does
 */
record StartContext(
    PipelineSettings ring,
    TieredSettings settings,
    Ledger ledger,
    LoggerContext loggers,
    Disk disk,
    NanoClock clock,
    InstantSource wall,
    Voice voice,
    @Nullable Apart apart)
    implements LongSupplier {

  /** The wall clock: milliseconds since the epoch. */
  @Override
  public long getAsLong() {
    return wall.millis();
  }
}
