package dev.forebay.it.boot;

import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.boot.autoconfigure.condition.ConditionalOnProperty;
import org.springframework.context.SmartLifecycle;
import org.springframework.stereotype.Component;

/** A part of the application whose stop takes longer than its phase may take, and logs on. */
@Component
@ConditionalOnProperty("forebay.endless-phase")
final class EndlessPhase implements SmartLifecycle {

  private static final Logger LOG = LoggerFactory.getLogger("endless");
  private static final long PAUSE_MS = 5;

  private volatile boolean running;

  EndlessPhase() {}

  @Override
  public void start() {
    running = true;
  }

  @Override
  public void stop() {
    running = false;
  }

  @Override
  public void stop(Runnable callback) {
    Thread thread = new Thread(this::logOn, "endless-phase");
    thread.setDaemon(true);
    thread.start();
  }

  /** Until the process ends; nobody is told that the stop is done. */
  private void logOn() {
    try {
      for (long number = 0; !Thread.currentThread().isInterrupted(); number++) {
        LOG.info("still stopping {}", number);
        Thread.sleep(PAUSE_MS);
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  @Override
  public boolean isRunning() {
    return running;
  }
}
