package dev.forebay.benchmarks;

import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.Appender;
import java.util.function.LongSupplier;

/**
 * A started appender under measurement.
 *
 * @param appender for the logger
 * @param delivered the events that have arrived
 * @param dropped the drops that the appender itself reports; 0 for ever when it has no way to
 * @param hurry has what is on its way arrive soon, if the appender can do that
 * @param cleanUp removes what a stopped appender leaves behind
 */
record Subject(
    Appender<ILoggingEvent> appender,
    LongSupplier delivered,
    LongSupplier dropped,
    Runnable hurry,
    Runnable cleanUp) {}
