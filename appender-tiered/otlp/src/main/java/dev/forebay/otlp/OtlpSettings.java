package dev.forebay.otlp;

import dev.forebay.tiered.ship.Described;
import java.io.IOException;
import java.net.URI;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * The checked settings of one start.
 *
 * @param endpoint without a user; its query may be secret
 * @param resource an encoded {@code Resource}
 * @param headers by name, in any case; values are secret
 * @param timeoutMs for a request, with its answer
 * @param proxy host and port; null for that of the JVM
 * @param caCertificate PEM, as the others; null for the JVM's authorities
 * @param clientCertificate null without one
 * @param clientKey null without a certificate
 */
@SuppressWarnings("ArrayRecordComponent") // never compared
record OtlpSettings(
    URI endpoint,
    byte[] resource,
    Map<String, String> headers,
    boolean isCompressed,
    int timeoutMs,
    @Nullable String proxy,
    @Nullable Path caCertificate,
    @Nullable Path clientCertificate,
    @Nullable Path clientKey) {

  static final String KIND = "otlp";

  /** Begins the keys of headers in a description. */
  private static final String HEADER = "header.";

  /** Shorter parts of secrets are in any text. */
  private static final int LEAST_SECRET = 4;

  /** Of the collector, for messages: without a query, which may have a key. */
  String name() {
    return "collector " + place(endpoint);
  }

  static String place(URI of) {
    String port = of.getPort() < 0 ? "" : ":" + of.getPort();
    return of.getHost() + port + (of.getRawPath() == null ? "" : of.getRawPath());
  }

  /** For another process. Some values are secret. */
  Map<String, String> description() {
    Map<String, String> all = new LinkedHashMap<>();
    all.put("kind", KIND);
    all.put("endpoint", endpoint.toString());
    all.put("resource", Described.hex(resource));
    all.put("isCompressed", String.valueOf(isCompressed));
    all.put("timeoutMs", String.valueOf(timeoutMs));
    putIfThere(all, "proxy", proxy);
    putIfThere(all, "caCertificate", caCertificate);
    putIfThere(all, "clientCertificate", clientCertificate);
    putIfThere(all, "clientKey", clientKey);
    headers.forEach((name, value) -> all.put(HEADER + name, value));
    return all;
  }

  private static void putIfThere(Map<String, String> all, String key, @Nullable Object value) {
    if (value != null) {
      all.put(key, value.toString());
    }
  }

  /** Of another process. */
  static OtlpSettings of(Described from) throws IOException {
    Map<String, String> headers = new TreeMap<>(String.CASE_INSENSITIVE_ORDER);
    from.values()
        .forEach(
            (key, value) -> {
              if (key.startsWith(HEADER)) {
                headers.put(key.substring(HEADER.length()), value);
              }
            });
    URI endpoint = Endpoint.parse(from.text("endpoint"));
    if (endpoint == null) {
      throw Described.unknown("endpoint", null);
    }
    return new OtlpSettings(
        endpoint,
        from.bytes("resource"),
        headers,
        from.flag("isCompressed"),
        from.index("timeoutMs"),
        from.textOrNull("proxy"),
        pathOrNull(from, "caCertificate"),
        pathOrNull(from, "clientCertificate"),
        pathOrNull(from, "clientKey"));
  }

  private static @Nullable Path pathOrNull(Described from, String key) throws IOException {
    return from.textOrNull(key) == null ? null : from.path(key);
  }

  /** A text from elsewhere, such as an answer, without anything that is secret. */
  String hiding(String text) {
    String query = endpoint.getRawQuery();
    return Stream.concat(headers.values().stream(), Stream.ofNullable(query))
        .flatMap(value -> Stream.concat(Stream.of(value), Stream.of(value.split("[\\s=&,;\"]+"))))
        .filter(part -> part.length() >= LEAST_SECRET)
        .sorted((a, b) -> b.length() - a.length()) // a secret may contain another one
        .reduce(text, (told, part) -> told.replace(part, "…"));
  }

  /** Without anything secret. */
  @Override
  public String toString() {
    return "settings of " + name();
  }
}
