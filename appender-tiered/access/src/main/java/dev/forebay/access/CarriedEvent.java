package dev.forebay.access;

import ch.qos.logback.access.common.spi.IAccessEvent;
import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.spi.CallerData;
import ch.qos.logback.classic.spi.LoggingEvent;
import ch.qos.logback.core.spi.FilterAttachable;
import ch.qos.logback.core.spi.FilterReply;
import java.nio.charset.StandardCharsets;
import java.util.Map;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * An access event on its way through an appender of log events, which takes it for one of level
 * INFO. It has no message, by which a limit would take one request for a repetition of another.
 *
 * <p>It refers to the request only during the call that brings it. What it takes with it is there
 * from {@link #prepareForDeferredProcessing} on: the line, or a copy of the event with its texts,
 * so that it weighs what it holds.
 */
final class CarriedEvent extends LoggingEvent {

  private final Function<IAccessEvent, Object[]> taking;

  /** Null when the call is over, as that thread writes; a listener to samples may look earlier. */
  private @Nullable IAccessEvent event;

  /** Written by the thread of the call before the ring has this; null if it was refused earlier. */
  private Object @Nullable [] taken;

  /**
   * @param taking returns what is to be kept of an event, the most important first: the bytes of
   *     its line, a {@link TakenEvent} or what its encoder has thrown
   */
  CarriedEvent(IAccessEvent event, Function<IAccessEvent, Object[]> taking) {
    setTimeStamp(event.getTimeStamp());
    setLevel(Level.INFO);
    setLoggerName("access");
    setMDCPropertyMap(Map.of());
    setCallerData(CallerData.EMPTY_CALLER_DATA_ARRAY);
    setThreadName(event.getThreadName());
    this.taking = taking;
    this.event = event;
  }

  @Override
  public void prepareForDeferredProcessing() {
    IAccessEvent known = event;
    if (taken == null && known != null) {
      taken = taking.apply(known);
    }
  }

  /** The answer of an appender's filters to the event, during its call. */
  FilterReply decision(FilterAttachable<IAccessEvent> filters) {
    IAccessEvent known = event;
    return known == null ? FilterReply.NEUTRAL : filters.getFilterChainDecision(known);
  }

  /** Ends the call: from now on the server may use the request again. */
  void leaveRequest() {
    event = null;
  }

  /** The bytes or copy taken of the event; null if none. */
  @Nullable Object taken() {
    Object[] all = taken;
    return all == null ? null : all[0];
  }

  /** The objects that are weighed. */
  @Override
  public Object @Nullable [] getArgumentArray() {
    return taken;
  }

  /** The line or its request, as a sample of drops; not during the call, where it is weighed. */
  @Override
  public String getFormattedMessage() {
    Object known = event == null ? taken() : null;
    String text =
        known instanceof byte[] line
            ? new String(line, StandardCharsets.UTF_8).strip()
            : known instanceof TakenEvent copy ? copy.getRequestURL() : null;
    return text == null ? IAccessEvent.NA : text;
  }
}
