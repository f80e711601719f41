package dev.forebay.benchmarks.lab.child;

import org.apache.logging.log4j.LogManager;
import org.slf4j.LoggerFactory;

/** Log4j2 with asynchronous loggers. It drops nothing by its settings, so it counts no drops. */
final class Log4j2Backend implements Backend {

  /** Starts it. */
  Log4j2Backend() {
    String factory = LoggerFactory.getILoggerFactory().getClass().getName();
    String context = LogManager.getContext(false).getClass().getName();
    if (!factory.startsWith("org.apache.logging.slf4j.") || !context.contains(".async.")) {
      throw new IllegalStateException("Not asynchronous Log4j2: " + factory + ", " + context);
    }
  }

  @Override
  public void stop() {
    LogManager.shutdown();
  }
}
