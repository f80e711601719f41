package dev.forebay.it.application;

import ch.qos.logback.classic.pattern.ClassicConverter;
import ch.qos.logback.classic.spi.ILoggingEvent;
import java.util.concurrent.atomic.AtomicLong;

/** A conversion word of a pattern that says nothing and counts where it was asked. */
public final class EncodedOn extends ClassicConverter {

  static final AtomicLong CALLER = new AtomicLong();
  static final AtomicLong FLUSHER = new AtomicLong();

  @Override
  public String convert(ILoggingEvent event) {
    if (event.getMessage().startsWith("Forebay: ")) { // a report, logged by the flusher itself
      return "";
    }
    boolean isCaller = Thread.currentThread().getName().equals(event.getThreadName());
    (isCaller ? CALLER : FLUSHER).incrementAndGet();
    return "";
  }
}
