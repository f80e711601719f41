package dev.forebay.pipeline;

import ch.qos.logback.classic.LoggerContext;
import dev.forebay.agent.NanoClock;
import java.util.function.BiConsumer;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/**
 * What a pipeline gets from its appender.
 *
 * @param wallClockMs milliseconds since the epoch, for reports
 * @param warnings receives warnings, with an optional cause; never called by a logging thread
 */
public record PipelineContext(
    LoggerContext loggerContext,
    NanoClock clock,
    LongSupplier wallClockMs,
    BiConsumer<String, @Nullable Throwable> warnings) {}
