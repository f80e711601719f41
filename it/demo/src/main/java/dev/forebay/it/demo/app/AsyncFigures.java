package dev.forebay.it.demo.app;

import ch.qos.logback.classic.AsyncAppender;
import dev.forebay.host.Await;
import java.time.Duration;
import java.util.Map;
import java.util.concurrent.TimeUnit;

/** What Logback's AsyncAppender tells: how full its queue is, and nothing about losses. */
final class AsyncFigures implements FiguresSource {

  private static final long POLL_MS = 20;

  private final AsyncAppender appender;

  AsyncFigures(AsyncAppender appender) {
    this.appender = appender;
  }

  @Override
  public Figures read() {
    long queued = appender.getNumberOfElementsInQueue();
    return new Figures(
        Map.of(
            Figures.COUNTED,
            OfferedCounter.offered(),
            Figures.QUEUED,
            queued,
            Figures.QUEUE_CAPACITY,
            (long) appender.getQueueSize(),
            Figures.IN_FLIGHT,
            queued));
  }

  @Override
  public void flush(long timeoutMs) {
    long deadlineNs = System.nanoTime() + TimeUnit.MILLISECONDS.toNanos(timeoutMs);
    while (appender.getNumberOfElementsInQueue() > 0 && System.nanoTime() - deadlineNs < 0) {
      Await.pass(Duration.ofMillis(POLL_MS));
    }
  }

  @Override
  public String lastError() {
    return "";
  }
}
