package dev.forebay.boot;

import ch.qos.logback.classic.LoggerContext;
import dev.forebay.observe.AppenderMXBean;
import dev.forebay.tiered.AppenderBeans;
import java.time.InstantSource;
import java.time.temporal.ChronoUnit;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Set;

/**
 * The health of the log, for Spring Boot 3 and 4. Never down: a sick disk must not restart the
 * application, whose events wait in the spool. Any thread.
 */
final class LogHealth {

  private static final Set<String> OF_ACCOUNT =
      Set.of("inFlight", "longestWaitMillis", "dropped", "spoolBytes", "spoolLimitBytes");

  private final LoggerContext context;
  private final InstantSource clock;

  LogHealth(LoggerContext context, InstantSource clock) {
    this.context = context;
    this.clock = clock;
  }

  /** By appender: how many events wait and since when, how many were dropped, and the fault. */
  Map<String, Map<String, Object>> details() {
    Map<String, Map<String, Object>> shown = new LinkedHashMap<>();
    AppenderBeans.find(context)
        .forEach((name, appender) -> shown.put(name, details(AppenderBeans.of(appender))));
    return shown;
  }

  private Map<String, Object> details(AppenderMXBean of) {
    Map<String, Long> account = of.getAccount();
    Map<String, Object> shown = new LinkedHashMap<>(account);
    shown.keySet().retainAll(OF_ACCOUNT);
    long longestMs = account.getOrDefault("longestWaitMillis", 0L);
    if (longestMs > 0) {
      shown.put(
          "waitingSince",
          clock.instant().minusMillis(longestMs).truncatedTo(ChronoUnit.SECONDS).toString());
    }
    String degraded = of.getDegraded();
    if (!degraded.isEmpty()) {
      shown.put("degraded", degraded);
    }
    return shown;
  }

  /** The status for these details; Boot answers 200 for a status that it does not know. */
  static String status(Map<String, Map<String, Object>> details) {
    boolean isDegraded = details.values().stream().anyMatch(each -> each.containsKey("degraded"));
    return isDegraded ? "DEGRADED" : "UP";
  }
}
