package dev.forebay.boot;

import ch.qos.logback.classic.LoggerContext;
import ch.qos.logback.core.Appender;
import dev.forebay.observe.AppenderMXBean;
import dev.forebay.observe.ControlMXBean;
import dev.forebay.observe.TieredAppenderMXBean;
import dev.forebay.tiered.AppenderBeans;
import java.util.LinkedHashMap;
import java.util.Map;
import org.springframework.boot.actuate.endpoint.annotation.Endpoint;
import org.springframework.boot.actuate.endpoint.annotation.ReadOperation;
import org.springframework.boot.actuate.endpoint.annotation.Selector;
import org.springframework.boot.actuate.endpoint.annotation.WriteOperation;
import org.springframework.boot.actuate.endpoint.web.WebEndpointResponse;
import org.springframework.lang.Nullable;

/**
 * The Actuator endpoint {@code forebay}: the same view and operations as JMX and the command line
 * tool. Any thread; a write may wait for the disk, five seconds by default.
 *
 * @hidden
 */
@Endpoint(id = "forebay")
public final class ForebayEndpoint {

  private static final long DEFAULT_TIMEOUT_MS = 5000;

  /** Longest wait of a thread that serves a request. */
  private static final long MAX_TIMEOUT_MS = 60_000;

  private final LoggerContext context;

  ForebayEndpoint(LoggerContext context) {
    this.context = context;
  }

  /** All appenders. */
  @ReadOperation
  public Map<String, Map<String, Object>> appenders() {
    Map<String, Map<String, Object>> shown = new LinkedHashMap<>();
    AppenderBeans.find(context)
        .forEach((name, appender) -> shown.put(name, show(AppenderBeans.of(appender))));
    return shown;
  }

  /** One appender; null, and status 404, if there is none of that name. */
  @ReadOperation
  public @Nullable Map<String, Object> appender(@Selector String appender) {
    Appender<?> found = AppenderBeans.find(context).get(appender);
    return found == null ? null : show(AppenderBeans.of(found));
  }

  private static Map<String, Object> show(AppenderMXBean bean) {
    Map<String, Object> shown = new LinkedHashMap<>();
    shown.put("account", bean.getAccount());
    shown.put("degraded", bean.getDegraded());
    shown.put("lastError", bean.getLastError());
    if (bean instanceof TieredAppenderMXBean tiered) {
      shown.put("spoolPath", tiered.getSpoolPath());
      shown.put("lastDump", tiered.getLastDump());
    }
    if (bean instanceof ControlMXBean control) {
      shown.put("levels", control.getLevels());
    }
    return shown;
  }

  /**
   * Does something to an appender: {@code flush} (with timeoutMillis, at most 60,000, default
   * 5,000), {@code dump} (with a reason), {@code rotate} or {@code level} (with logger, level and
   * seconds).
   *
   * @return {@code result}, or with status 400 an {@code error} that says what to write instead
   */
  @WriteOperation
  public WebEndpointResponse<Map<String, String>> perform(
      @Selector String appender,
      @Selector String verb,
      @Nullable Long timeoutMillis,
      @Nullable String reason,
      @Nullable String logger,
      @Nullable String level,
      @Nullable Integer seconds) {
    try {
      AppenderMXBean bean = bean(appender);
      String result =
          switch (verb) {
            case "flush" -> flush(bean, timeoutMillis == null ? DEFAULT_TIMEOUT_MS : timeoutMillis);
            case "dump" -> control(bean).dump(reason == null ? "endpoint" : reason);
            case "rotate" -> control(bean).rotate();
            case "level" -> {
              ControlMXBean control = control(bean);
              if (logger == null || level == null || seconds == null) {
                throw new IllegalArgumentException("level needs logger, level and seconds");
              }
              yield control.setLevel(logger, level, seconds);
            }
            default -> {
              ControlMXBean unused = control(bean);
              throw new IllegalArgumentException(
                  "\"%s\": must be flush, dump, rotate or level".formatted(verb));
            }
          };
      return new WebEndpointResponse<>(Map.of("result", result));
    } catch (IllegalArgumentException | IllegalStateException e) { // it says what to write
      return new WebEndpointResponse<>(
          Map.of("error", String.valueOf(e.getMessage())), WebEndpointResponse.STATUS_BAD_REQUEST);
    }
  }

  /** As {@link #perform}, without a body: an operation with other values insists on one. */
  @WriteOperation
  public WebEndpointResponse<Map<String, String>> performPlain(
      @Selector String appender, @Selector String verb) {
    return perform(appender, verb, null, null, null, null, null);
  }

  private AppenderMXBean bean(String name) {
    Map<String, Appender<?>> all = AppenderBeans.find(context);
    Appender<?> found = all.get(name);
    if (found == null) {
      throw new IllegalArgumentException(
          "no appender \"%s\": there are %s".formatted(name, all.keySet()));
    }
    return AppenderBeans.of(found);
  }

  private static String flush(AppenderMXBean bean, long timeoutMs) {
    if (timeoutMs < 0 || timeoutMs > MAX_TIMEOUT_MS) {
      throw new IllegalArgumentException(
          "timeoutMillis is %d: must be between 0 and %d".formatted(timeoutMs, MAX_TIMEOUT_MS));
    }
    return bean.flush(timeoutMs)
        ? "all events are in the log"
        : "not all events are in the log yet";
  }

  private static ControlMXBean control(AppenderMXBean bean) {
    if (bean instanceof ControlMXBean control) {
      return control;
    }
    throw new IllegalArgumentException(
        "only flush: the appender has no spool, or <control>false</control>");
  }
}
