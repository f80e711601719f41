package dev.forebay;

import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.Appender;
import ch.qos.logback.core.spi.AppenderAttachable;
import ch.qos.logback.core.spi.AppenderAttachableImpl;
import dev.forebay.observe.OutputHealth;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.Iterator;
import java.util.List;
import java.util.Set;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/**
 * The attached appenders ({@code <appender-ref>}), each with its health. Any thread attaches and
 * detaches; the flusher reads.
 */
final class AttachedAppenders {

  /** One attached appender. */
  record Attached(Appender<ILoggingEvent> appender, OutputHealth health) {

    /** By identity. The generated equals would keep the class loader alive on JDK 17. */
    @Override
    public boolean equals(@Nullable Object other) {
      return this == other;
    }

    @Override
    public int hashCode() {
      return System.identityHashCode(this);
    }
  }

  private final LongSupplier wallClockMs;
  private final AppenderAttachableImpl<ILoggingEvent> attachable = new AppenderAttachableImpl<>();

  /** Replaced under the lock of this; read by the flusher. */
  private volatile List<Attached> all = List.of();

  /** The sink of the newest start, which alone may stop the appenders; written by start(). */
  private volatile @Nullable DelegateSink owner;

  AttachedAppenders(LongSupplier wallClockMs) {
    this.wallClockMs = wallClockMs;
  }

  AppenderAttachableImpl<ILoggingEvent> attachable() {
    return attachable;
  }

  /** Whether the events of one appender reach another, directly or through others. */
  static boolean isUpstreamOf(Appender<?> from, Appender<?> to) {
    return isUpstreamOf(from, to, new HashSet<>());
  }

  private static boolean isUpstreamOf(Appender<?> from, Appender<?> to, Set<Appender<?>> seen) {
    if (from == to) {
      return true;
    }
    boolean found = false;
    if (seen.add(from) && from instanceof AppenderAttachable<?> attachable) {
      for (Iterator<? extends Appender<?>> all = attachable.iteratorForAppenders();
          !found && all.hasNext(); ) {
        found = isUpstreamOf(all.next(), to, seen);
      }
    }
    return found;
  }

  synchronized void add(Appender<ILoggingEvent> appender) {
    attachable.addAppender(appender);
    refresh();
  }

  synchronized boolean detach(Appender<ILoggingEvent> appender) {
    boolean detached = attachable.detachAppender(appender);
    refresh();
    return detached;
  }

  synchronized boolean detach(String name) {
    boolean detached = attachable.detachAppender(name);
    refresh();
    return detached;
  }

  synchronized boolean detachAndStopAll() {
    attachable.detachAndStopAllAppenders();
    refresh();
    return all.isEmpty();
  }

  /** Resets the health of every appender: earlier failures were already reported. */
  synchronized void resetHealth() {
    all = all.stream().map(to -> new Attached(to.appender(), healthOf(to.appender()))).toList();
  }

  /**
   * Makes this sink the owner: a flusher of an earlier start that hung in an appender must not stop
   * the appenders later.
   */
  void setOwner(DelegateSink next) {
    owner = next;
  }

  boolean isOwner(DelegateSink sink) {
    return owner == sink;
  }

  /** Restarts an appender that an earlier owner stopped, if the present owner uses it. */
  void startForOwner(Appender<ILoggingEvent> appender) {
    DelegateSink using = owner;
    if (using != null && using.isOpen() && !appender.isStarted()) {
      appender.start();
    }
  }

  private void refresh() {
    List<Attached> before = all;
    List<Attached> now = new ArrayList<>();
    attachable
        .iteratorForAppenders()
        .forEachRemaining(
            appender ->
                now.add(
                    before.stream()
                        .filter(known -> known.appender() == appender)
                        .findFirst()
                        .orElseGet(() -> new Attached(appender, healthOf(appender)))));
    all = List.copyOf(now);
  }

  private OutputHealth healthOf(Appender<ILoggingEvent> appender) {
    return new OutputHealth("appender [" + appender.getName() + "]", wallClockMs);
  }

  List<Attached> all() {
    return all;
  }
}
