package dev.forebay;

import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.Appender;
import ch.qos.logback.core.OutputStreamAppender;
import dev.forebay.AttachedAppenders.Attached;
import dev.forebay.agent.AgentThread;
import dev.forebay.observe.DropReason;
import dev.forebay.observe.Ledger;
import dev.forebay.pipeline.EventSink;
import java.io.Flushable;
import java.io.IOException;
import java.io.OutputStream;
import java.util.List;

/**
 * Hands events to the attached appenders, all of them, whatever one of them throws.
 *
 * <p>An event counts as delivered when every attached appender returned. What an appender hides
 * from its callers is not known here: Logback's file appenders catch their own exceptions.
 */
final class DelegateSink implements EventSink {

  private final AttachedAppenders attached;
  private final Ledger ledger;

  /** Guarded by this. */
  private boolean released;

  DelegateSink(AttachedAppenders attached, Ledger ledger) {
    this.attached = attached;
    this.ledger = ledger;
  }

  @Override
  public String name() {
    return "the attached appenders";
  }

  @Override
  public boolean isReady() {
    return true;
  }

  @Override
  public DropReason failureReason() {
    return DropReason.DELIVERY_FAILED;
  }

  @Override
  public void accept(ILoggingEvent event) {
    acceptReport(event);
  }

  @Override
  public boolean acceptReport(ILoggingEvent event) {
    List<Attached> all = attached.all();
    boolean taken = !all.isEmpty();
    AgentThread.passingOn(event);
    for (int i = 0; i < all.size(); i++) {
      taken &= append(all.get(i), event);
    }
    AgentThread.passingOn(null);
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

  /** Flushes the appenders that buffer, so that a quiet log is not seconds behind. */
  @Override
  public void endOfBatch() {
    for (Attached to : attached.all()) {
      try {
        flush(to.appender());
      } catch (Throwable t) { // as in append
        to.health().failed(t);
      }
    }
  }

  private static void flush(Appender<ILoggingEvent> appender) throws IOException {
    if (!appender.isStarted()) {
      return;
    }
    if (appender instanceof Flushable flushable) {
      flushable.flush();
    } else if (appender instanceof OutputStreamAppender<?> file && !file.isImmediateFlush()) {
      OutputStream stream = file.getOutputStream();
      if (stream != null) {
        stream.flush();
      }
    }
  }

  /** Stops the appenders, unless {@link #release} was called before. */
  @Override
  public synchronized void close() {
    if (released) {
      return;
    }
    for (Attached to : attached.all()) {
      try {
        to.appender().stop();
      } catch (Throwable t) { // as in append
        to.health().failed(t);
      }
    }
  }

  /**
   * The appenders belong to the next start from now on: a flusher that hung in one of them when its
   * own time was over must not stop them later.
   */
  synchronized void release() {
    released = true;
  }
}
