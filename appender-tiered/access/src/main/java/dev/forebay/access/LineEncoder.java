package dev.forebay.access;

import ch.qos.logback.access.common.spi.IAccessEvent;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.encoder.Encoder;
import ch.qos.logback.core.encoder.EncoderBase;
import java.util.function.Function;
import java.util.function.Supplier;

/**
 * The encoder of an access log as one of log events: writes what it has taken on the thread that
 * served the request, where Logback's own file appenders encode too, or encodes a copy where the
 * encoder must not be called there.
 */
final class LineEncoder extends EncoderBase<ILoggingEvent>
    implements Function<IAccessEvent, Object[]>, Supplier<Encoder<?>> {

  private static final byte[] NOTHING = {};

  private final Encoder<IAccessEvent> encoder;
  private final boolean encodesLater;

  /**
   * @param callersEncode whether it may be called by the threads that serve requests; not if it is
   *     stateful
   */
  LineEncoder(Encoder<IAccessEvent> encoder, boolean callersEncode) {
    this.encoder = encoder;
    this.encodesLater = !callersEncode || isStateful();
  }

  /** The encoder of the access log, whose known properties hold for this one too. */
  @Override
  public Encoder<?> get() {
    return encoder;
  }

  /** Takes what to keep of an event, prepared first as by Logback's own: Jetty's needs that. */
  @Override
  public Object[] apply(IAccessEvent event) {
    if (encodesLater) {
      return TakenEvent.of(event).withTexts();
    }
    event.prepareForDeferredProcessing();
    try {
      byte[] line = encoder.encode(event);
      return new Object[] {line == null ? NOTHING : line};
    } catch (Throwable t) { // thrown again where it counts as the encoder's
      return new Object[] {t};
    }
  }

  @Override
  public byte[] encode(ILoggingEvent event) {
    if (!(event instanceof CarriedEvent carried)) {
      return encoder.encode(TakenEvent.of(event)); // a report of drops
    }
    Object taken = carried.taken();
    if (taken instanceof byte[] line) {
      return line;
    }
    if (taken instanceof TakenEvent copy) {
      return encoder.encode(copy);
    }
    throw taken instanceof RuntimeException failure
        ? failure
        : new IllegalStateException((Throwable) taken);
  }

  /** As {@code Encoder.isStateful()} of Logback 1.6, which earlier encoders do not have. */
  public boolean isStateful() {
    try {
      return Boolean.TRUE.equals(Encoder.class.getMethod("isStateful").invoke(encoder));
    } catch (ReflectiveOperationException | RuntimeException e) {
      return false;
    }
  }

  @Override
  public byte[] headerBytes() {
    return encoder.headerBytes();
  }

  @Override
  public byte[] footerBytes() {
    return encoder.footerBytes();
  }

  @Override
  public boolean isStarted() {
    return encoder.isStarted();
  }

  @Override
  public void start() {
    encoder.start();
  }

  @Override
  public void stop() {
    encoder.stop();
  }
}
