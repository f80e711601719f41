package dev.forebay.access;

import ch.qos.logback.access.common.spi.IAccessEvent;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.filter.Filter;
import ch.qos.logback.core.spi.FilterAttachable;
import ch.qos.logback.core.spi.FilterReply;

/** The filters of an appender for access events, asked where the log call is guarded. */
final class AccessFilters extends Filter<ILoggingEvent> {

  private final FilterAttachable<IAccessEvent> filters;

  AccessFilters(FilterAttachable<IAccessEvent> filters) {
    this.filters = filters;
  }

  @Override
  public FilterReply decide(ILoggingEvent event) {
    return event instanceof CarriedEvent carried ? carried.decision(filters) : FilterReply.NEUTRAL;
  }
}
