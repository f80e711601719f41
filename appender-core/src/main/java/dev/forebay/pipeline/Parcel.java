package dev.forebay.pipeline;

import ch.qos.logback.classic.spi.ILoggingEvent;
import org.jspecify.annotations.Nullable;

/** An event in the ring with more than itself. */
final class Parcel {

  final ILoggingEvent event;

  /** What its log call has encoded; null if the flusher is to encode it. */
  final byte @Nullable [] bytes;

  /** What it has reserved of the ring's bytes; 0 if its slot's share is enough. */
  final long reservedBytes;

  Parcel(ILoggingEvent event, byte @Nullable [] bytes, long reservedBytes) {
    this.event = event;
    this.bytes = bytes;
    this.reservedBytes = reservedBytes;
  }
}
