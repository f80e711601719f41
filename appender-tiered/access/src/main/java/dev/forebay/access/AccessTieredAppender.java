package dev.forebay.access;

import ch.qos.logback.access.common.spi.IAccessEvent;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.FileAppender;
import ch.qos.logback.core.encoder.Encoder;
import ch.qos.logback.core.rolling.RollingPolicy;
import ch.qos.logback.core.rolling.TriggeringPolicy;
import ch.qos.logback.core.util.FileSize;
import dev.forebay.PipelineOptions;
import dev.forebay.observe.LedgerSnapshot;
import dev.forebay.tiered.TieredAppender;
import dev.forebay.tiered.TieredOptions;
import dev.forebay.tiered.TieredProperties;
import java.time.Duration;
import java.util.Locale;
import java.util.Set;
import java.util.function.Function;

/**
 * An access log whose requests never wait for a disk: a {@link TieredAppender} for the events of
 * logback-access. Replaces Logback's {@code RollingFileAppender}, {@code FileAppender} and {@code
 * ConsoleAppender} in {@code logback-access.xml}; properties have the same meaning as there and in
 * {@code TieredAppender}.
 *
 * <p>The thread that served the request encodes its line, as under Logback's own, since the server
 * uses the request again for the next one. What depends on levels has no meaning. A report of drops
 * is an access event with the text as its request and the status 0.
 *
 * <p>Stopped by what stops its context: Tomcat's valve or Jetty's request log. Configuring and
 * starting are for one thread at a time; everything else is thread-safe. It can be started again
 * after a stop.
 */
public final class AccessTieredAppender extends FileAppender<IAccessEvent>
    implements AccessProperties, TieredProperties {

  private static final Set<String> SCOPES = Set.of("ring", "call");

  private final TieredAppender tiered = new TieredAppender();
  private boolean callerEncoding = true;

  /** Takes what a line needs. A copy, until the encoder is known: a call may overlap the start. */
  private volatile Function<IAccessEvent, Object[]> taking =
      event -> TakenEvent.of(event).withTexts();

  public AccessTieredAppender() {
    pipelineOptions().carryOthers();
    tiered.setDiscardingThreshold(0); // one level: it has the whole ring
    tiered.addFilter(new AccessFilters(this));
  }

  @Override
  public PipelineOptions pipelineOptions() {
    return tiered.pipelineOptions();
  }

  @Override
  public TieredOptions tieredOptions() {
    return tiered.tieredOptions();
  }

  /**
   * Whether the threads that serve requests encode; default true. With false the flusher's does, a
   * copy of each event: for an encoder that blocks. A stateful encoder is always called there.
   */
  public void setCallerEncoding(boolean callersEncode) {
    callerEncoding = callersEncode;
  }

  /** {@code ring} or {@code call}. */
  @Override
  public void setDurability(String scope) {
    if (SCOPES.contains(scope.strip().toLowerCase(Locale.ROOT))) {
      TieredProperties.super.setDurability(scope);
    } else {
      pipelineOptions()
          .setWithoutMeaning(
              "durability", "access events have neither level nor marker: write ring or call");
    }
  }

  public void setRollingPolicy(RollingPolicy policy) {
    tiered.setRollingPolicy(policy);
  }

  public void setTriggeringPolicy(TriggeringPolicy<IAccessEvent> policy) {
    @SuppressWarnings("unchecked") // Logback's policies take any event, and get none here
    TriggeringPolicy<ILoggingEvent> ofAny = (TriggeringPolicy<ILoggingEvent>) (Object) policy;
    tiered.setTriggeringPolicy(ofAny);
  }

  @Override
  public void setImmediateFlush(boolean flush) {
    tiered.setImmediateFlush(flush);
  }

  @Override
  public void setBufferSize(FileSize size) {
    tiered.setBufferSize(size);
  }

  @Override
  public synchronized void start() {
    if (isStarted()) {
      return;
    }
    Encoder<IAccessEvent> encoder = getEncoder();
    LineEncoder lines = encoder == null ? null : new LineEncoder(encoder, callerEncoding);
    if (lines != null) {
      taking = lines;
    }
    tiered.setContext(getContext());
    tiered.setName(getName());
    tiered.setFile(rawFileProperty());
    tiered.setAppend(isAppend());
    tiered.setPrudent(isPrudent());
    tiered.setCallerEncoding(String.valueOf(callerEncoding));
    tiered.setEncoder(lines);
    tiered.start();
    RunningAppenders.note(this);
  }

  /** See {@link TieredAppender#stop}. */
  @Override
  public void stop() {
    tiered.stop();
    RunningAppenders.note(this);
  }

  @Override
  public boolean isStarted() {
    return tiered.isStarted();
  }

  /** Counts refused events and adds no status on the caller's thread. */
  @Override
  public void doAppend(IAccessEvent event) {
    CarriedEvent carried = new CarriedEvent(event, taking);
    tiered.doAppend(carried);
    carried.leaveRequest();
  }

  @Override
  protected void append(IAccessEvent event) {
    doAppend(event);
  }

  /** See {@link TieredAppender#snapshot}. */
  public LedgerSnapshot snapshot() {
    return tiered.snapshot();
  }

  /** See {@link TieredAppender#flush}. */
  public boolean flush(Duration timeout) {
    return tiered.flush(timeout);
  }
}
