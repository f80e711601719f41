package dev.forebay.benchmarks;

import ch.qos.logback.classic.LoggerContext;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.encoder.Encoder;

/** What stands behind the appender that is measured, or is its encoder where it has one. */
public enum DelegateKind {
  /** Counts, nothing else: the fastest consumer there can be. */
  COUNT(EncoderKind.CONSTANT),

  /** Encodes a usual pattern and throws the bytes away: a real consumer without a disk. */
  PATTERN(EncoderKind.PATTERN),

  /** The same in JSON. */
  LOGSTASH(EncoderKind.LOGSTASH),

  /** In JSON with a choice of fields. */
  COMPOSITE(EncoderKind.COMPOSITE);

  private final EncoderKind encoder;

  DelegateKind(EncoderKind encoder) {
    this.encoder = encoder;
  }

  CountingAppender start(LoggerContext context, String countedLogger) {
    CountingAppender appender =
        new CountingAppender(countedLogger, this == COUNT ? null : encoder(context));
    appender.setContext(context);
    appender.start();
    return appender;
  }

  /** For an appender that encodes by itself. */
  Encoder<ILoggingEvent> encoder(LoggerContext context) {
    return encoder.start(context);
  }
}
