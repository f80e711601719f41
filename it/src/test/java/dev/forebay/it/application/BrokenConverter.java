package dev.forebay.it.application;

import ch.qos.logback.classic.pattern.ClassicConverter;
import ch.qos.logback.classic.spi.ILoggingEvent;

/** A conversion word of a pattern that says nothing, and recurses without end for one logger. */
public final class BrokenConverter extends ClassicConverter {

  static final String BREAKS = "breaks";

  @Override
  public String convert(ILoggingEvent event) {
    return event.getLoggerName().equals(BREAKS) ? convert(event) : "";
  }
}
