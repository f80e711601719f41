package dev.forebay.benchmarks;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.LoggerContext;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.classic.spi.LoggingEvent;
import java.util.Map;

/** Events of the usual kind, prepared for another thread: what a ring holds. */
public final class SampleEvents {

  /** The logger that all of them come from. */
  public static final String LOGGER = "com.example.shop.Orders";

  private static final long START_MS = 1_780_000_000_000L;

  private SampleEvents() {}

  /**
   * Makes events that differ in time, number and message.
   *
   * @param perMs how many events in a row share a millisecond, which is what a pattern encoder
   *     formats anew
   */
  public static ILoggingEvent[] of(LoggerContext context, int count, int perMs) {
    Logger logger = context.getLogger(LOGGER);
    ILoggingEvent[] events = new ILoggingEvent[count];
    for (int i = 0; i < count; i++) {
      Object[] arguments = {"A-" + i, i % 100};
      LoggingEvent event =
          new LoggingEvent(Logger.FQCN, logger, Level.INFO, "Order {} took {} ms", null, arguments);
      event.setTimeStamp(START_MS + i / perMs);
      event.setMDCPropertyMap(Map.of("requestId", "7f3a-" + i % 10));
      event.prepareForDeferredProcessing();
      events[i] = event;
    }
    return events;
  }
}
