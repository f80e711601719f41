package dev.forebay.pipeline;

import ch.qos.logback.classic.LoggerContext;
import dev.forebay.agent.NanoClock;
import java.util.function.BiConsumer;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/**
 * What a pipeline needs from outside.
 *
 * @param loggerContext the logger context of the appender
 * @param clock monotonic clock
 * @param wallClockMs milliseconds since the epoch, for reports
 * @param warnings where a warning with an optional cause goes; never used by a thread that logs
 */
public record PipelineContext(
    LoggerContext loggerContext,
    NanoClock clock,
    LongSupplier wallClockMs,
    BiConsumer<String, @Nullable Throwable> warnings) {}
