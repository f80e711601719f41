package dev.forebay.kafka;

import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.filter.Filter;
import ch.qos.logback.core.spi.FilterReply;

/**
 * Keeps what our client logs out of the topic: each failure would make work for the next. Other
 * appenders get it, and the events of the application's own clients pass. Any thread.
 */
final class ClientLogFilter extends Filter<ILoggingEvent> {

  /** Name of the shipper's thread, which sets it before it makes a client. */
  volatile String shipper = "";

  @Override
  public FilterReply decide(ILoggingEvent event) {
    String logger = event.getLoggerName(); // null in events that are made elsewhere
    boolean isOurs =
        logger != null
            && logger.startsWith("org.apache.kafka.")
            && isOurThread(String.valueOf(event.getThreadName()));
    return isOurs ? FilterReply.DENY : FilterReply.NEUTRAL;
  }

  /** The shipper's, or one of a client that has one of our names. */
  private boolean isOurThread(String thread) {
    return thread.equals(shipper) || thread.contains(TopicProducer.CLIENT);
  }
}
