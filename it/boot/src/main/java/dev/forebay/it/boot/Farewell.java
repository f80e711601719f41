package dev.forebay.it.boot;

import ch.qos.logback.classic.LoggerContext;
import jakarta.annotation.PreDestroy;
import java.util.List;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.beans.factory.annotation.Value;
import org.springframework.stereotype.Component;

/** The last words of the application: half of them, a pause, and the rest. */
@Component
final class Farewell {

  private static final Logger LOG = LoggerFactory.getLogger("it");
  private static final long PAUSE_MS = 100;
  private static final int MAX_PAUSES = 300;

  private final LoggerContext context = (LoggerContext) LoggerFactory.getILoggerFactory();
  private final long poolStopMs;
  private final boolean pauseForTheHook;
  private volatile List<String> lines = List.of();

  /**
   * For Spring.
   *
   * @param poolStopMs when above 0, Logback is stopped behind the last word by a thread of a pool
   *     that is interrupted after so long, as frameworks do whose phases have a timeout
   * @param pauseForTheHook whether the pause lasts until Logback's own hook has stopped Logback
   */
  Farewell(
      @Value("${forebay.pool-stop-ms:0}") long poolStopMs,
      @Value("${forebay.pause-for-the-hook:false}") boolean pauseForTheHook) {
    this.poolStopMs = poolStopMs;
    this.pauseForTheHook = pauseForTheHook;
  }

  void say(List<String> words) {
    lines = words;
  }

  @PreDestroy
  void leave() throws InterruptedException {
    int half = lines.size() / 2;
    lines.subList(0, half).forEach(LOG::info);
    Thread.sleep(PAUSE_MS);
    for (int pause = 0; pauseForTheHook && context.isStarted() && pause < MAX_PAUSES; pause++) {
      Thread.sleep(PAUSE_MS);
    }
    if (!context.isStarted()) {
      System.out.println("Logback has stopped");
    }
    lines.subList(half, lines.size()).forEach(LOG::info);
    if (poolStopMs > 0) {
      stopImpatiently();
    }
  }

  private void stopImpatiently() throws InterruptedException {
    ExecutorService pool = Executors.newSingleThreadExecutor();
    Future<?> stop = pool.submit(context::stop);
    try {
      stop.get(poolStopMs, TimeUnit.MILLISECONDS);
      System.out.println("stopped in time");
    } catch (TimeoutException e) {
      stop.cancel(true);
      System.out.println("stop interrupted");
    } catch (ExecutionException e) {
      System.out.println("stop failed " + e.getCause());
    } finally {
      pool.shutdown();
    }
  }
}
