package dev.forebay.boot;

import ch.qos.logback.classic.LoggerContext;
import dev.forebay.observe.AppenderMXBean;
import dev.forebay.tiered.AppenderBeans;
import java.util.LinkedHashMap;
import java.util.Map;

/**
 * The health of the log, for Spring Boot 3 and 4. Never down: a sick disk must not restart the
 * application, whose events wait in the spool. Any thread.
 */
final class LogHealth {

  private final LoggerContext context;

  LogHealth(LoggerContext context) {
    this.context = context;
  }

  /** By appender: the counts of waiting and dropped events and, if there is one, the fault. */
  Map<String, Map<String, Object>> details() {
    Map<String, Map<String, Object>> shown = new LinkedHashMap<>();
    AppenderBeans.find(context)
        .forEach((name, appender) -> shown.put(name, details(AppenderBeans.of(appender))));
    return shown;
  }

  private static Map<String, Object> details(AppenderMXBean of) {
    Map<String, Long> account = of.getAccount();
    Map<String, Object> shown = new LinkedHashMap<>();
    for (String key :
        new String[] {
          "inFlight", "longestWaitMillis", "dropped", "spoolBytes", "spoolLimitBytes"
        }) {
      Long value = account.get(key);
      if (value != null) {
        shown.put(key, value);
      }
    }
    String degraded = of.getDegraded();
    if (!degraded.isEmpty()) {
      shown.put("degraded", degraded);
    }
    return shown;
  }

  static boolean isDegraded(Map<String, Map<String, Object>> details) {
    return details.values().stream().anyMatch(each -> each.containsKey("degraded"));
  }
}
