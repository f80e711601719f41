package dev.forebay.pipeline;

import ch.qos.logback.classic.spi.LoggingEvent;

/** The flusher's own report of drops. A ring that gets it from another ring must accept it. */
final class DropReport extends LoggingEvent {}
