package dev.forebay.otlp;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.forebay.ConfigFindings;
import java.net.URLDecoder;
import java.util.LinkedHashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** OpenTelemetry's variables of the environment; an empty one counts as missing. */
final class OtelVariables {

  private static final String EXPORTER = "OTEL_EXPORTER_OTLP_";

  private final Map<String, String> environment;

  OtelVariables(Map<String, String> environment) {
    this.environment = environment;
  }

  @Nullable String get(String name) {
    String value = environment.get(name);
    return value == null || value.isBlank() ? null : value.trim();
  }

  /** The exporter's, that for logs before that for all signals. */
  @Nullable String exporter(String name) {
    String ofLogs = get(EXPORTER + "LOGS_" + name);
    return ofLogs == null ? get(EXPORTER + name) : ofLogs;
  }

  /** What is for all signals is where their paths begin. */
  @Nullable String endpoint() {
    String ofLogs = get(EXPORTER + "LOGS_ENDPOINT");
    String ofAll = get(EXPORTER + "ENDPOINT");
    if (ofLogs != null || ofAll == null) {
      return ofLogs;
    }
    return (ofAll.endsWith("/") ? ofAll : ofAll + "/") + "v1/logs";
  }

  /** The pairs of a list, percent-decoded; what is no pair is left out and told. */
  static Map<String, String> pairs(
      String variable, @Nullable String list, ConfigFindings findings) {
    Map<String, String> pairs = new LinkedHashMap<>();
    boolean hasOther = false;
    for (String pair : (list == null ? "" : list).split(",", -1)) {
      int equals = pair.indexOf('=');
      if (equals > 0) {
        pairs.put(
            decoded(pair.substring(0, equals).trim()), decoded(pair.substring(equals + 1).trim()));
      } else {
        hasOther |= !pair.isBlank();
      }
    }
    if (hasOther) {
      findings.warn("%s has a part that must be name=value: left out".formatted(variable));
    }
    return pairs;
  }

  static String decoded(String percent) {
    try {
      return URLDecoder.decode(percent.replace("+", "%2B"), UTF_8);
    } catch (IllegalArgumentException e) {
      return percent;
    }
  }
}
