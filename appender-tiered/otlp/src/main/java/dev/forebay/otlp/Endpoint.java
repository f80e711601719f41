package dev.forebay.otlp;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.net.URI;
import java.net.URISyntaxException;
import java.util.Base64;
import org.jspecify.annotations.Nullable;

/** Where requests go, as it is configured. */
final class Endpoint {

  private static final int MOST_PORT = 65535;

  private Endpoint() {}

  /** Null if the JDK's client cannot use it. */
  static @Nullable URI parse(String text) {
    try {
      URI uri = new URI(text);
      boolean isHttp = "http".equalsIgnoreCase(uri.getScheme()) || isHttps(uri);
      boolean isUsable =
          isHttp && uri.getHost() != null && uri.getRawFragment() == null && uri.getPort() != 0;
      return isUsable && uri.getPort() <= MOST_PORT ? uri : null;
    } catch (URISyntaxException e) {
      return null; // its message shows all of the text
    }
  }

  static boolean isHttps(URI endpoint) {
    return "https".equalsIgnoreCase(endpoint.getScheme());
  }

  /** User and password as in a header. */
  static String basic(URI endpoint) {
    return Base64.getEncoder().encodeToString(endpoint.getUserInfo().getBytes(UTF_8));
  }

  /** The same without the user. */
  static URI withoutUser(URI endpoint) {
    String user = endpoint.getRawUserInfo();
    return user == null
        ? endpoint
        : URI.create(endpoint.toString().replaceFirst("//[^/?]*@", "//"));
  }

  /** A text that was to be one, for messages: without user and query, as far as can be told. */
  static String hiding(String text) {
    int at = text.lastIndexOf('@');
    String begin = text.matches("(?is)https?:?//.*") ? text.replaceFirst("//(?s).*", "//") : "";
    if (at >= 0 && text.substring(0, at).matches("(?s).*[?#].*")) {
      return begin + "…"; // before it is the query, or a password
    }
    String end = text.substring(at + 1).replaceFirst("(?s)[?#].*", "?…");
    return at < 0 ? end : begin + "…@" + end;
  }
}
