package dev.forebay;

import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.Appender;
import ch.qos.logback.core.OutputStreamAppender;
import dev.forebay.observe.FailureNotifier;
import dev.forebay.observe.OutputHealth;
import java.io.Flushable;
import java.io.IOException;
import java.io.OutputStream;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * The attached appenders ({@code <appender-ref>}), each with its health. Any thread attaches and
 * detaches; the flusher reads.
 *
 * @hidden
 */
public final class AttachedAppenders {

  record Attached(Appender<ILoggingEvent> appender, OutputHealth health) {}

  /** Replaced with this locked; read by the flusher. */
  private volatile List<Attached> all = List.of();

  /** The sink that uses the appenders and alone may stop them; null once it does. */
  private final AtomicReference<@Nullable DelegateSink> owner = new AtomicReference<>();

  /** Reports their failures, since the first start. Guarded by this. */
  private @Nullable FailureNotifier notifier;

  AttachedAppenders() {}

  List<Attached> all() {
    return all;
  }

  /** The first appender that is wanted; null if there is none. */
  @Nullable Appender<ILoggingEvent> find(Predicate<Appender<ILoggingEvent>> wanted) {
    return all.stream().map(Attached::appender).filter(wanted).findFirst().orElse(null);
  }

  /** Whether the events of one appender reach another, directly or indirectly. */
  public static boolean isUpstreamOf(Appender<?> from, Appender<?> to) {
    Set<Object> reached = new HashSet<>();
    Statuses.addAll(List.of(from).iterator(), reached);
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
    List<Attached> more = new ArrayList<>(all);
    more.add(watched(appender));
    all = List.copyOf(more);
  }

  synchronized boolean detach(Appender<ILoggingEvent> appender) {
    List<Attached> left = new ArrayList<>(all);
    for (Attached each : all) {
      if (each.appender() == appender && left.remove(each) && notifier != null) {
        notifier.unwatch(each.health());
      }
    }
    boolean detached = left.size() < all.size();
    all = List.copyOf(left);
    return detached;
  }

  synchronized void detachAndStopAll() {
    for (Attached each : all) {
      each.appender().stop();
      boolean unused = detach(each.appender());
    }
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
    List<Attached> watched = new ArrayList<>();
    all.forEach(each -> watched.add(watched(each.appender())));
    all = List.copyOf(watched);
  }

  /** Ends the use by a sink. Returns whether it was the owner. */
  boolean end(DelegateSink sink) {
    return owner.compareAndSet(sink, null);
  }

  boolean isUsed() {
    return owner.get() != null;
  }

  private Attached watched(Appender<ILoggingEvent> appender) {
    OutputHealth health = new OutputHealth("appender [" + appender.getName() + "]");
    if (notifier != null) {
      notifier.watchForeign(health);
    }
    return new Attached(appender, health);
  }
}
