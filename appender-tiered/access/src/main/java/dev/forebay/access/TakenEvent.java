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
 * A copy of an access event that outlives its request, or a line of our own in an access log.
 *
 * <p>Logback's own event still asks its request after {@code prepareForDeferredProcessing}: for the
 * session, for the names of headers, and for whatever was null, such as the user of a request
 * without one. By then the request may be somebody else's.
 */
final class TakenEvent implements IAccessEvent, ServerAdapter {

  /** For what it keeps in maps once it is prepared; null for a line of our own. */
  private final @Nullable IAccessEvent prepared;

  private final long timeStamp;
  private final long sequenceNumber;
  private final long requestTimestamp;
  private final long elapsedTime;
  private final long elapsedSeconds;
  private final long contentLength;
  private final int statusCode;
  private final int localPort;
  private final @Nullable String requestUri;
  private final @Nullable String requestUrl;
  private final @Nullable String queryString;
  private final @Nullable String remoteHost;
  private final @Nullable String remoteUser;
  private final @Nullable String remoteAddr;
  private final @Nullable String protocol;
  private final @Nullable String method;
  private final @Nullable String serverName;
  private final @Nullable String sessionId;
  private final @Nullable String requestContent;
  private final @Nullable String responseContent;
  private final Map<String, String> requestHeaders;
  private final Map<String, String[]> requestParameters;
  private final Map<String, String> responseHeaders;
  private final List<Cookie> cookies;
  private String threadName;

  /** A copy. On the thread that serves the request. */
  TakenEvent(IAccessEvent of) {
    of.prepareForDeferredProcessing();
    prepared = of;
    timeStamp = of.getTimeStamp();
    sequenceNumber = of.getSequenceNumber();
    ServerAdapter server = of.getServerAdapter();
    requestTimestamp = server == null ? SENTINEL : server.getRequestTimestamp();
    elapsedTime = of.getElapsedTime();
    elapsedSeconds = of.getElapsedSeconds();
    contentLength = of.getContentLength();
    statusCode = of.getStatusCode();
    localPort = of.getLocalPort();
    requestUri = of.getRequestURI();
    requestUrl = of.getRequestURL();
    queryString = of.getQueryString();
    remoteHost = of.getRemoteHost();
    remoteUser = of.getRemoteUser();
    remoteAddr = of.getRemoteAddr();
    protocol = of.getProtocol();
    method = of.getMethod();
    serverName = of.getServerName();
    sessionId = of.getSessionID();
    requestContent = of.getRequestContent();
    responseContent = of.getResponseContent();
    requestHeaders = of.getRequestHeaderMap();
    requestParameters = of.getRequestParameterMap();
    responseHeaders = of.getResponseHeaderMap();
    cookies = of.getCookies();
    threadName = of.getThreadName();
  }

  /**
   * A report of drops as an access event, since an encoder of access logs knows no other: its text
   * stands where the request would, its status is 0, the rest is unknown.
   */
  TakenEvent(ILoggingEvent report) {
    prepared = null;
    timeStamp = report.getTimeStamp();
    sequenceNumber = 0;
    requestTimestamp = SENTINEL;
    elapsedTime = SENTINEL;
    elapsedSeconds = SENTINEL;
    contentLength = SENTINEL;
    statusCode = 0;
    localPort = SENTINEL;
    String text = report.getFormattedMessage().replace('"', '\''); // patterns put it in quotes
    requestUri = text;
    requestUrl = text;
    queryString = "";
    remoteHost = NA;
    remoteUser = NA;
    remoteAddr = NA;
    protocol = NA;
    method = NA;
    serverName = NA;
    sessionId = NA;
    requestContent = "";
    responseContent = "";
    requestHeaders = Map.of();
    requestParameters = Map.of();
    responseHeaders = Map.of();
    cookies = List.of();
    threadName = report.getThreadName();
  }

  /** This and its texts, which weigh. */
  Object[] withTexts() {
    List<@Nullable Object> all = new ArrayList<>();
    Collections.addAll(all, this, requestUrl, requestContent, responseContent);
    all.addAll(requestHeaders.values());
    all.addAll(responseHeaders.values());
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

  @Override
  public long getTimeStamp() {
    return timeStamp;
  }

  @Override
  public long getSequenceNumber() {
    return sequenceNumber;
  }

  @Override
  public long getRequestTimestamp() {
    return requestTimestamp;
  }

  @Override
  public long getElapsedTime() {
    return elapsedTime;
  }

  @Override
  public long getElapsedSeconds() {
    return elapsedSeconds;
  }

  @Override
  public @Nullable String getRequestURI() {
    return requestUri;
  }

  @Override
  public @Nullable String getRequestURL() {
    return requestUrl;
  }

  @Override
  public @Nullable String getRemoteHost() {
    return remoteHost;
  }

  @Override
  public @Nullable String getRemoteUser() {
    return remoteUser;
  }

  @Override
  public @Nullable String getProtocol() {
    return protocol;
  }

  @Override
  public @Nullable String getMethod() {
    return method;
  }

  @Override
  public @Nullable String getServerName() {
    return serverName;
  }

  @Override
  public @Nullable String getSessionID() {
    return sessionId;
  }

  @Override
  public void setThreadName(String name) {
    threadName = name;
  }

  @Override
  public String getThreadName() {
    return threadName;
  }

  @Override
  public @Nullable String getQueryString() {
    return queryString;
  }

  @Override
  public @Nullable String getRemoteAddr() {
    return remoteAddr;
  }

  @Override
  public String getRequestHeader(String key) {
    return prepared == null ? NA : prepared.getRequestHeader(key);
  }

  @Override
  public Enumeration<String> getRequestHeaderNames() {
    return Collections.enumeration(requestHeaders.keySet());
  }

  @Override
  public Map<String, String> getRequestHeaderMap() {
    return requestHeaders;
  }

  @Override
  public Map<String, String[]> getRequestParameterMap() {
    return requestParameters;
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
  public List<Cookie> getCookies() {
    return cookies;
  }

  @Override
  public String getCookie(String key) {
    return prepared == null ? NA : prepared.getCookie(key);
  }

  @Override
  public long getContentLength() {
    return contentLength;
  }

  @Override
  public int getStatusCode() {
    return statusCode;
  }

  @Override
  public @Nullable String getRequestContent() {
    return requestContent;
  }

  @Override
  public @Nullable String getResponseContent() {
    return responseContent;
  }

  @Override
  public int getLocalPort() {
    return localPort;
  }

  @Override
  public @Nullable String getResponseHeader(String key) {
    return prepared == null ? NA : prepared.getResponseHeader(key);
  }

  @Override
  public Map<String, String> getResponseHeaderMap() {
    return responseHeaders;
  }

  @Override
  public Map<String, String> buildResponseHeaderMap() {
    return responseHeaders;
  }

  @Override
  public List<String> getResponseHeaderNameList() {
    return List.copyOf(responseHeaders.keySet());
  }
}
