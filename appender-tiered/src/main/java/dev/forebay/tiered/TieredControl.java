package dev.forebay.tiered;

import dev.forebay.agent.AgentThread;
import dev.forebay.observe.ControlMXBean;
import dev.forebay.observe.LedgerSnapshot;
import dev.forebay.tiered.control.TimedLevels;
import dev.forebay.tiered.file.RollingLog;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

/** What can be done to one start of a tiered appender while it runs. Any thread. */
record TieredControl(
    TieredAppender appender, RollingLog log, AgentThread shipperThread, TieredBean bean)
    implements ControlMXBean {

  /** How long a request waits for the disk. */
  private static final Duration PATIENCE = Duration.ofSeconds(5);

  @Override
  public Map<String, Long> getAccount() {
    LedgerSnapshot snapshot = appender.snapshot();
    Map<String, Long> account = new LinkedHashMap<>();
    account.put("offered", snapshot.offered());
    account.put("delivered", snapshot.delivered());
    account.put("dropped", snapshot.dropped());
    account.put("inFlight", snapshot.inFlight());
    account.put("held", snapshot.held());
    account.put("expired", snapshot.expired());
    snapshot
        .droppedByReasonAndLevel()
        .forEach(
            (reason, levels) ->
                levels.forEach(
                    (level, count) -> account.put("dropped." + reason + "." + level, count)));
    account.put("reports", snapshot.reports());
    account.put("unconfirmed", snapshot.unconfirmed());
    account.put("durableUpTo", snapshot.durableUpTo().orElse(0));
    account.put("recovered", bean.getRecovered());
    account.put("spoolBytes", bean.getSpoolBytes());
    account.put("spoolLimitBytes", bean.getSpoolLimitBytes());
    return account;
  }

  @Override
  public Map<String, String> getLevels() {
    return TimedLevels.of(appender.loggerContext()).show();
  }

  @Override
  public String setLevel(String logger, String level, int seconds) {
    return TimedLevels.of(appender.loggerContext()).set(logger, level, seconds);
  }

  /** Flushes first, so that the file ends with what was logged before. */
  @Override
  public String rotate() {
    boolean unused = appender.flush(PATIENCE);
    Future<String> answer = log.requestRoll();
    shipperThread.wake();
    try {
      String obstacle = answer.get(PATIENCE.toNanos(), TimeUnit.NANOSECONDS);
      if (obstacle.isEmpty()) {
        return "rolled " + appender.rawFileProperty();
      }
      throw new IllegalStateException("not rolled: " + obstacle);
    } catch (TimeoutException e) {
      throw new IllegalStateException(
          "not rolled in %d s, but as soon as the log can be written: %s"
              .formatted(PATIENCE.toSeconds(), bean.getDegraded()),
          e);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IllegalStateException("interrupted; the log is rolled soon", e);
    } catch (ExecutionException e) {
      throw new IllegalStateException(e);
    }
  }

  @Override
  public boolean flush(long timeoutMillis) {
    return bean.flush(timeoutMillis);
  }

  @Override
  public String dump(String reason) {
    if (!bean.hasFlightRecorder()) {
      throw new IllegalStateException(
          "no flight recorder is configured: add <flightRecorder> to the appender "
              + appender.getName());
    }
    if (!bean.dump(reason)) {
      throw new IllegalStateException(
          "no dump: one is asked for already, or nothing is recorded yet");
    }
    return "dump asked for; a line in the log names it when it is complete";
  }
}
