package dev.forebay.boot;

import ch.qos.logback.classic.LoggerContext;
import dev.forebay.observe.AppenderMXBean;
import dev.forebay.tiered.AppenderBeans;
import java.util.LinkedHashMap;
import java.util.Map;

/**
 * What the health of the log is, for either line of Boot. Never down: a disk that is sick must not
 * restart the application, whose events wait in the spool. Any thread.
 */
final class LogHealth {

  private final LoggerContext context;

  LogHealth(LoggerContext context) {
    this.context = context;
  }

  /** By appender: what waits, what was dropped and, while something is wrong, what. */
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
