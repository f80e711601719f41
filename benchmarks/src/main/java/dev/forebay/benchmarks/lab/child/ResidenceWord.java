package dev.forebay.benchmarks.lab.child;

import ch.qos.logback.classic.pattern.ClassicConverter;
import ch.qos.logback.classic.spi.ILoggingEvent;

/**
 * A word of a pattern that writes nothing and notes how old a sample of the events is when they are
 * encoded. A word, since of a class derived from an encoder no pattern is compiled.
 */
public final class ResidenceWord extends ClassicConverter {

  @Override
  public String convert(ILoggingEvent event) {
    Residence.sample(event.getInstant());
    return "";
  }
}
