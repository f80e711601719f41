package dev.forebay.access;

import ch.qos.logback.access.common.spi.IAccessEvent;
import ch.qos.logback.access.common.spi.ServerAdapter;
import ch.qos.logback.classic.spi.ILoggingEvent;
import jakarta.servlet.http.Cookie;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Enumeration;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * A copy of an access event that outlives its request, or a line of our own in an access log. Its
 * components are named as the getters they are.
 *
 * <p>Logback's own event still asks its request after {@code prepareForDeferredProcessing}: for the
 * session, for the names of headers, and for whatever was null, such as the user of a request
 * without one. By then the server may use the request object for another request.
 *
 * @param prepared has the rest in maps, once it is prepared; null for a line of our own
 * @param headerNames those of the request in its order, which the map does not have
 */
record TakenEvent(
    @Nullable IAccessEvent prepared,
    List<String> headerNames,
    long getTimeStamp,
    long getSequenceNumber,
    long getRequestTimestamp,
    long getElapsedTime,
    long getElapsedSeconds,
    long getContentLength,
    int getStatusCode,
    int getLocalPort,
    String getThreadName,
    @Nullable String getRequestURI,
    @Nullable String getRequestURL,
    @Nullable String getQueryString,
    @Nullable String getRemoteHost,
    @Nullable String getRemoteUser,
    @Nullable String getRemoteAddr,
    @Nullable String getProtocol,
    @Nullable String getMethod,
    @Nullable String getServerName,
    @Nullable String getSessionID,
    @Nullable String getRequestContent,
    @Nullable String getResponseContent,
    Map<String, String> getRequestHeaderMap,
    Map<String, String[]> getRequestParameterMap,
    Map<String, String> getResponseHeaderMap,
    List<Cookie> getCookies)
    implements IAccessEvent, ServerAdapter {

  /** A copy. On the thread that serves the request. */
  static TakenEvent of(IAccessEvent event) {
    event.prepareForDeferredProcessing();
    ServerAdapter server = event.getServerAdapter();
    return new TakenEvent(
        event,
        headerNames(event),
        event.getTimeStamp(),
        event.getSequenceNumber(),
        server == null ? SENTINEL : server.getRequestTimestamp(),
        event.getElapsedTime(),
        event.getElapsedSeconds(),
        event.getContentLength(),
        event.getStatusCode(),
        event.getLocalPort(),
        event.getThreadName(),
        event.getRequestURI(),
        event.getRequestURL(),
        event.getQueryString(),
        event.getRemoteHost(),
        event.getRemoteUser(),
        event.getRemoteAddr(),
        event.getProtocol(),
        event.getMethod(),
        event.getServerName(),
        event.getSessionID(),
        event.getRequestContent(),
        event.getResponseContent(),
        event.getRequestHeaderMap(),
        event.getRequestParameterMap(),
        event.getResponseHeaderMap(),
        event.getCookies());
  }

  private static List<String> headerNames(IAccessEvent event) {
    Enumeration<String> names = event.getRequestHeaderNames();
    return names == null // of Jetty
        ? List.copyOf(event.getRequestHeaderMap().keySet())
        : Collections.list(names);
  }

  /**
   * A report of drops as an access event, since an encoder of access logs knows no other: its text
   * stands where the request would, its status is 0, the rest is unknown.
   */
  static TakenEvent of(ILoggingEvent report) {
    String text = report.getFormattedMessage().replace('"', '\''); // patterns put it in quotes
    return new TakenEvent(
        null,
        List.of(),
        report.getTimeStamp(),
        0,
        SENTINEL,
        SENTINEL,
        SENTINEL,
        SENTINEL,
        0,
        SENTINEL,
        NA, // a second ring would take it for an event that its own thread has logged
        text,
        text,
        "",
        NA,
        NA,
        NA,
        NA,
        NA,
        NA,
        NA,
        "",
        "",
        Map.of(),
        Map.of(),
        Map.of(),
        List.of());
  }

  /** This and its texts, which weigh. */
  Object[] withTexts() {
    List<@Nullable Object> all = new ArrayList<>();
    Collections.addAll(all, this, getRequestURL, getRequestContent, getResponseContent);
    all.addAll(getRequestHeaderMap.values());
    all.addAll(getResponseHeaderMap.values());
    all.addAll(getRequestParameterMap.values());
    return all.toArray();
  }

  @Override
  public void prepareForDeferredProcessing() {}

  /** Null, as after a deserialization. */
  @Override
  public @Nullable HttpServletRequest getRequest() {
    return null;
  }

  /** Null, as after a deserialization. */
  @Override
  public @Nullable HttpServletResponse getResponse() {
    return null;
  }

  @Override
  public ServerAdapter getServerAdapter() {
    return this;
  }

  /** Has no effect: the thread is known. */
  @Override
  public void setThreadName(String name) {}

  @Override
  public String getRequestHeader(String key) {
    return prepared == null ? NA : prepared.getRequestHeader(key);
  }

  @Override
  public Enumeration<String> getRequestHeaderNames() {
    return Collections.enumeration(headerNames);
  }

  @Override
  public String getAttribute(String key) {
    return prepared == null ? NA : prepared.getAttribute(key);
  }

  @Override
  public String[] getRequestParameter(String key) {
    return prepared == null ? new String[] {NA} : prepared.getRequestParameter(key);
  }

  @Override
  public String getCookie(String key) {
    return prepared == null ? NA : prepared.getCookie(key);
  }

  @Override
  public @Nullable String getResponseHeader(String key) {
    return prepared == null ? NA : prepared.getResponseHeader(key);
  }

  @Override
  public Map<String, String> buildResponseHeaderMap() {
    return getResponseHeaderMap;
  }

  @Override
  public List<String> getResponseHeaderNameList() {
    return List.copyOf(getResponseHeaderMap.keySet());
  }
}
