package dev.forebay.benchmarks.lab.child;

import java.time.Duration;
import java.util.List;
import org.apache.logging.log4j.LogManager;
import org.slf4j.LoggerFactory;

/** Log4j2 with asynchronous loggers. */
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
  public boolean drain(Duration timeout) {
    return false;
  }

  @Override
  public void stop() {
    LogManager.shutdown();
  }

  /** A full ring makes its callers wait, unless it is told to do otherwise. */
  @Override
  public long dropped() {
    return 0;
  }

  @Override
  public long reports() {
    return 0;
  }

  @Override
  public List<Long> turns() {
    return List.of();
  }
}
