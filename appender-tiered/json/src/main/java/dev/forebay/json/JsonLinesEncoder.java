package dev.forebay.json;

import ch.qos.logback.classic.spi.ILoggingEvent;
import dev.forebay.tiered.encode.LineEncoder;
import dev.forebay.tiered.encode.TextBuffer;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Writes each event as a line of JSON, in UTF-8, without other libraries: {@code <format>} is
 * {@code logstash}, {@code ecs}, {@code gelf} or {@code otlp}. Each name is written once: the
 * format's own field, else the static field, else the key-value pair, else the MDC's. Several
 * threads may encode.
 */
public final class JsonLinesEncoder extends LineEncoder {

  private static final Map<String, Set<String>> COMMON =
      Map.of(
          "logstash", Set.of(),
          "ecs",
              Set.of(
                  "serviceName",
                  "serviceVersion",
                  "serviceEnvironment",
                  "serviceNodeName",
                  "eventDataset"),
          "gelf", Set.of("host", "serviceVersion"),
          "otlp",
              Set.of(
                  "serviceName",
                  "serviceVersion",
                  "serviceEnvironment",
                  "serviceNodeName",
                  "host"));

  private final Map<String, String> common = new HashMap<>();
  private final Map<String, String> fields = new LinkedHashMap<>();
  private final Set<String> includedMdcKeys = new HashSet<>();
  private final Set<String> excludedMdcKeys = new HashSet<>();
  private String format = "logstash";
  private int maxStackTraceLength;
  private int maxStackTraceDepth;

  /** Looked for at a start. */
  private @Nullable StructuredFields structured;

  /** Set by the thread that starts, read by those that encode. */
  private volatile LineFormat lineFormat = new LogstashFormat(settings());

  /** Called by Logback. */
  public JsonLinesEncoder() {
    lineFormat.addStaticFields();
  }

  /**
   * Sets the format.
   *
   * @param format {@code logstash}, {@code ecs}, {@code gelf} or {@code otlp}
   */
  public void setFormat(String format) {
    this.format = String.valueOf(format);
  }

  /**
   * Adds a field to all lines.
   *
   * @param field as {@code name=value}
   */
  public void addField(String field) {
    int equals = String.valueOf(field).indexOf('=');
    if (equals <= 0) {
      addError(
          "<field> is \"%s\": must be name=value; lines are written without it".formatted(field));
    } else {
      fields.put(field.substring(0, equals).trim(), field.substring(equals + 1).trim());
    }
  }

  /**
   * Writes this MDC key; without such an element all are written.
   *
   * @param key one of any number
   */
  public void addIncludeMdcKey(String key) {
    if (isThere("includeMdcKey", key)) {
      includedMdcKeys.add(key);
    }
  }

  /**
   * Leaves out this MDC key.
   *
   * @param key one of any number
   */
  public void addExcludeMdcKey(String key) {
    if (isThere("excludeMdcKey", key)) {
      excludedMdcKeys.add(key);
    }
  }

  /**
   * Limits each stack trace.
   *
   * @param characters the longest one; 0, the default, if there is no limit
   */
  public void setMaxStackTraceLength(int characters) {
    this.maxStackTraceLength = characters;
  }

  /**
   * Limits the frames of each throwable of a stack trace.
   *
   * @param frames at most so many; 0, the default, if there is no limit
   */
  public void setMaxStackTraceDepth(int frames) {
    this.maxStackTraceDepth = frames;
  }

  /**
   * Sets {@code host} of {@code gelf}, {@code host.name} of {@code otlp}.
   *
   * @param host name of the machine or application
   */
  public void setHost(String host) {
    setCommon("host", host);
  }

  /**
   * Sets {@code service.name} of {@code ecs} and {@code otlp}.
   *
   * @param name of the application
   */
  public void setServiceName(String name) {
    setCommon("serviceName", name);
  }

  /**
   * Sets {@code service.version} of {@code ecs} and {@code otlp}, {@code _service_version} of
   * {@code gelf}.
   *
   * @param version of the application
   */
  public void setServiceVersion(String version) {
    setCommon("serviceVersion", version);
  }

  /**
   * Sets {@code service.environment} of {@code ecs}, {@code deployment.environment.name} of {@code
   * otlp}.
   *
   * @param environment such as {@code production}
   */
  public void setServiceEnvironment(String environment) {
    setCommon("serviceEnvironment", environment);
  }

  /**
   * Sets {@code service.node.name} of {@code ecs}, {@code service.instance.id} of {@code otlp}.
   *
   * @param name of this instance of the application
   */
  public void setServiceNodeName(String name) {
    setCommon("serviceNodeName", name);
  }

  /**
   * Sets {@code event.dataset} of {@code ecs}.
   *
   * @param dataset the service's name by default
   */
  public void setEventDataset(String dataset) {
    setCommon("eventDataset", dataset);
  }

  private void setCommon(String element, String value) {
    if (isThere(element, value)) {
      common.put(element, value);
    }
  }

  /** It is not always, if set from code. */
  private boolean isThere(String element, @Nullable String value) {
    if (value == null) {
      addError("<%s> is null: must be a text; lines are written without it".formatted(element));
    }
    return value != null;
  }

  @Override
  public void start() {
    maxStackTraceLength = checked("maxStackTraceLength", maxStackTraceLength);
    maxStackTraceDepth = checked("maxStackTraceDepth", maxStackTraceDepth);
    structured = StructuredFields.find(JsonLinesEncoder.class.getClassLoader());
    LineSettings settings = settings();
    String name = format.trim().toLowerCase(Locale.ROOT);
    if (!COMMON.containsKey(name)) {
      addError(
          "<format> is \"%s\": must be logstash, ecs, gelf or otlp; lines are written as logstash"
              .formatted(format));
      name = "logstash";
    }
    LineFormat chosen =
        switch (name) {
          case "ecs" -> new EcsFormat(settings);
          case "gelf" -> new GelfFormat(settings);
          case "otlp" -> new OtlpFormat(settings, System.getenv());
          default -> new LogstashFormat(settings);
        };
    Set<String> known = Objects.requireNonNull(COMMON.get(name));
    for (String element : common.keySet()) {
      if (!known.contains(element)) {
        addWarn("<%s> has no meaning with a <format> of %s".formatted(element, name));
      }
    }
    for (String field : chosen.addStaticFields()) {
      addError(
          "<field> is \"%s=…\": its name must be one that %s permits, and does not write itself; lines are written without it"
              .formatted(field, name));
    }
    lineFormat = chosen;
    super.start();
  }

  private int checked(String element, int value) {
    if (value < 0) {
      addError(
          "<%s> is %d: must be 0, for no limit, or more; there is none".formatted(element, value));
    }
    return Math.max(0, value);
  }

  private LineSettings settings() {
    return new LineSettings(
        Map.copyOf(common),
        new LinkedHashMap<>(fields),
        Set.copyOf(includedMdcKeys),
        Set.copyOf(excludedMdcKeys),
        maxStackTraceLength,
        maxStackTraceDepth,
        structured);
  }

  @Override
  public TextBuffer newLine() {
    return new JsonLine();
  }

  @Override
  protected void write(ILoggingEvent event, TextBuffer line) {
    lineFormat.write(event, (JsonLine) line);
  }
}
