package dev.forebay.tool;

import dev.forebay.tiered.apart.ShippedLog;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.TimeUnit;
import java.util.function.Function;

/**
 * Meters of all logs in Prometheus's text format 0.0.4. Names are those that the Spring Boot
 * starter's meters have there. The directory tells two logs of the same name apart.
 */
final class MetricsText {

  private static final double MILLIS = TimeUnit.SECONDS.toMillis(1);

  private final List<ShippedLog> logs;
  private final StringBuilder text = new StringBuilder();

  private MetricsText(List<ShippedLog> logs) {
    this.logs = logs;
  }

  static String of(Shipping shipping) {
    List<ShippedLog> logs = shipping.logs();
    MetricsText metrics = new MetricsText(logs);
    metrics.events();
    metrics.family("forebay_inflight_events", "gauge", "In a spool, and not yet in the log");
    metrics.samples("forebay_inflight_events", "", log -> count(log.waiting()));
    metrics.family(
        "forebay_longest_wait_seconds",
        "gauge",
        "How long an event has waited at most to be in the log and forced");
    metrics.samples(
        "forebay_longest_wait_seconds",
        "",
        log -> String.format(Locale.ROOT, "%.3f", log.longestWaitMillis() / MILLIS));
    metrics.family("forebay_degraded", "gauge", "1 while the log cannot be written");
    metrics.samples("forebay_degraded", "", log -> log.fault().isEmpty() ? "0" : "1");
    metrics.family("forebay_ship_logs", "gauge", "Logs with spools, by who ships them");
    for (ShippedLog.State state : ShippedLog.State.values()) {
      metrics.sample(
          "forebay_ship_logs",
          "state=\"" + state.name().toLowerCase(Locale.ROOT) + "\"",
          count(logs.stream().filter(log -> log.state() == state).count()));
    }
    metrics.family(
        "forebay_ship_missing", "gauge", "Users with spools whose process for them does not run");
    metrics.sample("forebay_ship_missing", "", count(shipping.missing()));
    return metrics.text.toString();
  }

  private void events() {
    String events = "forebay_events_total";
    family(events, "counter", "Events whose outcome is known, since this process began");
    samples(events, "outcome=\"delivered\"", log -> count(log.shipped()));
    samples(events, "outcome=\"dropped\"", log -> count(log.lost()));
    String dropped = "forebay_dropped_events_total";
    family(dropped, "counter", "Events dropped");
    samples(dropped, "reason=\"REFUSED\"", log -> count(log.refused()));
    samples(dropped, "reason=\"SPOOL_LOST\"", log -> count(log.lost() - log.refused()));
  }

  private void family(String name, String type, String help) {
    text.append("# HELP ").append(name).append(' ').append(help).append('\n');
    text.append("# TYPE ").append(name).append(' ').append(type).append('\n');
  }

  private void samples(String name, String label, Function<ShippedLog, String> value) {
    for (ShippedLog log : logs) {
      String labels =
          "log=\"%s\",directory=\"%s\"%s%s"
              .formatted(
                  escaped(log.log()),
                  escaped(log.directory().toString()),
                  label.isEmpty() ? "" : ",",
                  label);
      sample(name, labels, value.apply(log));
    }
  }

  private void sample(String name, String labels, String value) {
    text.append(name);
    if (!labels.isEmpty()) {
      text.append('{').append(labels).append('}');
    }
    text.append(' ').append(value).append('\n');
  }

  private static String count(long number) {
    return Long.toString(number);
  }

  private static String escaped(String value) {
    return value.replace("\\", "\\\\").replace("\"", "\\\"").replace("\n", "\\n");
  }
}
