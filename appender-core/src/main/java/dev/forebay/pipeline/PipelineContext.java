package dev.forebay.pipeline;

import ch.qos.logback.classic.LoggerContext;
import ch.qos.logback.core.Context;
import dev.forebay.agent.NanoClock;
import dev.forebay.agent.Voice;
import java.util.Objects;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/**
 * What a pipeline gets from its appender.
 *
 * @param wallClockMs milliseconds since the epoch, for reports
 * @param voice receives warnings
 */
public record PipelineContext(
    LoggerContext loggerContext, NanoClock clock, LongSupplier wallClockMs, Voice voice) {

  /** The context of an appender; of access events, one with its name and its statuses. */
  public static LoggerContext loggerContext(@Nullable Context context) {
    if (context instanceof LoggerContext classic) {
      return classic;
    }
    LoggerContext standIn = new LoggerContext();
    if (context != null) {
      standIn.setName(Objects.requireNonNullElse(context.getName(), "access"));
      standIn.setStatusManager(context.getStatusManager());
    }
    return standIn;
  }
}
