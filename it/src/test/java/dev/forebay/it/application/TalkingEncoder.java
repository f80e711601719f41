package dev.forebay.it.application;

import ch.qos.logback.classic.LoggerContext;
import ch.qos.logback.classic.encoder.PatternLayoutEncoder;
import ch.qos.logback.classic.spi.ILoggingEvent;

/** An encoder that logs, as libraries do that are called from one. */
public final class TalkingEncoder extends PatternLayoutEncoder {

  @Override
  public byte[] encode(ILoggingEvent event) {
    ((LoggerContext) getContext()).getLogger("encoder").error("encoding {}", event.getMessage());
    return super.encode(event);
  }
}
