package dev.forebay.pipeline;

import ch.qos.logback.classic.spi.LoggingEvent;

/** What the flusher says of drops: its own event, which another ring behind this one must take. */
final class DropReport extends LoggingEvent {}
