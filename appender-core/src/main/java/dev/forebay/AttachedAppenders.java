package dev.forebay;

import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.Appender;
import ch.qos.logback.core.OutputStreamAppender;
import ch.qos.logback.core.spi.AppenderAttachable;
import ch.qos.logback.core.spi.AppenderAttachableImpl;
import dev.forebay.observe.FailureNotifier;
import dev.forebay.observe.OutputHealth;
import java.io.Flushable;
import java.io.IOException;
import java.io.OutputStream;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.Iterator;
import java.util.List;
import java.util.Set;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;

/**
 * The attached appenders ({@code <appender-ref>}), each with its health. Any thread attaches and
 * detaches; the flusher reads.
 *
 * @hidden
 */
public final class AttachedAppenders {

  record Attached(Appender<ILoggingEvent> appender, OutputHealth health) {}

  private final AppenderAttachableImpl<ILoggingEvent> attachable = new AppenderAttachableImpl<>();

  /** Replaced under the lock of this; read by the flusher. */
  private volatile List<Attached> all = List.of();

  /** The sink that uses the appenders and alone may stop them; null once it does. */
  private final AtomicReference<@Nullable DelegateSink> owner = new AtomicReference<>();

  /** Reports their failures, since the first start. Guarded by this. */
  private @Nullable FailureNotifier notifier;

  AttachedAppenders() {}

  AppenderAttachableImpl<ILoggingEvent> attachable() {
    return attachable;
  }

  /** Adds appenders, and those attached to them, directly or through others. */
  public static void addAll(Iterator<? extends Appender<?>> appenders, Set<Object> seen) {
    while (appenders.hasNext()) {
      Appender<?> appender = appenders.next();
      if (seen.add(appender) && appender instanceof AppenderAttachable<?> holder) {
        addAll(holder.iteratorForAppenders(), seen);
      }
    }
  }

  /** Whether the events of one appender reach another, directly or through others. */
  public static boolean isUpstreamOf(Appender<?> from, Appender<?> to) {
    Set<Object> reached = new HashSet<>();
    addAll(List.of(from).iterator(), reached);
    return reached.contains(to);
  }

  /** Flushes an appender that buffers, so that a quiet log is not seconds late. */
  public static void flush(Appender<?> appender) throws IOException {
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

  synchronized void add(Appender<ILoggingEvent> appender) {
    attachable.addAppender(appender);
    refresh(all);
  }

  synchronized boolean detach(Appender<ILoggingEvent> appender) {
    boolean detached = attachable.detachAppender(appender);
    refresh(all);
    return detached;
  }

  synchronized void detachAndStopAll() {
    attachable.detachAndStopAllAppenders();
    refresh(all);
  }

  /**
   * Begins a start, with the health of every appender: earlier failures were already reported.
   *
   * @param next the owner from now on: a flusher of an earlier start that hung in an appender must
   *     not stop the appenders later
   * @param failures reports their failures from now on
   */
  synchronized void begin(DelegateSink next, FailureNotifier failures) {
    owner.set(next);
    notifier = failures;
    refresh(List.of());
  }

  /** Ends the use by a sink. Returns whether it was the owner. */
  boolean end(DelegateSink sink) {
    return owner.compareAndSet(sink, null);
  }

  boolean isUsed() {
    return owner.get() != null;
  }

  /**
   * @param before those whose health stays, as far as they are still attached
   */
  private void refresh(List<Attached> before) {
    List<Attached> now = new ArrayList<>();
    for (Iterator<Appender<ILoggingEvent>> each = attachable.iteratorForAppenders();
        each.hasNext(); ) {
      now.add(known(before, each.next()));
    }
    all = List.copyOf(now);
    for (Attached gone : before) {
      if (notifier != null && !now.contains(gone)) {
        notifier.unwatch(gone.health());
      }
    }
  }

  private Attached known(List<Attached> before, Appender<ILoggingEvent> appender) {
    for (Attached known : before) {
      if (known.appender() == appender) {
        return known;
      }
    }
    OutputHealth health = new OutputHealth("appender [" + appender.getName() + "]");
    if (notifier != null) {
      notifier.watchForeign(health);
    }
    return new Attached(appender, health);
  }

  List<Attached> all() {
    return all;
  }
}
