package dev.forebay.kafka;

import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.filter.Filter;
import ch.qos.logback.core.spi.FilterReply;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

/**
 * Keeps what our clients log out of topics: each failure would make work for the next, of this
 * appender or of two in turns. Other appenders get it, and the events of the application's own
 * clients pass. Any thread.
 */
final class ClientLogFilter extends Filter<ILoggingEvent> {

  /** Names of the shippers' threads, each added before it makes a client. */
  static final Set<String> SHIPPERS = ConcurrentHashMap.newKeySet();

  @Override
  public FilterReply decide(ILoggingEvent event) {
    String logger = event.getLoggerName(); // null in events that are made elsewhere
    String thread = String.valueOf(event.getThreadName());
    boolean isOurs =
        thread.contains(TopicProducer.CLIENT) // also what its interceptors and the like log
            || (logger != null
                && logger.startsWith("org.apache.kafka.")
                && SHIPPERS.contains(thread));
    return isOurs ? FilterReply.DENY : FilterReply.NEUTRAL;
  }
}
