package dev.forebay.access;

import ch.qos.logback.access.common.spi.AccessContext;
import ch.qos.logback.access.common.spi.AccessEvent;
import ch.qos.logback.access.common.spi.IAccessEvent;
import ch.qos.logback.access.common.spi.ServerAdapter;
import jakarta.servlet.http.Cookie;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import jakarta.servlet.http.HttpSession;
import java.lang.reflect.InvocationHandler;
import java.lang.reflect.Method;
import java.lang.reflect.Proxy;
import java.util.Collections;
import java.util.List;
import java.util.Map;

/** A request and its response as a server pools them: used again for the next one. */
final class PooledRequest implements ServerAdapter {

  private final AccessContext context;
  private final HttpServletRequest request = proxy(HttpServletRequest.class, this::ofRequest);
  private final HttpServletResponse response = proxy(HttpServletResponse.class, this::ofResponse);

  /** What the current one is about, everywhere in it; "" for one that has nothing. */
  private String text = "";

  PooledRequest(AccessContext context) {
    this.context = context;
  }

  /** The event of the next request, which is all about a text. */
  IAccessEvent next(String about) {
    text = about;
    AccessEvent event = new AccessEvent(context, request, response, this);
    event.setThreadName("of " + about);
    return event;
  }

  private static <T> T proxy(Class<T> type, InvocationHandler handler) {
    return type.cast(Proxy.newProxyInstance(type.getClassLoader(), new Class<?>[] {type}, handler));
  }

  private Object ofRequest(Object proxy, Method method, Object[] arguments) {
    boolean isEmpty = text.isEmpty();
    return switch (method.getName()) {
      case "getRequestURI" -> "/" + text;
      case "getRemoteHost", "getRemoteAddr", "getServerName" -> method.getName() + text;
      case "getProtocol" -> "HTTP/" + text;
      case "getMethod" -> "POST";
      case "getLocalPort" -> 8080;
      case "getHeaderNames" -> Collections.enumeration(isEmpty ? List.of() : names());
      case "getHeader", "getParameter" -> text;
      case "getAttribute" -> arguments[0].equals("x") ? text : null;
      case "getParameterNames", "getAttributeNames" -> Collections.enumeration(names());
      case "getParameterValues" -> new String[] {text};
      case "getCookies" -> new Cookie[] {new Cookie("x", text)};
      case "getSession" -> isEmpty ? null : proxy(HttpSession.class, (p, m, a) -> "s" + text);
      case "getQueryString" -> isEmpty ? null : text;
      case "getRemoteUser" -> isEmpty ? null : "u" + text;
      case "getContentType" -> "application/x-www-form-urlencoded";
      default -> throw new UnsupportedOperationException(method.getName());
    };
  }

  /** Not in the order of the alphabet. */
  private static List<String> names() {
    return List.of("x", "a");
  }

  private Object ofResponse(Object proxy, Method method, Object[] arguments) {
    return switch (method.getName()) {
      case "getContentType" -> "text/plain";
      default -> throw new UnsupportedOperationException(method.getName());
    };
  }

  @Override
  public long getRequestTimestamp() {
    return System.currentTimeMillis();
  }

  @Override
  public long getContentLength() {
    return text.isEmpty() ? IAccessEvent.SENTINEL : text.length();
  }

  @Override
  public int getStatusCode() {
    return 200;
  }

  @Override
  public Map<String, String> buildResponseHeaderMap() {
    return text.isEmpty() ? Map.of() : Map.of("x", text);
  }
}
