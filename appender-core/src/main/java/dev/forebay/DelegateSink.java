package dev.forebay;

import ch.qos.logback.classic.spi.ILoggingEvent;
import dev.forebay.AttachedAppenders.Attached;
import dev.forebay.observe.DropReason;
import dev.forebay.observe.Ledger;
import dev.forebay.pipeline.EventSink;
import dev.forebay.redact.EventRedactor;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Passes each event to all attached appenders, whatever one of them throws.
 *
 * <p>An event counts as delivered when every attached appender has returned. Errors that an
 * appender hides stay unknown: Logback's file appenders catch their own exceptions.
 */
record DelegateSink(AttachedAppenders attached, Ledger ledger, @Nullable EventRedactor redactor)
    implements EventSink {

  @Override
  public String name() {
    return "the attached appenders";
  }

  @Override
  public boolean makeReady() {
    return true;
  }

  @Override
  public DropReason failureReason() {
    return DropReason.DELIVERY_FAILED;
  }

  @Override
  public boolean accept(ILoggingEvent event, byte @Nullable [] encoded) {
    List<Attached> all = attached.all();
    boolean taken = !all.isEmpty();
    ILoggingEvent seen = redactor == null ? event : redactor.whole(event);
    for (int i = 0; i < all.size(); i++) {
      taken &= append(all.get(i), seen);
    }
    if (taken) {
      ledger.deliver(1);
    } else {
      ledger.drop(DropReason.DELIVERY_FAILED, event);
    }
    return taken;
  }

  private static boolean append(Attached to, ILoggingEvent event) {
    try {
      if (!to.appender().isStarted()) {
        throw new IllegalStateException("not started");
      }
      to.appender().doAppend(event);
      to.health().succeeded();
      return true;
    } catch (Throwable t) { // foreign code; the other appenders must get the event
      to.health().failed(t);
      return false;
    }
  }

  @Override
  public void endOfBatch() {
    for (Attached to : attached.all()) {
      try {
        AttachedAppenders.flush(to.appender());
      } catch (Throwable t) { // as in append
        to.health().failed(t);
      }
    }
  }

  /**
   * Stops the appenders while this start owns them. If an appender hangs in its stop until the next
   * start owns it, it is started again for that one.
   */
  @Override
  public void close() {
    if (!attached.end(this)) {
      return;
    }
    for (Attached to : attached.all()) {
      if (attached.isUsed()) { // by a later start
        return;
      }
      try {
        to.appender().stop();
        if (attached.isUsed() && !to.appender().isStarted()) {
          to.appender().start();
        }
      } catch (Throwable t) { // as in append
        to.health().failed(t);
      }
    }
  }
}
