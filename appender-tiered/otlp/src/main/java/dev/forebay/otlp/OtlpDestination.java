package dev.forebay.otlp;

import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.encoder.Encoder;
import ch.qos.logback.core.filter.Filter;
import dev.forebay.ConfigFindings;
import dev.forebay.agent.NanoClock;
import dev.forebay.tiered.DestinationOptions;
import dev.forebay.tiered.ship.Destination;
import dev.forebay.tiered.ship.ShippingListener;
import java.net.URI;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * A receiver of OpenTelemetry's protocol, such as its Collector, as the {@code <destination>} of a
 * {@code TieredAppender}: OTLP over HTTP. Each event is there at least once, with the attribute
 * {@code log.record.uid}, the same at each repetition: the spool's instance, a hyphen, the
 * sequence. While the receiver is away, events wait in the spool.
 *
 * <p>Without an {@code <encoder>} the body is the formatted message. What is not configured is
 * taken from {@code OTEL_EXPORTER_OTLP_…}, {@code OTEL_SERVICE_NAME} and {@code
 * OTEL_RESOURCE_ATTRIBUTES} of the environment. Configured before the appender starts, by one
 * thread.
 */
public final class OtlpDestination implements DestinationOptions {

  private static final Pattern HEADER_NAME = Pattern.compile("[!#$%&'*+.^_`|~0-9A-Za-z-]+");
  private static final Pattern HEADER_VALUE = Pattern.compile("[\\t\\x20-\\x7e\\x80-\\xff]+");
  private static final Pattern PROXY = Pattern.compile("(\\[[0-9a-fA-F:.]+]|[^:/@\\s]+):\\d{1,5}");

  /** Headers that the client, or the destination, sets itself. */
  private static final List<String> OURS =
      List.of(
          "connection",
          "content-encoding",
          "content-length",
          "content-type",
          "expect",
          "host",
          "upgrade");

  private static final String SERVICE = "service.name";
  private static final String GZIP = "gzip";
  private static final String PROTOCOL = "http/protobuf";
  private static final long DEFAULT_TIMEOUT_MS = 10_000;
  private static final long LEAST_TIMEOUT_MS = 100;
  private static final long MOST_TIMEOUT_MS = 300_000;
  private static final int MOST_PORT = 65535;

  private final OtelVariables variables;
  private @Nullable String endpoint;
  private final List<String> resource = new ArrayList<>();
  private final List<String> headers = new ArrayList<>();
  private @Nullable String compression;
  private @Nullable String timeout;
  private @Nullable String proxy;
  private @Nullable String caCertificate;
  private @Nullable String clientCertificate;
  private @Nullable String clientKey;
  private final Encoder<ILoggingEvent> bodies = new BodyEncoder();
  private final OwnLogFilter ownLog = new OwnLogFilter();
  private final EventFields fields = new EventFields();
  private @Nullable OtlpSettings settings;

  /** Without an endpoint, which is required here or in the environment. */
  public OtlpDestination() {
    this(System.getenv());
  }

  OtlpDestination(Map<String, String> environment) {
    variables = new OtelVariables(environment);
  }

  /** Where requests go, such as {@code http://localhost:4318/v1/logs}. */
  public void setEndpoint(String endpoint) {
    this.endpoint = endpoint.trim();
  }

  /**
   * Attributes of what logs, as {@code name=value}, separated by commas, which are {@code %2C} in a
   * value; may be repeated. {@code service.name} is {@code unknown_service:java} unless it is
   * configured.
   */
  public void addResource(String attributes) {
    resource.add(attributes);
  }

  /** A header of each request, as {@code name=value}; may be repeated. No message shows values. */
  public void addHeader(String header) {
    headers.add(header);
  }

  /** How requests are compressed: {@code gzip} (default) or {@code none}. */
  public void setCompression(String compression) {
    this.compression = compression.trim();
  }

  /** How long a request, with its answer, may take. Default: 10 seconds. */
  public void setTimeout(String timeout) {
    this.timeout = timeout.trim();
  }

  /** A proxy, {@code host:port}. Default: what the JVM is told. */
  public void setProxy(String proxy) {
    this.proxy = proxy.trim();
  }

