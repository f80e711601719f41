package dev.forebay.observe;

import java.util.List;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Logs a WARN summary of drops and failures, and an INFO when an output works again, through SLF4J;
 * by default to the logger {@code dev.forebay}. The counterpart of logstash-logback-encoder's
 * {@code FailureSummaryLoggingAppenderListener}, but on the reporter's thread.
 */
public final class LoggingFailureListener implements FailureListener {

  private Logger logger = LoggerFactory.getLogger("dev.forebay");

  public LoggingFailureListener() {}

  /** Name of the logger; default {@code dev.forebay}. */
  public void setLoggerName(String loggerName) {
    logger = LoggerFactory.getLogger(loggerName);
  }

  @Override
  public void onDropped(String appender, List<DropSummary> drops) {
    logger.warn("Appender [{}]: {}", appender, DropSummary.text(drops));
  }

  @Override
  public void onOutputFailed(String appender, OutputProblem problem) {
    logger.warn(
        "Appender [{}]: {} failed {} times, last: {}",
        appender,
        problem.output(),
        problem.failures(),
        problem.reason());
  }

  @Override
  public void onOutputRecovered(String appender, OutputProblem problem) {
    logger.info("Appender [{}]: {} works again", appender, problem.output());
  }
}
