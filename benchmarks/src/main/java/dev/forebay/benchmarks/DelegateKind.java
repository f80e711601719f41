package dev.forebay.benchmarks;

import ch.qos.logback.classic.LoggerContext;
import ch.qos.logback.classic.encoder.PatternLayoutEncoder;

/** What stands behind the appender that is measured. */
public enum DelegateKind {
  /** Counts, nothing else: the fastest consumer there can be. */
  COUNT {
    @Override
    CountingAppender start(LoggerContext context, String countedLogger) {
      return started(new CountingAppender(countedLogger, null), context);
    }
  },

  /** Encodes a usual pattern and throws the bytes away: a real consumer without a disk. */
  PATTERN {
    @Override
    CountingAppender start(LoggerContext context, String countedLogger) {
      PatternLayoutEncoder encoder = new PatternLayoutEncoder();
      encoder.setContext(context);
      encoder.setPattern("%d{yyyy-MM-dd HH:mm:ss.SSS} [%t] %p %c - %m%n");
      encoder.start();
      return started(new CountingAppender(countedLogger, encoder), context);
    }
  };

  abstract CountingAppender start(LoggerContext context, String countedLogger);

  private static CountingAppender started(CountingAppender appender, LoggerContext context) {
    appender.setContext(context);
    appender.start();
    return appender;
  }
}
