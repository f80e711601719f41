package dev.forebay.it.boot;

import jakarta.annotation.PreDestroy;
import java.util.List;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.stereotype.Component;

/** The last words of the application: half of them, a pause, and the rest. */
@Component
final class Farewell {

  private static final Logger LOG = LoggerFactory.getLogger("it");
  private static final long PAUSE_MS = 100;

  private volatile List<String> lines = List.of();

  Farewell() {}

  void say(List<String> words) {
    lines = words;
  }

  @PreDestroy
  void leave() throws InterruptedException {
    int half = lines.size() / 2;
    lines.subList(0, half).forEach(LOG::info);
    Thread.sleep(PAUSE_MS);
    lines.subList(half, lines.size()).forEach(LOG::info);
  }
}
