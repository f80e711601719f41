package dev.forebay.otlp;

import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.filter.Filter;
import ch.qos.logback.core.spi.FilterReply;

/**
 * Keeps out what the JDK's HTTP client logs, if it is told to, and TLS on its threads: each request
 * would make work for the next. Other appenders get it. Any thread.
 */
final class OwnLogFilter extends Filter<ILoggingEvent> {

  @Override
  public FilterReply decide(ILoggingEvent event) {
    String logger = event.getLoggerName(); // null in events that are made elsewhere
    boolean isClients =
        logger != null
            && (logger.startsWith("jdk.httpclient.")
                || logger.startsWith("jdk.internal.httpclient.")
                || (logger.equals("javax.net.ssl") || logger.equals("jdk.event.security"))
                    && isClientsThread(String.valueOf(event.getThreadName())));
    return isClients ? FilterReply.DENY : FilterReply.NEUTRAL;
  }

  /** Or ours, which makes the client. */
  private static boolean isClientsThread(String name) {
    return name.startsWith("HttpClient-") || name.startsWith("forebay-shipper");
  }
}