  /** A file in PEM with the authorities that are trusted. Default: the JVM's. */
  public void setCaCertificate(String file) {
    this.caCertificate = file.trim();
  }

  /** A file in PEM with the client's certificate, if the receiver wants one. */
  public void setClientCertificate(String file) {
    this.clientCertificate = file.trim();
  }

  /** A file in PEM with the key to it, PKCS #8, not encrypted. */
  public void setClientKey(String file) {
    this.clientKey = file.trim();
  }

  @Override
  public String name() {
    URI to = Endpoint.parse(String.valueOf(configuredEndpoint()));
    return "collector " + (to == null ? "" : OtlpSettings.place(to));
  }

  private @Nullable String configuredEndpoint() {
    return endpoint == null || endpoint.isEmpty() ? variables.endpoint() : endpoint;
  }

  @Override
  public boolean needsAttributes() {
    return true;
  }

  @Override
  public void validate(long commitMs, ConfigFindings findings) {
    Map<String, String> allHeaders = headers(findings);
    URI to = endpoint(allHeaders, findings);
    String squeezed = orVariable(compression, "COMPRESSION", GZIP);
    if (!squeezed.equals(GZIP) && !squeezed.equals("none")) {
      findings.error(
          "<compression> of <destination> is \"%s\": must be gzip or none".formatted(squeezed));
    }
    String ofEnvironment = variables.exporter("TIMEOUT");
    String time = timeout == null && ofEnvironment != null ? ofEnvironment + " ms" : timeout;
    long timeoutMs = findings.timeMs("timeout", time, DEFAULT_TIMEOUT_MS);
    findings.requireRange("timeout", timeoutMs, LEAST_TIMEOUT_MS, MOST_TIMEOUT_MS, " ms");
    if (proxy != null && !isProxy(proxy)) {
      findings.error(
          "<proxy> of <destination> is \"%s\": must be host:port"
              .formatted(Endpoint.hiding(proxy)));
    }
    Path certificate = file("clientCertificate", clientCertificate, "CLIENT_CERTIFICATE", findings);
    Path key = file("clientKey", clientKey, "CLIENT_KEY", findings);
    if ((certificate == null) != (key == null)) {
      findings.error("<clientCertificate> and <clientKey> must be both there, or none");
    }
    String protocol = variables.exporter("PROTOCOL");
    if (protocol != null && !protocol.equals(PROTOCOL)) {
      findings.warn(
          "OTEL_EXPORTER_OTLP_PROTOCOL is %s: must be %s, which <destination> sends to another port than gRPC's"
              .formatted(protocol, PROTOCOL));
    }
    byte[] described = resource(findings);
    Path authority = file("caCertificate", caCertificate, "CERTIFICATE", findings);
    settings =
        to == null
            ? null
            : new OtlpSettings(
                Endpoint.withoutUser(to),
                described,
                allHeaders,
                squeezed.equals(GZIP),
                (int) Math.min(MOST_TIMEOUT_MS, timeoutMs),
                proxy,
                authority,
                certificate,
                key);
  }

  private String orVariable(@Nullable String configured, String variable, String otherwise) {
    String value = configured == null ? variables.exporter(variable) : configured;
    return value == null ? otherwise : value.toLowerCase(Locale.ROOT);
  }

  /** Null if there is an ERROR. A user in it becomes a header. */
  private @Nullable URI endpoint(Map<String, String> toHeaders, ConfigFindings findings) {
    String configured = configuredEndpoint();
    if (configured == null) {
      findings.error(
          "<endpoint> of <destination> must be there: write http://localhost:4318/v1/logs, for instance, or set OTEL_EXPORTER_OTLP_ENDPOINT");
      return null;
    }
    URI to = Endpoint.parse(configured);
    if (to == null) {
      findings.error(
          "<endpoint> of <destination> is \"%s\": must be an http or https URL whose host has letters, digits, hyphens and dots, such as http://localhost:4318/v1/logs"
              .formatted(Endpoint.hiding(configured)));
      return null;
    }
    if (to.getRawPath().isEmpty() || to.getRawPath().equals("/")) {
      findings.warn(
          "<endpoint> of <destination> has no path: must be such as /v1/logs, where collectors take logs");
    }
    if (to.getUserInfo() != null) {
      toHeaders.putIfAbsent("Authorization", "Basic " + Endpoint.basic(to));
    }
    return to;
  }

