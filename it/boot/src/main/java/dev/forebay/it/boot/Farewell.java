package dev.forebay.it.boot;

import ch.qos.logback.classic.LoggerContext;
import jakarta.annotation.PreDestroy;
import java.util.List;
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
  private final boolean pauseForTheHook;
  private volatile List<String> lines = List.of();

  /**
   * For Spring.
   *
   * @param pauseForTheHook whether the pause lasts until Logback's own hook has stopped Logback
   */
  Farewell(@Value("${forebay.pause-for-the-hook:false}") boolean pauseForTheHook) {
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
  }
}
