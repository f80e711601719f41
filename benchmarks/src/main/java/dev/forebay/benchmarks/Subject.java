package dev.forebay.benchmarks;

import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.Appender;
import java.util.function.LongSupplier;

/**
 * A started appender under measurement.
 *
 * @param appender for the logger
 * @param dropped the drops that the appender itself reports; 0 for ever when it has no way to
 */
record Subject(Appender<ILoggingEvent> appender, LongSupplier dropped) {}