  private static boolean isProxy(String text) {
    return PROXY.matcher(text).matches()
        && Integer.parseInt(text.substring(text.lastIndexOf(':') + 1)) <= MOST_PORT;
  }

  private @Nullable Path file(
      String element, @Nullable String configured, String variable, ConfigFindings findings) {
    String file = configured == null ? variables.exporter(variable) : configured;
    try {
      return file == null || file.isEmpty() ? null : Path.of(file).toAbsolutePath();
    } catch (InvalidPathException e) {
      findings.error("<%s> of <destination> is \"%s\": must be a path".formatted(element, file));
      return null;
    }
  }

  /** By name, what is configured here first. Findings never show values, nor what may be one. */
  private Map<String, String> headers(ConfigFindings findings) {
    Map<String, String> all = new TreeMap<>(String.CASE_INSENSITIVE_ORDER);
    String variable = "OTEL_EXPORTER_OTLP_HEADERS";
    OtelVariables.pairs(variable, variables.exporter("HEADERS"), findings)
        .forEach((name, value) -> check(name, value, variable, all, findings));
    for (int i = 0; i < headers.size(); i++) {
      String[] pair = headers.get(i).split("=", 2);
      String value = pair.length < 2 ? "" : pair[1].trim();
      check(pair[0].trim(), value, "<header> number " + (i + 1), all, findings);
    }
    return all;
  }

  private static void check(
      String name, String value, String where, Map<String, String> to, ConfigFindings findings) {
    if (!HEADER_NAME.matcher(name).matches() || !HEADER_VALUE.matcher(value).matches()) {
      findings.error(
          "%s of <destination> must be name=value, in characters that HTTP knows".formatted(where));
    } else if (OURS.contains(name.toLowerCase(Locale.ROOT))) {
      findings.error(
          "%s of <destination>: %s must be left to the client: remove it".formatted(where, name));
    } else {
      to.put(name, value);
    }
  }

  private byte[] resource(ConfigFindings findings) {
    Map<String, String> all = new LinkedHashMap<>();
    all.put(SERVICE, "unknown_service:java");
    String variable = "OTEL_RESOURCE_ATTRIBUTES";
    all.putAll(OtelVariables.pairs(variable, variables.get(variable), findings));
    String service = variables.get("OTEL_SERVICE_NAME");
    if (service != null) {
      all.put(SERVICE, service);
    }
    Map<String, String> configured = new LinkedHashMap<>();
    for (String attribute : String.join(",", resource).split(",", -1)) {
      String[] pair = attribute.split("=", 2);
      if (pair.length == 2 && !pair[0].isBlank()) {
        if (configured.put(pair[0].trim(), OtelVariables.decoded(pair[1].trim())) != null) {
          findings.error(
              "<resource> of <destination> has %s twice: must be there once"
                  .formatted(pair[0].trim()));
        }
      } else if (!attribute.isBlank()) {
        findings.error(
            "<resource> of <destination> has \"%s\": must be name=value, separated by commas"
                .formatted(attribute.trim()));
      }
    }
    all.putAll(configured);
    return EventFields.resource(all);
  }

  @Override
  public byte[] attributes(ILoggingEvent event) {
    return fields.encode(event);
  }

  @Override
  public Encoder<ILoggingEvent> encoder() {
    return bodies;
  }

  @Override
  public Filter<ILoggingEvent> ownLog() {
    return ownLog;
  }

  @Override
  @SuppressWarnings("exports")
  public Destination destination(
      byte[] header, byte[] footer, byte[] lineEnd, ShippingListener listener) {
    OtlpSettings checked = Objects.requireNonNull(settings, "not validated");
    return new CollectorDestination(checked, lineEnd, listener, NanoClock.SYSTEM);
  }

  @Override
  public Map<String, String> description() {
    return Objects.requireNonNull(settings, "not validated").description();
  }
}
